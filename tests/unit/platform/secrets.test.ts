import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it } from "vitest";
import { createSecretBox, type Sealed } from "@/platform/secrets";

let factory: IDBFactory;
beforeEach(() => {
  factory = new IDBFactory();
});
const box = () => createSecretBox(() => factory);

describe("SecretBox", () => {
  it("gives back what it was given, also in a later start of the worker, also after a trip through JSON", async () => {
    for (const text of ["", "sk-123", "日本語 🐱", "x".repeat(200_000)]) {
      const sealed = JSON.parse(JSON.stringify(await box().encrypt(text))) as Sealed;
      expect(await box().decrypt(sealed)).toBe(text);
    }
  });

  it("shows nothing of the text, and never the same twice", async () => {
    const secrets = box();
    const [a, b] = await Promise.all([secrets.encrypt("sk-very-secret"), secrets.encrypt("sk-very-secret")]);
    expect(JSON.stringify(a)).not.toContain("secret");
    expect(atob(a.data)).not.toContain("secret");
    expect(a.data).not.toBe(b.data);
    expect(a.iv).not.toBe(b.iv);
  });

  it("makes one key when two start at the same time", async () => {
    const [a, b] = [box(), box()];
    const [fromA, fromB] = await Promise.all([a.encrypt("one"), b.encrypt("two")]);
    expect(await b.decrypt(fromA)).toBe("one");
    expect(await a.decrypt(fromB)).toBe("two");
    expect(await box().decrypt(fromA)).toBe("one");
  });

  it("keeps a key that cannot be taken out", async () => {
    await box().encrypt("x");
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = factory.open("moggy-keys");
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const all = await new Promise<unknown[]>((resolve) => {
      const reading = db.transaction("keys").objectStore("keys").getAll();
      reading.onsuccess = () => resolve(reading.result);
    });
    db.close();
    expect(all).toHaveLength(1);
    const [key] = all;
    expect(key).toBeInstanceOf(CryptoKey);
    expect((key as CryptoKey).extractable).toBe(false);
    await expect(crypto.subtle.exportKey("raw", key as CryptoKey)).rejects.toThrow();
  });

  it("says that the secret must be entered again when its key is gone or it was changed", async () => {
    const sealed = await box().encrypt("sk-123");
    factory = new IDBFactory();
    await expect(box().decrypt(sealed)).rejects.toMatchObject({
      name: "SecretError",
      message: expect.stringContaining("Enter the key again"),
    });
    const mine = await box().encrypt("sk-123");
    const flipped = mine.data.startsWith("A") ? `B${mine.data.slice(1)}` : `A${mine.data.slice(1)}`;
    for (const broken of [
      { ...mine, data: flipped },
      { ...mine, data: "***" },
      { ...mine, iv: "" },
    ]) {
      await expect(box().decrypt(broken)).rejects.toMatchObject({ name: "SecretError" });
    }
  });

  it("tries again after the database could not be opened", async () => {
    let failing = true;
    const secrets = createSecretBox(() => {
      if (failing) throw new Error("disk on fire");
      return factory;
    });
    await expect(secrets.encrypt("x")).rejects.toThrow(/disk on fire/);
    failing = false;
    expect(await secrets.decrypt(await secrets.encrypt("x"))).toBe("x");
  });
});
