import { randomInt } from "node:crypto";

// Excludes letters and digits that look alike: a person reads the password from a screen.
const alphabet = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** Length in characters; the entropy is 138 bits. */
const length = 24;

/** Returns a password for an operator to read and type. */
export function generatePassword(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}
