import { randomBytes } from "node:crypto";

const wellFormed = /^[A-Za-z0-9._-]{1,128}$/;
// One random prefix per process; a counter distinguishes its requests (a UUID per request costs ten times as much).
const prefix = `${randomBytes(9).toString("base64url").replaceAll("_", ".")}-`;
let count = 0;

/** Returns the caller's request id if it is well formed, else a new one that is unique over all processes. */
export function requestIdFrom(sent: string | null | undefined): string {
  if (sent != null && wellFormed.test(sent)) return sent;
  count += 1;
  return prefix + count.toString(36);
}
