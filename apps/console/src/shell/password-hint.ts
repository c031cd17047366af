import leakedPasswords from "@rowhouse/accounts/leaked-passwords.bin?url";
import {
  containsDigest,
  listedFormOf,
  type PasswordFault,
  passwordFaultOf,
} from "@rowhouse/accounts/password-rules";

let digests: Promise<Uint8Array> | undefined;

/**
 * Returns why the service would reject a password; undefined if it would accept it. The rules and the list of leaked
 * passwords are the service's own, and the password leaves the browser only with the form.
 */
export async function passwordHint(
  password: string,
  about: readonly string[],
  readDigests = readDigestsOnce,
): Promise<PasswordFault | undefined> {
  const fault = passwordFaultOf(password, about);
  if (fault === "LENGTH" || fault === "COMMON") return fault;
  // A page over http from another machine has no digests; the service checks in any case.
  if (crypto.subtle === undefined) return fault;
  const listed = new TextEncoder().encode(listedFormOf(password));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", listed));
  return containsDigest(await readDigests(), digest) ? "COMMON" : fault;
}

function readDigestsOnce(): Promise<Uint8Array> {
  digests ??= fetchDigests();
  return digests;
}

/** Reads the list of the service; without it the hint covers the other rules. */
async function fetchDigests(): Promise<Uint8Array> {
  const answer = await fetch(leakedPasswords).catch(() => undefined);
  return answer?.ok === true ? new Uint8Array(await answer.arrayBuffer()) : new Uint8Array();
}
