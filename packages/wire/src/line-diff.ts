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

export interface LineDiff {
  readonly added: number;
  readonly removed: number;
  /** Lines that are next to each other, in groups. */
  readonly hunks: readonly (readonly DiffLine[])[];
}

/**
 * Texts with more differences are shown as two: the time for a shortest difference grows with the square of their number:
 * 120 ms for 1,000, 350 ms for 2,000.
 */
const differencesMax = 1_000;
const missingEnd = "\\ No newline at end of file";

/** Returns the difference of two texts as a unified diff without file names, with three lines around each change. */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return "";
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: 3,
    maxEditLength: differencesMax,
  });
  const hunks = patch?.hunks ?? [wholeHunk(linesOf(before), linesOf(after))];
  return hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) => {
      const place = `-${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)}`;
      return `@@ ${place} @@\n${lines.join("\n")}\n`;
    })
    .join("");
}

/** Reads a unified diff of one file, also one whose end is cut off. Lines before the first hunk are ignored. */
export function readUnifiedDiff(diff: string): LineDiff {
  const hunks: DiffLine[][] = [];
  let [before, after, added, removed] = [0, 0, 0, 0];
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const [, oldStart, newStart] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? [];
    const hunk = hunks.at(-1);
    const [sign, text] = [line.slice(0, 1), line.slice(1)];
    if (oldStart !== undefined) {
      [before, after] = [Number(oldStart), Number(newStart)];
      hunks.push([]);
    } else if (sign === "+") {
      hunk?.push({ sign, text, before: null, after: after++ });
      added += 1;
    } else if (sign === "-") {
      hunk?.push({ sign, text, before: before++, after: null });
      removed += 1;
    } else if (sign === " ") {
      hunk?.push({ sign, text, before: before++, after: after++ });
    }
  }
  return { added, removed, hunks };
}

/** A hunk without lines begins after the line that it names. */
function rangeOf(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

function wholeHunk(before: readonly string[], after: readonly string[]) {
  const count = (lines: readonly string[]) => lines.filter((line) => line !== missingEnd).length;
  const signed = (sign: string, lines: readonly string[]) =>
    lines.map((line) => (line === missingEnd ? line : `${sign}${line}`));
  return {
    ...{ oldStart: 1, oldLines: count(before), newStart: 1, newLines: count(after) },
    lines: [...signed("-", before), ...signed("+", after)],
  };
}

function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return text.endsWith("\n") ? text.slice(0, -1).split("\n") : [...text.split("\n"), missingEnd];
}
