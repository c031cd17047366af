import { createHash } from "node:crypto";
import { commonPasswords } from "./common-passwords.ts";
import { leakedDigestBytes, leakedPasswordDigests } from "./leaked-passwords.ts";

let digests: Buffer | undefined;

/** Whether a password is on a list of those that are tried first, whatever its case. */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  return commonPasswords.has(lower) || isLeaked(lower);
}

function isLeaked(lower: string): boolean {
  digests ??= Buffer.from(leakedPasswordDigests, "base64");
  const wanted = createHash("sha256").update(lower).digest().subarray(0, leakedDigestBytes);
  let [low, high] = [0, digests.length / leakedDigestBytes];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * leakedDigestBytes;
    const order = digests.compare(wanted, 0, leakedDigestBytes, at, at + leakedDigestBytes);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

const productWords = ["rowhouse"];
const wordLengthMin = 3;
/** Letters and digits that a password has to have beside such words. */
const ownLengthMin = 8;

/**
 * Whether a password is little more than words that anybody knows who knows the account: its address, its name, this
 * product, with a year or a sign after them.
 *
 * @param about addresses and names
 */
export function isMadeOf(password: string, about: readonly string[]): boolean {
  const words = about
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .concat(productWords)
    .filter((word) => [...word].length >= wordLengthMin)
    // The longest first: of `dan` and `dana` the second one.
    .sort((one, other) => other.length - one.length);
  const lettersOf = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
  const all = lettersOf(password.toLowerCase());
  const own = words.reduce((text, word) => text.replaceAll(word, ""), all);
  return own !== all && [...own].length < ownLengthMin;
}
