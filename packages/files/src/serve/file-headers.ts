import { extname } from "node:path/posix";
import { create } from "content-disposition";
import { unknownType } from "../content/sniff.ts";

/** The types that a browser may show in place. None of them can run a script or load a resource. */
const inlineTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "video/mp4",
  "video/webm",
  "audio/mpeg",
  "text/plain",
]);

/**
 * Types that a page can run or apply as a subresource, for which a browser ignores `Content-Disposition` and
 * `Content-Security-Policy`. They are sent without their type, so that `nosniff` blocks them.
 */
const runnableType = /script|\/css|xsl|wasm|manifest|^multipart/;

/** `default-src` does not cover the base address. Pages may frame only a public file. */
const policy = "default-src 'none'; base-uri 'none'; sandbox";

/** A media type without parameters (RFC 9110). */
const mediaTypeForm = /^[a-z]+\/[a-z0-9!#$&^_.+-]+$/;

/** A file whose bytes are sent. */
export interface ServedFile {
  readonly name: string;
  /** The type that was found in the bytes; never the type that the sender claimed. */
  readonly mediaType: string;
}

export interface ServedAs {
  readonly isPublic: boolean;
  /**
   * For a reader who has the ticket of a link: the seconds until it expires. The ticket is the right, so pages of any origin may
   * show these bytes, and the reader may keep them as long. Undefined for a reader with another right.
   */
  readonly linkSeconds?: number | undefined;
  /** Whether the bytes are an attachment in any case. */
  readonly isAttachment: boolean;
}

/** Returns the headers of a response with the bytes of a file, so that a browser runs nothing in them. */
export function headersOf(
  { name, mediaType }: ServedFile,
  { isPublic, linkSeconds, isAttachment }: ServedAs,
): Readonly<Record<string, string>> {
  const type = servedTypeOf(mediaType);
  const isInline = inlineTypes.has(type) && !isAttachment;
  return {
    "Content-Type": type === "text/plain" ? "text/plain; charset=utf-8" : type,
    "Content-Disposition": create(safeFileName(name), { type: isInline ? "inline" : "attachment" }),
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": isPublic ? policy : `${policy}; frame-ancestors 'none'`,
    "Cross-Origin-Resource-Policy":
      isPublic || linkSeconds !== undefined ? "cross-origin" : "same-origin",
    "Referrer-Policy": "no-referrer",
    ...cachingOf(isPublic, linkSeconds),
  };
}

function cachingOf(
  isPublic: boolean,
  linkSeconds: number | undefined,
): Readonly<Record<string, string>> {
  if (!isPublic && linkSeconds === undefined) return { "Cache-Control": "private, no-store" };
  const caching = isPublic ? "max-age=60" : `private, max-age=${linkSeconds}`;
  // What `<img>` has loaded lacks the headers that `fetch` of another origin requires.
  return { "Cache-Control": `${caching}, must-revalidate`, Vary: "Origin" };
}

function servedTypeOf(mediaType: string): string {
  const type = mediaType.toLowerCase();
  return mediaTypeForm.test(type) && !runnableType.test(type) ? type : unknownType;
}

/** The limit of common file systems. */
const bytesMax = 255;
const extensionBytesMax = 64;

/**
 * Returns a name that is safe in a header and in a file system: characters that break a line, end a path segment or
 * change the direction of writing become `_`, and the name has at most 255 bytes of UTF-8, its extension included.
 */
function safeFileName(name: string): string {
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
