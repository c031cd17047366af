import { extname } from "node:path/posix";

/** The limit of common file systems. */
const bytesMax = 255;
const extensionBytesMax = 64;

/**
 * Returns a name that is safe in a header and in a file system: characters that break a line, end a path segment or
 * change the direction of writing become `_`, and the name has at most 255 bytes of UTF-8, its extension included.
 */
export function safeFileName(name: string): string {
  const safe = name.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]/gu, "_");
  if (safe === "") return "file";
  const extension = firstBytes(extname(safe), extensionBytesMax);
  const stem = safe.slice(0, safe.length - extname(safe).length);
  return firstBytes(stem, bytesMax - Buffer.byteLength(extension)) + extension;
}

/** Returns the first characters of a text that fit in a number of bytes. */
function firstBytes(text: string, bytes: number): string {
  const target = new Uint8Array(bytes);
  const { read } = new TextEncoder().encodeInto(text, target);
  return text.slice(0, read);
}
