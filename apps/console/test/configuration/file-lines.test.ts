import { expect, it } from "vitest";
import { diffOf } from "../../src/configuration/file-lines.ts";

const shown = (before: string, after: string) =>
  diffOf(before, after).hunks.map((lines) =>
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
  expect(diff.hunks.flat().slice(2_999, 3_001)).toEqual([
    { sign: "-", text: "a 2999", before: 3_000, after: null },
    { sign: "+", text: "b 0", before: null, after: 1 },
  ]);
});
