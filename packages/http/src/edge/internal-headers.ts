import type { IncomingMessage } from "node:http";

const internal = /^x[-_]rowhouse[-_]./is;

/**
 * Whether only the gateway may write this header, in every spelling: servers that convert headers to variables treat
 * `_` and `-` as equal.
 */
export function isInternalHeader(name: string): boolean {
  return internal.test(name);
}

/**
 * Removes the internal headers from a request before its headers are read. So handlers, and the stored headers of a
 * webhook call, never contain them.
 *
 * @param also one more header to remove, in lower case
 */
export function removeInternalHeaders(incoming: IncomingMessage, also?: string): void {
  const { rawHeaders, headers } = incoming;
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    const name = rawHeaders[at] as string;
    const isAlso = name.length === also?.length && name.toLowerCase() === also;
    if (!isAlso && !isInternalHeader(name)) continue;
    rawHeaders.splice(at, 2);
    delete headers[name.toLowerCase()];
  }
}
