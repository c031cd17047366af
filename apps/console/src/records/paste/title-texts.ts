import type { Candidate } from "./paste.ts";

/** Parts of a text that can be values of a title's columns. */
const partsMax = 30;

/** The rows of a text, each once: the exact ones, or else the similar ones. */
export function matching(text: string, rows: readonly Candidate[]): readonly Candidate[] {
  const trimmed = text.trim();
  const exact = rows.filter(({ key, title }) => title === trimmed || key === trimmed);
  const some =
    exact.length > 0 ? exact : rows.filter(({ title }) => folded(title) === folded(text));
  return [...new Map(some.map((row) => [row.key, row])).values()];
}

function folded(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

/** The texts between the blanks and signs of a text, alone and together, as they can be the values of a title. */
export function partsOf(text: string): readonly string[] {
  const words = [...text.matchAll(/[^\s,;:·()[\]{}"'“”„|/–—]+/g)].slice(0, 12);
  const parts = new Set([text]);
  for (let length = words.length; length > 0; length -= 1) {
    for (let at = 0; at + length <= words.length; at += 1) {
      const [first, last] = [words[at], words[at + length - 1]];
      if (first === undefined || last === undefined || parts.size >= partsMax) continue;
      parts.add(text.slice(first.index, last.index + last[0].length));
    }
  }
  return [...parts];
}
