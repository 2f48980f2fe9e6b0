import { NamedError } from "@/rpc/errors";

/**
 * Secrets at rest. The key is a WebCrypto key that cannot be extracted, in a database of its own: what is stored elsewhere is
 * useless without this browser profile. It does not protect against someone who takes the whole profile.
 */
export interface SecretBox {
  encrypt(text: string): Promise<Sealed>;
  /** @throws SecretError when the secret cannot be read any more and has to be entered again */
  decrypt(sealed: Sealed): Promise<string>;
}

/** An encrypted text, as JSON can hold it. */
export interface Sealed {
  /** The 96-bit nonce of AES-GCM, in base64. */
  iv: string;
  /** Ciphertext with its 128-bit tag, in base64. */
  data: string;
}

const DATABASE = "moggy-keys";
const STORE = "keys";
const KEY_ID = "secrets-1";
const IV_BYTES = 12;

/** Encrypts with AES-256-GCM (NIST SP 800-38D), a fresh random nonce each time. The key is made when it is first needed. */
export function createSecretBox(factory: () => IDBFactory = () => indexedDB): SecretBox {
  let opened: Promise<CryptoKey> | undefined;
  const key = (): Promise<CryptoKey> => {
    opened ??= openKey(factory()).catch((cause: unknown) => {
      // A passing failure must not be kept for the life of the worker.
      opened = undefined;
      throw new NamedError(
        "SecretError",
        `The browser could not open the store of its keys: ${reasonOf(cause)}`,
        { cause },
      );
    });
    return opened;
  };

  return {
    async encrypt(text) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const bytes = new TextEncoder().encode(text);
      const data = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await key(), bytes);
      return { iv: toBase64(iv), data: toBase64(new Uint8Array(data)) };
    },
    async decrypt(sealed) {
      const secret = await key();
      try {
        const iv = fromBase64(sealed.iv);
        return new TextDecoder().decode(
          await crypto.subtle.decrypt({ name: "AES-GCM", iv }, secret, fromBase64(sealed.data)),
        );
      } catch (cause) {
        throw new NamedError(
          "SecretError",
          "A stored key can no longer be read: it was encrypted by another profile, or the browser's data was cleared in part. Enter the key again.",
          { cause },
        );
      }
    },
  };
}

/** The stored key, or a new one. Of two who make one at the same time, both get the one that was stored first. */
async function openKey(factory: IDBFactory): Promise<CryptoKey> {
  const db = await openDatabase(factory);
  try {
    const stored = await request<unknown>(db.transaction(STORE).objectStore(STORE).get(KEY_ID));
    if (stored instanceof CryptoKey) return stored;
    // Made outside of a transaction, which would not wait for it.
    const made = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
      "encrypt",
      "decrypt",
    ]);
    const transaction = db.transaction(STORE, "readwrite", { durability: "strict" });
    const store = transaction.objectStore(STORE);
    const first = await request<unknown>(store.get(KEY_ID));
    if (first instanceof CryptoKey) return first;
    store.put(made, KEY_ID);
    await completion(transaction);
    return made;
  } finally {
    db.close();
  }
}

function openDatabase(factory: IDBFactory): Promise<IDBDatabase> {
  const opening = factory.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return request(opening);
}

function request<T>(pending: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    pending.onsuccess = () => resolve(pending.result);
    pending.onerror = () => reject(pending.error ?? new Error("The database gave no reason."));
  });
}

function completion(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("The transaction was aborted."));
  });
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
