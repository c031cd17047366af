import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts texts that must be readable later, with a key that is not in the database. */
export interface Vault {
  /** @param context the place of the secret; it cannot be decrypted with another context */
  seal(secret: string, context: string): Promise<string>;
  /**
   * As `seal`, but the same text and context give the same result in every process with this secret. Use it where an
   * observer may learn that two texts are equal.
   */
  sealRepeatably(secret: string, context: string): Promise<string>;
  /** @throws for a text that no secret of this vault encrypted for this context */
  open(sealed: string, context: string): Promise<string>;
  /**
   * Encrypts a text again if a secret other than the first one encrypted it.
   *
   * @returns undefined if the first one encrypted it
   * @throws as `open`
   */
  reseal(sealed: string, context: string): Promise<string | undefined>;
}

/** The secrets from which the keys are derived: one, or several during rotation. The first encrypts, all decrypt. */
export type VaultSecrets = string | readonly [string, ...string[]];

const version = "v1";
const nonceBytes = 12;

/**
 * Creates a vault of AES-256-GCM.
 *
 * @param secrets returns the installation's secrets; called at the first use
 */
export function createVault(secrets: () => Promise<VaultSecrets> | VaultSecrets): Vault {
  let keys: Promise<Keys> | undefined;
  const keysOf = (): Promise<Keys> => {
    // A failure is not cached: the next call may succeed.
    keys ??= readKeys(secrets).catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return keys;
  };
  const seal = async (text: string, context: string): Promise<string> =>
    sealWith((await keysOf()).first, text, context, randomBytes(nonceBytes));
  const openAny = async (sealed: string, context: string): Promise<Opened> => {
    const { first, others } = await keysOf();
    const bytes = bytesOf(sealed);
    const text = openWith(first, bytes, context);
    if (text !== undefined) return { text, byFirst: true };
    for (const key of others) {
      const text = openWith(key, bytes, context);
      if (text !== undefined) return { text, byFirst: false };
    }
    throw notSealed();
  };
  return {
    seal,
    sealRepeatably: async (text, context) => {
      const { first } = await keysOf();
      return sealWith(first, text, context, nonceOf(first, text, context));
    },
    open: async (sealed, context) => (await openAny(sealed, context)).text,
    reseal: async (sealed, context) => {
      const { text, byFirst } = await openAny(sealed, context);
      return byFirst ? undefined : seal(text, context);
    },
  };
}

interface Keys {
  readonly first: Buffer;
  readonly others: readonly Buffer[];
}

interface Opened {
  readonly text: string;
  readonly byFirst: boolean;
}

async function readKeys(secrets: () => Promise<VaultSecrets> | VaultSecrets): Promise<Keys> {
  const given = await secrets();
  const [first, ...others] = typeof given === "string" ? [given] : given;
  return { first: keyOf(first), others: others.map(keyOf) };
}

/** @throws Error for an empty secret, whose key everyone can derive */
function keyOf(secret: string): Buffer {
  if (secret === "") throw new Error("A secret of the vault is empty");
  return Buffer.from(hkdfSync("sha256", secret, "", "rowhouse vault v1", 32));
}

/**
 * A nonce that a secret function derives from the text and its context, so that two texts have the same one only by
 * chance, as with random nonces.
 */
function nonceOf(key: Buffer, text: string, context: string): Buffer {
  const nonceKey = Buffer.from(hkdfSync("sha256", key, "", "rowhouse vault v1 nonce", 32));
  const parts = JSON.stringify([context, text]);
  return createHmac("sha256", nonceKey).update(parts).digest().subarray(0, nonceBytes);
}

function sealWith(key: Buffer, text: string, context: string, nonce: Buffer): string {
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
}

/** Nonce, tag and body of an encrypted text. It does not name its key: the tag identifies the right one. */
function bytesOf(sealed: string): Buffer {
  const [tag, data] = sealed.split(".");
  const bytes = Buffer.from(data ?? "", "base64url");
  if (tag !== version || bytes.length < 28) throw notSealed();
  return bytes;
}

function openWith(key: Buffer, bytes: Buffer, context: string): string | undefined {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), {
    authTagLength: 16,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(nonceBytes, 28));
  const body = decipher.update(bytes.subarray(28));
  try {
    return Buffer.concat([body, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

function notSealed(): Error {
  return new Error("Not encrypted by this vault");
}
