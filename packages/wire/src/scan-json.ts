/** The result of one pass over a JSON text before it is parsed. */
export interface JsonScan {
  /** Maximum nesting of objects and arrays. */
  readonly depth: number;
  /** Members of all objects; repeated keys count each time. */
  readonly members: number;
  /** Whether strings may contain text that UTF-8 cannot encode: only escapes produce NUL and lone surrogates. */
  readonly unicodeEscapes: boolean;
}

/** The character code of `"`. */
export const quote = 0x22;
const backslash = 0x5c;

/** Scans a text without recursion. For a text that is not JSON the result is arbitrary; the parser rejects it. */
export function scanJson(text: string): JsonScan {
  let depth = 0;
  let level = 0;
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (code === 0x7b || code === 0x5b) {
      level += 1;
      if (level > depth) depth = level;
    } else if (code === 0x7d || code === 0x5d) {
      level -= 1;
    } else if (code === 0x3a) {
      members += 1;
    }
  }
  return { depth, members, unicodeEscapes: text.includes("\\u") };
}

/** Returns the index of the closing quote of the string that begins at `start`. */
export function endOfString(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}
