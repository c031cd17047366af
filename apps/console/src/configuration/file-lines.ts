import { structuredPatch } from "diff";

/** A line of a difference: of the earlier text, of the later one, or of both. */
export interface DiffLine {
  readonly sign: "+" | "-" | " ";
  readonly text: string;
  /** Its number in the earlier text. */
  readonly before: number | null;
  /** Its number in the later text. */
  readonly after: number | null;
}

export interface Diff {
  readonly added: number;
  readonly removed: number;
  /** Lines that are next to each other, in groups. */
  readonly hunks: readonly (readonly DiffLine[])[];
}

/** Texts with more differences are shown as two. */
const differencesMax = 2_000;

/** Returns the difference of two texts in lines, with three lines around each change. */
export function diffOf(before: string, after: string): Diff {
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: 3,
    maxEditLength: differencesMax,
  });
  const hunks = patch?.hunks.map(({ lines, oldStart, newStart }) =>
    numbered(lines, oldStart, newStart),
  ) ?? [
    numbered(
      [...linesOf(before).map((line) => `-${line}`), ...linesOf(after).map((line) => `+${line}`)],
      1,
      1,
    ),
  ];
  const count = (sign: DiffLine["sign"]) =>
    hunks.reduce((sum, lines) => sum + lines.filter((line) => line.sign === sign).length, 0);
  return { hunks, added: count("+"), removed: count("-") };
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, "").split("\n");
}

function numbered(lines: readonly string[], oldStart: number, newStart: number): DiffLine[] {
  let [before, after] = [oldStart, newStart];
  return lines.flatMap((line): DiffLine[] => {
    const [sign, text] = [line.slice(0, 1), line.slice(1)];
    if (sign === "+") return [{ sign, text, before: null, after: after++ }];
    if (sign === "-") return [{ sign, text, before: before++, after: null }];
    // The library's note that a text does not end with a line break.
    if (sign === "\\") return [];
    return [{ sign: " ", text, before: before++, after: after++ }];
  });
}
