import { commonPasswords } from "./common-passwords.ts";

// Also imported by the pages, whose hint agrees with the server: only the language itself, nothing of Node.

/** Length of a password in characters. */
export const passwordLength = { min: 12, max: 256 } as const;

/** Bytes of each digest in the list of leaked passwords. */
export const leakedDigestBytes = 5;

/** Why a password is rejected. */
export type PasswordFault = "LENGTH" | "COMMON" | "OWN_WORDS";

/**
 * Returns the reason why a password cannot be set, except for leaked ones; undefined if there is none.
 *
 * @param about addresses and names of the account, of which the password must not consist
 */
export function passwordFaultOf(
  password: string,
  about: readonly string[],
): PasswordFault | undefined {
  const { length } = [...password.normalize("NFC")];
  if (length < passwordLength.min || length > passwordLength.max) return "LENGTH";
  if (commonPasswords.has(listedFormOf(password))) return "COMMON";
  return isMadeOf(password, about) ? "OWN_WORDS" : undefined;
}

/** The form of a password in the lists of common and leaked ones. */
export function listedFormOf(password: string): string {
  return password.normalize("NFC").toLowerCase();
}

const productWords = ["rowhouse"];
const wordLengthMin = 3;
/** Minimum number of letters and digits besides such words. */
const ownLengthMin = 8;

/**
 * Whether a password consists almost only of words that are known about the account: its address, its name and this
 * product's name, for instance with a year or a sign appended.
 */
function isMadeOf(password: string, about: readonly string[]): boolean {
  const words = about
    .flatMap((text) => listedFormOf(text).split(/[^\p{L}\p{N}]+/u))
    .concat(productWords)
    .filter((word) => [...word].length >= wordLengthMin)
    // Longest first, so that `dana` is removed before `dan`.
    .sort((one, other) => other.length - one.length);
  const lettersOf = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
  const all = lettersOf(listedFormOf(password));
  const own = words.reduce((text, word) => text.replaceAll(word, ""), all);
  return own !== all && [...own].length < ownLengthMin;
}

/**
 * Whether a sorted list of leaked passwords contains a digest.
 *
 * @param sorted digests of `leakedDigestBytes` each
 * @param digest SHA-256 of `listedFormOf` the password
 */
export function containsDigest(sorted: Uint8Array, digest: Uint8Array): boolean {
  let [low, high] = [0, sorted.length / leakedDigestBytes];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareAt(sorted, middle * leakedDigestBytes, digest);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

function compareAt(sorted: Uint8Array, at: number, digest: Uint8Array): number {
  for (let index = 0; index < leakedDigestBytes; index += 1) {
    const order = (sorted[at + index] ?? 0) - (digest[index] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}
