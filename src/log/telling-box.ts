import type { SecretBox } from "@/platform/secrets";
import type { SecretList } from "./secret-list";

/** The box, which tells the log each secret that goes through it, so that it can be found in what is logged. */
export function tellingBox(box: SecretBox, secrets: SecretList): SecretBox {
  return {
    encrypt: (text) => {
      secrets.know(text);
      return box.encrypt(text);
    },
    decrypt: async (sealed) => {
      const text = await box.decrypt(sealed);
      secrets.know(text);
      return text;
    },
  };
}
