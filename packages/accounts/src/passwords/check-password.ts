import { createFault, type Fault } from "@rowhouse/errors";
import { isCommonPassword, isMadeOf } from "./refused-passwords.ts";

const lengthMin = 12;
const lengthMax = 256;

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
  const length = [...password].length;
  if (length < lengthMin || length > lengthMax) {
    const message = `A password must have ${lengthMin} to ${lengthMax} characters`;
    return [createFault("BODY_INVALID", { path, message })];
  }
  if (isCommonPassword(password)) {
    return [createFault("BODY_INVALID", { path, message: "This password is too common" })];
  }
  if (isMadeOf(password, about)) {
    const message =
      "A password must not consist of the account's name or address, or this product's name";
    return [createFault("BODY_INVALID", { path, message })];
  }
  return [];
}
