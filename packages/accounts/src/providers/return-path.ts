const here = "https://here.invalid";

/**
 * A path of this installation in its normal form, which leads nowhere else however it is written.
 *
 * @returns undefined for any other text
 */
export function normalizeReturnPath(text: string): string | undefined {
  // Printable ASCII: a browser drops tabs and line ends, and reads a backslash as a slash.
  if (!/^\/[\x21-\x7e]*$/.test(text) || text.includes("\\")) return undefined;
  if (!URL.canParse(text, here)) return undefined;
  const { origin, pathname, search, hash } = new URL(text, here);
  // Without its dot segments a path may begin with two slashes, and so may one that is decoded once more.
  if (origin !== here || pathname.startsWith("//") || /%(?:2f|5c)/i.test(pathname))
    return undefined;
  return `${pathname}${search}${hash}`;
}
