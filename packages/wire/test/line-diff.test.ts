import { expect, it } from "vitest";
import { readUnifiedDiff, unifiedDiff } from "../src/index.ts";

const diffOf = (before: string, after: string) => readUnifiedDiff(unifiedDiff(before, after));

const shown = (before: string, after: string) =>
  diffOf(before, after).hunks.map(({ lines }) =>
    lines.map(
      ({ sign, text, before: was, after: is }) => `${was ?? ""}|${is ?? ""}|${sign}${text}`,
    ),
  );

it("has the changed lines with their numbers before and after", () => {
  const before = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n";
  const after = "a\nB\nc\nd\ne\nf\ng\nh\ni\nj\nk\n";
  expect(shown(before, after)).toEqual([
    ["1|1| a", "2||-b", "|2|+B", "3|3| c", "4|4| d", "5|5| e"],
    ["8|8| h", "9|9| i", "10|10| j", "|11|+k"],
  ]);
  expect(diffOf(before, after)).toMatchObject({ added: 2, removed: 1 });
});

it("has every line of a file that is new or gone, also without a line break at its end", () => {
  expect(shown("", "a\nb")).toEqual([["|1|+a", "|2|+b"]]);
  expect(shown("a\nb", "")).toEqual([["1||-a", "2||-b"]]);
  expect(shown("a", "a\n")).toEqual([["1||-a", "|1|+a"]]);
  expect(shown("same\n", "same\n")).toEqual([]);
});

it("shows texts that differ too much as two", () => {
  const lines = (name: string) => Array.from({ length: 3_000 }, (_, line) => `${name} ${line}`);
  const diff = diffOf(`${lines("a").join("\n")}\n`, `${lines("b").join("\n")}\n`);
  expect(diff).toMatchObject({ added: 3_000, removed: 3_000 });
  expect(diff.hunks.flatMap((hunk) => hunk.lines).slice(2_999, 3_001)).toEqual([
    { sign: "-", text: "a 2999", before: 3_000, after: null },
    { sign: "+", text: "b 0", before: null, after: 1 },
  ]);
});

it("is the text that other programs read", () => {
  expect(unifiedDiff("a\nb\nc\n", "a\nB\nc\n")).toBe("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  expect(unifiedDiff("", "a\n")).toBe("@@ -0,0 +1,1 @@\n+a\n");
  expect(unifiedDiff("a\n", "")).toBe("@@ -1,1 +0,0 @@\n-a\n");
  expect(unifiedDiff("a\n", "a")).toBe("@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n");
  expect(unifiedDiff("same", "same")).toBe("");
});

it("is read with the lines that look like its own signs, and without an end that was cut off", () => {
  const diff = unifiedDiff("-- a\n@@ b\n\\ c\n", "++ a\n@@ b\n\\ d\n");
  const lines = readUnifiedDiff(diff).hunks.flatMap((hunk) => hunk.lines);
  expect(lines.map(({ sign, text }) => `${sign}${text}`)).toEqual([
    "--- a",
    "+++ a",
    " @@ b",
    "-\\ c",
    "+\\ d",
  ]);
  expect(
    readUnifiedDiff(diff.slice(0, diff.indexOf("-\\ c"))).hunks.flatMap((hunk) => hunk.lines),
  ).toEqual(lines.slice(0, 3));
});

it("names the line that the lines of a hunk are part of", () => {
  const panel = (name: string, width: number) =>
    `- id: ${name}\n  kind: TEXT\n  title: A\n  description: B\n  layout:\n    x: 0\n    y: 0\n    w: ${width}\n`;
  const before = panel("one", 1) + panel("two", 2) + panel("three", 3);
  const diff = unifiedDiff(before, before.replace("w: 2", "w: 4").replace("id: one", "id: first"));
  expect(diff.match(/^@@.*$/gm)).toEqual(["@@ -1,4 +1,4 @@", "@@ -13,7 +13,7 @@ - id: two"]);
  expect(readUnifiedDiff(diff).hunks.map(({ heading }) => heading)).toEqual(["", "- id: two"]);
  const nested = "steps:\n  - id: a\n    values:\n      b: 1\n      c: 2\n      d: 3\n      e: 4\n";
  expect(unifiedDiff(nested, nested.replace("e: 4", "e: 5"))).toMatch(/^@@ .* @@ - id: a\n/);
  expect(
    unifiedDiff(nested.replace("- id", "id"), nested.replace("- id", "id").replace("e: 4", "e: 5")),
  ).toMatch(/^@@ .* @@ values:\n/);
});
