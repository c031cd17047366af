/**
 * Characters that a terminal executes or that change how the text around them is shown: controls (C0 without the line break
 * and the tab, DEL, C1), those that change the direction, break a line or tag a text, and halves of surrogate pairs.
 */
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}\p{Cs}]/gu;

/** Characters that look like nothing, which a name needs to be told from another one. */
const invisible = /[\n\t\u00ad\u115f\u1160\u200b\u2800\u3164\uffa0]|\u034f|\u180e|\u200c|\u200d/g;

/** Returns a text of a service or of a file system for a terminal, on one or several lines: `\u001b` is written, not sent. */
export function printable(text: string): string {
  return text.replace(unprintable, escapeUnits);
}

/** Returns a name for a terminal: on one line, with escapes in place of characters that nobody sees. */
export function printableName(text: string): string {
  return printable(text).replace(invisible, escapeUnits);
}

/** Returns a value as JSON, with escapes in place of characters that a terminal would execute. */
export function printableJson(value: unknown): string {
  return `${printable(JSON.stringify(value, null, 2))}\n`;
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
