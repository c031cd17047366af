const here = "https://here.invalid";

/**
 * Normalizes a path of this installation. The result never leads to another origin.
 *
 * @returns undefined for any other text
 */
export function normalizeReturnPath(text: string): string | undefined {
  // Printable ASCII only: a browser drops tabs and line breaks, and reads a backslash as a slash.
  if (!/^\/[\x21-\x7e]*$/.test(text) || text.includes("\\")) return undefined;
  if (!URL.canParse(text, here)) return undefined;
  const { origin, pathname, search, hash } = new URL(text, here);
  // After its dot segments are resolved, or after one more decoding, a path may begin with two slashes.
  if (origin !== here || pathname.startsWith("//") || /%(?:2f|5c)/i.test(pathname))
    return undefined;
  return `${pathname}${search}${hash}`;
}
