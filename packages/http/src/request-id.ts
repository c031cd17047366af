import { randomBytes } from "node:crypto";

const wellFormed = /^[A-Za-z0-9._-]{1,128}$/;
// One draw of randomness a process; a counter tells its requests apart (a UUID each costs ten times as much).
const prefix = `${randomBytes(9).toString("base64url").replaceAll("_", ".")}-`;
let count = 0;

/** The request id that the caller sent, if it is well formed, or a new one that is unique over all processes. */
export function requestIdFrom(sent: string | null | undefined): string {
  if (sent != null && wellFormed.test(sent)) return sent;
  count += 1;
  return prefix + count.toString(36);
}
