import type { Command } from "./commands.ts";

/**
 * Returns the commands that match what was typed, the best first. Each word must occur in the label or in the detail:
 * as a beginning of a word, as a part, or letter by letter in order.
 *
 * @param limit how many at most
 */
export function rankCommands(
  commands: readonly Command[],
  typed: string,
  limit: number,
): readonly Command[] {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return commands.slice(0, limit);
  const ranked: { readonly command: Command; readonly score: number }[] = [];
  for (const command of commands) {
    const label = fold(command.label);
    const detail = fold(command.detail ?? "");
    const scores = words.map((word) => Math.max(scoreOf(label, word), scoreOf(detail, word) - 20));
    if (scores.some((score) => score <= 0)) continue;
    const score = scores.reduce((sum, one) => sum + one, 0) - label.length / 100;
    ranked.push({ command, score });
  }
  ranked.sort((left, right) => right.score - left.score);
  return ranked.slice(0, limit).map(({ command }) => command);
}

/** Returns how well a word fits a text; 0 if it does not. */
function scoreOf(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at === 0) return text.length === word.length ? 120 : 100;
  if (at > 0) return /[\p{L}\p{N}]/u.test(text[at - 1] ?? "") ? 60 : 80;
  return scattered(text, word);
}

/** The letters of the word occur in order: fewer gaps score higher, up to 50. */
function scattered(text: string, word: string): number {
  let position = -1;
  let gaps = 0;
  for (const letter of word) {
    const next = text.indexOf(letter, position + 1);
    if (next === -1) return 0;
    if (position !== -1 && next !== position + 1) gaps += 1;
    position = next;
  }
  // Two letters occur in nearly every text.
  return word.length < 3 || gaps > word.length / 2 ? 0 : 50 - gaps * 5;
}

/** Lower case without accents, so that `muller` finds `Müller`. */
function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
