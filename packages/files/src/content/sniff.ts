import { fileTypeFromBuffer } from "file-type";
import { hasEmbeddedMarkup } from "./markup.ts";
import { isText, textTypeOf } from "./text-type.ts";

/** Number of bytes at the beginning of a file from which its type is found; file-type needs no more. */
export const sniffedBytes = 4100;

/** The type of bytes that are not recognized. */
export const unknownType = "application/octet-stream";

/** Formats that no text has. A weak signature, such as the BM of a bitmap, is also the beginning of words. */
const media = /^(?:image|audio|video|font)\//;

/** Names for one format that browsers know under another name. */
const browserName: Readonly<Record<string, string>> = { "image/apng": "image/png" };

/**
 * Returns the media type of a file by its first bytes, without parameters. The name and the claimed type choose only
 * between types of text, none of which a browser shows as a page.
 *
 * The result is cautious: an image, a sound or a video that contains markup, and text in UTF-16, are of unknown type.
 *
 * @param head the first bytes of the file, at most `sniffedBytes`
 */
export async function sniffType(
  head: Uint8Array,
  claimedType: string | null,
  name: string,
): Promise<string> {
  // The byte order mark of UTF-16 is also the beginning of an MPEG frame that no browser plays.
  if (hasUtf16Mark(head)) return unknownType;
  const found = await binaryTypeOf(head);
  const isMedia = found !== undefined && media.test(found);
  if (isText(head) && (found === undefined || found === "application/xml" || isMedia)) {
    return textTypeOf(head, claimedType, name) ?? unknownType;
  }
  return found === undefined || (isMedia && containsMarkup(head)) ? unknownType : found;
}

async function binaryTypeOf(head: Uint8Array): Promise<string | undefined> {
  // A broken file ends in an exception of the parser.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  const [type] = found?.mime.toLowerCase().split(";", 1) ?? [];
  return type === undefined ? undefined : (browserName[type] ?? type);
}

function hasUtf16Mark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function containsMarkup(head: Uint8Array): boolean {
  return hasEmbeddedMarkup(Buffer.from(head).toString("latin1").toLowerCase());
}
