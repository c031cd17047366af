import { extname } from "node:path/posix";
import { markupTypeOf, xmlTypeOf } from "./markup.ts";

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
export function isText(head: Uint8Array): boolean {
  return head.every((byte) => byte >= 0x20 || textControls.has(byte));
}

/**
 * Returns the type of text. Its beginning decides first, then the name and the claimed type; text/plain requires UTF-8.
 *
 * @param head the beginning of the text; its last character can be incomplete
 * @returns undefined if it has no known type
 */
export function textTypeOf(
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
