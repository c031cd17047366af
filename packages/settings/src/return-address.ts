import { z } from "zod";

const textMax = 2000;
const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/;
/** Encoded dots, slashes, backslashes and percent signs: what decodes them once more finds another path. */
const hiddenSegment = /%(?:2e|2f|5c|25)/i;

/** An address of `auth.return_addresses`: exact, or a prefix that ends with a slash and an asterisk. */
export const returnAddress = z
  .string()
  .refine(
    isPattern,
    "Must be a URL in normal form that begins with https:// (or http:// on localhost) and has no user name or fragment, or the beginning of its path with /* at its end",
  );

function isPattern(text: string): boolean {
  const isPrefix = text.endsWith("/*");
  const start = isPrefix ? text.slice(0, -1) : text;
  if (start.includes("*") || normalAddress(start) === undefined) return false;
  return !isPrefix || !start.includes("?");
}

/**
 * Returns the address to which a mail or a provider may return, in normal form; undefined if the patterns of
 * `auth.return_addresses` do not allow it.
 */
export function allowedReturnAddress(
  patterns: readonly string[],
  asked: string,
): string | undefined {
  const address = normalAddress(asked);
  if (address === undefined) return undefined;
  const isAllowed = patterns.some((pattern) =>
    pattern.endsWith("/*")
      ? // With the slash at its end a prefix has the whole origin and whole segments of the path.
        address.startsWith(pattern.slice(0, -1))
      : normalAddress(pattern) === address,
  );
  return isAllowed ? address : undefined;
}

/**
 * Returns an absolute address as a browser understands it; undefined unless it is written in this form already, except for
 * the slash after the origin. So nothing is resolved, decoded or left out that two parsers could understand differently.
 */
function normalAddress(text: string): string | undefined {
  // Printable ASCII only: a browser drops tabs and line breaks, and maps other characters in a host.
  if (text.length > textMax || !/^https?:\/\/[\x21-\x7e]+$/.test(text)) return undefined;
  if (/[\\#]/.test(text) || !URL.canParse(text)) return undefined;
  const { href, pathname, protocol, username, password } = new URL(text);
  if (href !== text && href !== `${text}/`) return undefined;
  if (username !== "" || password !== "" || /^[^/]*\/\/[^/?]*@/.test(text)) return undefined;
  if (protocol === "http:" && !loopback.test(href)) return undefined;
  return pathname.includes("//") || hiddenSegment.test(pathname) ? undefined : href;
}
