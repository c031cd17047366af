import { extname } from "node:path/posix";
import { fileTypeFromBuffer } from "file-type";

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

/** The types of text that its name or its sender decides. No browser shows any of them inline. */
const typeOfExtension: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".htm": "text/html",
  ".xhtml": "application/xhtml+xml",
  ".svg": "image/svg+xml",
  ".xml": "application/xml",
  ".xsl": "application/xml",
  ".csv": "text/csv",
  ".json": "application/json",
};

/** The control characters of text: tab, line feed, form feed, carriage return and escape. */
const textControls: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

/** Returns whether bytes can be text in an extension of ASCII (WHATWG MIME Sniffing: no "binary data byte"). */
function isText(head: Uint8Array): boolean {
  return head.every((byte) => byte >= 0x20 || textControls.has(byte));
}

/**
 * Returns the type of text. Its beginning decides first, then the name and the claimed type; text/plain requires UTF-8.
 *
 * @param head the beginning of the text; its last character can be incomplete
 * @returns undefined if it has no known type
 */
function textTypeOf(
  head: Uint8Array,
  claimedType: string | null,
  name: string,
): string | undefined {
  const text = Buffer.from(head).toString("latin1").toLowerCase();
  const markup = markupTypeOf(text.replace(/^\xef\xbb\xbf/, ""));
  if (markup !== undefined) return markup;
  const chosen = typeOfExtension[extname(name).toLowerCase()] ?? typeOfClaim(claimedType);
  if (chosen === "image/svg+xml") return xmlTypeOf(text);
  return chosen ?? (isUtf8(head) ? "text/plain" : undefined);
}

function typeOfClaim(claimedType: string | null): string | undefined {
  const [claimed = ""] = (claimedType ?? "").toLowerCase().split(";", 1);
  const type = claimed.trim();
  if (/^(?:text|application)\/xml$/.test(type)) return "application/xml";
  if (Object.values(typeOfExtension).includes(type)) return type;
  const [, suffix] = /\+(xml|json)$/.exec(type) ?? [];
  return suffix === undefined ? undefined : `application/${suffix}`;
}

function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Elements at which a browser recognizes a page (WHATWG MIME Sniffing, 7.1), and others that load or run something.
 */
const pageElements =
  "html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|img|math|object|embed|form|video|audio|link|meta|base|input|details|frameset|template|marquee";

const pageStart = new RegExp(`^<(?:!doctype html|(?:${pageElements})(?=[\\s/>]))`);

/** Markup that no image, sound or video needs. XMP metadata is XML as well, but has none of these elements. */
const embeddedMarkup = /<(?:!doctype|html|head|body|script|iframe|svg|object|embed)(?![a-z])|%pdf-/;

/** The types of markup. A browser can run scripts in each of them. */
export type MarkupType =
  | "text/html"
  | "application/xhtml+xml"
  | "image/svg+xml"
  | "application/xml";

/**
 * Returns the type of text that begins as markup does; undefined for other text.
 *
 * @param text in lower case
 */
function markupTypeOf(text: string): MarkupType | undefined {
  const start = text.replace(/^(?:\s|<!--.*?-->)+/s, "");
  if (pageStart.test(start)) return "text/html";
  if (/^<(?:svg[\s>]|!doctype|\?xml)/.test(start)) return xmlTypeOf(start);
  // Browsers recognize a page by a comment, too. Its end can be after the bytes that are known.
  return text.trimStart().startsWith("<!--") ? "text/html" : undefined;
}

/**
 * Returns the type of an XML document.
 *
 * @param text in lower case
 */
function xmlTypeOf(text: string): MarkupType {
  if (/<(?:\w+:)?html[\s>]|http:\/\/www\.w3\.org\/1999\/xhtml/.test(text)) {
    return "application/xhtml+xml";
  }
  return /<(?:\w+:)?svg[\s>]/.test(text) ? "image/svg+xml" : "application/xml";
}

/**
 * Returns whether the beginning of an image, a sound or a video contains a page, a drawing with scripts or a PDF.
 *
 * @param text the bytes as ISO 8859-1, in lower case
 */
function hasEmbeddedMarkup(text: string): boolean {
  return embeddedMarkup.test(text);
}
