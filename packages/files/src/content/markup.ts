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
export function markupTypeOf(text: string): MarkupType | undefined {
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
export function xmlTypeOf(text: string): MarkupType {
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
export function hasEmbeddedMarkup(text: string): boolean {
  return embeddedMarkup.test(text);
}
