import { createFault, type Fault } from "@rowhouse/errors";
import { isLeakedPassword } from "./leaked-passwords.ts";
import { type PasswordFault, passwordFaultOf, passwordLength } from "./password-rules.ts";

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
