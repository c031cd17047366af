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
  readonly hunks: readonly DiffHunk[];
}

/** Lines that are next to each other. */
export interface DiffHunk {
  /** The line of the earlier text that these lines are part of, by their indentation: the name of a panel. Empty without one. */
  readonly heading: string;
  readonly lines: readonly DiffLine[];
}

/**
 * Texts with more differences are shown as two: the time for a shortest difference grows with the square of their number:
 * 45 ms for 500, 350 ms for 2,000.
 */
const differencesMax = 500;
const missingEnd = "\\ No newline at end of file";

/**
 * Returns the difference of two texts as a unified diff without file names, with three lines around each change, and the line
 * that contains them in the head of a hunk.
 */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return "";
  const lines = [linesOf(before), linesOf(after)] as const;
  const hunks = hunksOf(before, after, lines) ?? [wholeHunk(...lines)];
  const former = before.split("\n");
  return hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) => {
      const place = `-${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)}`;
      const heading = headingOf(former, oldStart - 1);
      return `@@ ${place} @@${heading === "" ? "" : ` ${heading}`}\n${lines.join("\n")}\n`;
    })
    .join("");
}

/** Returns the groups of changed lines; undefined for texts with too many differences. */
function hunksOf(
  before: string,
  after: string,
  [was, is]: readonly [readonly string[], readonly string[]],
) {
  const known = new Set(was);
  const kept = new Set(is);
  // At least these differ, which is found without a search.
  const changed = (lines: readonly string[], others: ReadonlySet<string>) =>
    lines.reduce((sum, line) => sum + (others.has(line) ? 0 : 1), 0);
  if (before === "" || after === "") return undefined;
  if (changed(was, kept) + changed(is, known) > differencesMax) return undefined;
  return structuredPatch("", "", before, after, undefined, undefined, {
    context: 3,
    maxEditLength: differencesMax,
  })?.hunks;
}

/** Reads a unified diff of one file, also one whose end is cut off. Lines before the first hunk are ignored. */
export function readUnifiedDiff(diff: string): LineDiff {
  const hunks: { readonly heading: string; readonly lines: DiffLine[] }[] = [];
  let [before, after, added, removed] = [0, 0, 0, 0];
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const [, oldStart, newStart, heading = ""] =
      /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/.exec(line) ?? [];
    const hunk = hunks.at(-1)?.lines;
    const [sign, text] = [line.slice(0, 1), line.slice(1)];
    if (oldStart !== undefined) {
      [before, after] = [Number(oldStart), Number(newStart)];
      hunks.push({ heading, lines: [] });
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

/** How far above a hunk its heading may be, in lines, and characters of it. */
const headingLinesMax = 1_000;
const headingMax = 80;

/**
 * Returns the line that contains a place by its indentation, as the list item or the key that a line of YAML is part of. Of several
 * that contain each other it is the innermost list item, whose line has its name.
 */
function headingOf(lines: readonly string[], at: number): string {
  let indent = indentOf(lines[at] ?? "");
  let nearest = "";
  for (let above = at - 1; indent > 0 && above >= Math.max(0, at - headingLinesMax); above -= 1) {
    const line = lines[above] ?? "";
    if (line.trim() === "" || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    const text = line.trim().slice(0, headingMax);
    if (text.startsWith("- ")) return text;
    nearest ||= text;
  }
  return nearest;
}

function indentOf(line: string): number {
  return line.search(/\S|$/);
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
