import { createHash } from "node:crypto";

/** Encodings of precompressed files, best first, with the suffix of the file that the build writes beside the original. */
export const contentEncodings = { br: ".br", gzip: ".gz" } as const;

export type ContentEncoding = keyof typeof contentEncodings;

/** A file of the built pages. Its name contains a hash of its content. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly encoded: Readonly<Partial<Record<ContentEncoding, Uint8Array<ArrayBuffer>>>>;
  /** Including its quotes. */
  readonly tag: string;
}

/** Media types of the files that a build contains, by the suffix of the name. */
export const mediaTypes: Readonly<Record<string, string>> = {
  bin: "application/octet-stream",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

/** Returns the entity tag of a file. It depends only on the bytes, so it is equal in all processes. */
export function entityTagOf(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
}

/**
 * Returns the best encoding that a request accepts; undefined for the plain bytes. An encoding with `q=0` is not
 * accepted (RFC 9110 §12.5.3).
 */
export function encodingFor(
  accepted: string | undefined,
  file: PageFile,
): ContentEncoding | undefined {
  const names = (accepted ?? "")
    .split(",")
    .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
    .map((one) => one.split(";", 1)[0]?.trim().toLowerCase());
  return (Object.keys(contentEncodings) as ContentEncoding[]).find(
    (name) => names.includes(name) && file.encoded[name] !== undefined,
  );
}
