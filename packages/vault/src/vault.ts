import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts what has to be read again, with a key that the database does not hold. */
export interface Vault {
  /** @param context where the secret belongs; it opens nowhere else */
  seal(secret: string, context: string): Promise<string>;
  /** @throws for anything that this vault did not seal for this context */
  open(sealed: string, context: string): Promise<string>;
}

const version = "v1";

/**
 * A vault of AES-256-GCM.
 *
 * @param secret the installation's secret, asked for when it is first needed
 */
export function createVault(secret: () => Promise<string> | string): Vault {
  let key: Promise<Buffer> | undefined;
  const keyOf = (): Promise<Buffer> => {
    key ??= Promise.resolve(secret()).then((text) =>
      Buffer.from(hkdfSync("sha256", text, "", "rowhouse vault v1", 32)),
    );
    return key;
  };
  return {
    seal: async (text, context) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", await keyOf(), nonce);
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    open: async (sealed, context) => {
      const [tag, data] = sealed.split(".");
      if (tag !== version || data === undefined) throw new Error("Not sealed by this vault");
      const bytes = Buffer.from(data, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", await keyOf(), bytes.subarray(0, 12), {
        authTagLength: 16,
      });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString(
        "utf8",
      );
    },
  };
}
