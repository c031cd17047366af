/** What one pass over a JSON text tells before it is parsed. */
export interface JsonScan {
  /** Objects and arrays within one another at most. */
  readonly depth: number;
  /** Members of all objects, repeated keys counted each time. */
  readonly members: number;
  /** Whether strings may hold what UTF-8 cannot: only escapes bring NUL and lone surrogates. */
  readonly unicodeEscapes: boolean;
}

const quote = 0x22;
const backslash = 0x5c;

/** Looks a text over without recursion; a text that is not JSON gives some answer, and the parser refuses it. */
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

/** The index of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}
