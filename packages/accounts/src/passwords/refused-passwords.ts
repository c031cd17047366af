import { commonPasswords } from "./common-passwords.ts";
import { isLeakedPassword } from "./leaked-passwords.ts";

/** Whether a password is on a list of those that attackers try first. Ignores case. */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  return commonPasswords.has(lower) || isLeakedPassword(lower);
}

const productWords = ["rowhouse"];
const wordLengthMin = 3;
/** Minimum number of letters and digits besides such words. */
const ownLengthMin = 8;

/**
 * Whether a password consists almost only of words that are known about the account: its address, its name and this
 * product's name, for instance with a year or a sign appended.
 *
 * @param about addresses and names
 */
export function isMadeOf(password: string, about: readonly string[]): boolean {
  const words = about
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .concat(productWords)
    .filter((word) => [...word].length >= wordLengthMin)
    // Longest first, so that `dana` is removed before `dan`.
    .sort((one, other) => other.length - one.length);
  const lettersOf = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
  const all = lettersOf(password.toLowerCase());
  const own = words.reduce((text, word) => text.replaceAll(word, ""), all);
  return own !== all && [...own].length < ownLengthMin;
}
