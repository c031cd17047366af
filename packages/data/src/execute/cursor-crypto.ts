import { type Cipher, createCipheriv, createHmac, hash, timingSafeEqual } from "node:crypto";

// Each full page of a list has a cursor. An object of Node's `Hmac` or `Cipher` costs several microseconds, and the garbage
// collector more than that; so no cursor makes one. The results are those of `createHmac` and of `aes-256-ctr`.

const macLength = 16;
const cipherBlock = 16;
const hashBlock = 64;

/** The keys of cursors, derived from one key of the installation. */
export interface CursorKeys {
  /** The key of the signature for the inner and the outer hash of HMAC (RFC 2104). */
  readonly inner: Buffer;
  readonly outer: Buffer;
  /** Encrypts blocks on their own; used for counters alone. */
  readonly blocks: Cipher;
}

export function deriveKeys(key: string): CursorKeys {
  const signing = hash("sha256", key, "buffer");
  const encryption = createHmac("sha256", signing).update("cursor encryption").digest();
  const padded = (byte: number) =>
    Buffer.from(Uint8Array.from({ length: hashBlock }, (_, at) => (signing[at] ?? 0) ^ byte));
  return {
    inner: padded(0x36),
    outer: padded(0x5c),
    blocks: createCipheriv("aes-256-ecb", encryption, null).setAutoPadding(false),
  };
}

/**
 * Signs and encrypts a body. The signature is the initialization vector, so a body always has the same result.
 *
 * @param context signed as well
 */
export function sealCursor(context: string, body: string, keys: CursorKeys): Buffer {
  const bytes = Buffer.from(body);
  const mac = sign(context, bytes, keys);
  return Buffer.concat([mac, encrypt(bytes, mac, keys)]);
}

/** Returns the body; undefined unless `sealCursor` has sealed it with this context. */
export function unsealCursor(
  context: string,
  sealed: Buffer,
  keys: CursorKeys,
): Buffer | undefined {
  if (sealed.length <= macLength) return undefined;
  const mac = sealed.subarray(0, macLength);
  const body = encrypt(sealed.subarray(macLength), mac, keys);
  return timingSafeEqual(mac, sign(context, body, keys)) ? body : undefined;
}

/** The first half of HMAC-SHA-256. */
function sign(context: string, body: Buffer, { inner, outer }: CursorKeys): Buffer {
  const message = Buffer.concat([inner, Buffer.from(`${context}\0`), body]);
  const digest = hash("sha256", message, "buffer");
  return hash("sha256", Buffer.concat([outer, digest]), "buffer").subarray(0, macLength);
}

/** Encrypts or decrypts in counter mode (NIST SP 800-38A). */
function encrypt(bytes: Buffer, vector: Buffer, { blocks }: CursorKeys): Buffer {
  const counters = Buffer.alloc(Math.ceil(bytes.length / cipherBlock) * cipherBlock);
  for (let start = 0; start < counters.length; start += cipherBlock) {
    let carry = start / cipherBlock;
    for (let at = cipherBlock - 1; at >= 0; at -= 1) {
      carry += vector[at] ?? 0;
      counters[start + at] = carry;
      carry >>>= 8;
    }
  }
  const stream = blocks.update(counters);
  for (let at = 0; at < bytes.length; at += 1) stream[at] = (stream[at] ?? 0) ^ (bytes[at] ?? 0);
  return stream.subarray(0, bytes.length);
}
