/**
 * Characters that a terminal executes or that change how the text around them is shown: controls (C0 without the line break
 * and the tab, DEL, C1), and those that change the direction or break a line.
 */
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Returns a text of a service or of a file system for a terminal, on one or several lines: `\u001b` is written, not sent. */
export function printable(text: string): string {
  return text.replace(unprintable, escapeUnit);
}

/** Returns a name for a terminal: on one line. */
export function printableName(text: string): string {
  return printable(text).replace(/[\n\t]/g, escapeUnit);
}

/** Returns a value as JSON, with escapes in place of characters that a terminal would execute. */
export function printableJson(value: unknown): string {
  return `${printable(JSON.stringify(value, null, 2))}\n`;
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
