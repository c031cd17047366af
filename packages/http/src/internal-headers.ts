import type { IncomingMessage } from "node:http";

const internalPrefix = "x-rowhouse-";

/**
 * Whether a header is one that only the gateway may write, in whatever spelling: servers that turn headers into variables
 * read `_` and `-` as one.
 */
export function isInternalHeader(name: string): boolean {
  const first = name.charCodeAt(0);
  if ((first !== 0x78 && first !== 0x58) || name.length <= internalPrefix.length) return false;
  return name
    .slice(0, internalPrefix.length)
    .toLowerCase()
    .replaceAll("_", "-")
    .startsWith(internalPrefix);
}

/**
 * Takes the internal headers out of a request, before anyone reads its headers: what a handler sees, and what a webhook
 * keeps, never holds them.
 *
 * @param also one more header to take out, in lower case
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
