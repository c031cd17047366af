import { randomInt } from "node:crypto";

// Without letters and digits that look alike: a person reads it off a screen.
const alphabet = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** 138 bits. */
const length = 24;

/** A password for an operator to read and to type. */
export function generatePassword(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}
