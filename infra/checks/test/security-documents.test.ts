import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/**
 * How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has. Those of level 3 have the last numbers of their
 * section; sections with level 3 alone are left out.
 */
const counts: Readonly<Record<number, Readonly<Record<number, number>>>> = {
  1: { 1: 2, 2: 9, 3: 11, 4: 3, 5: 2 },
  2: { 1: 3, 2: 3, 3: 4, 4: 1 },
  3: { 2: 2, 3: 4, 4: 6, 5: 5, 7: 2 },
  4: { 1: 3, 2: 1, 3: 2, 4: 4 },
  5: { 1: 1, 2: 3, 3: 2, 4: 3 },
  6: { 1: 3, 2: 12, 3: 4, 4: 4, 5: 5, 6: 3, 8: 4 },
  7: { 1: 3, 2: 4, 3: 2, 4: 5, 5: 2, 6: 2 },
  8: { 1: 2, 2: 3, 3: 1, 4: 1 },
  9: { 1: 3, 2: 4 },
  10: { 1: 2, 2: 2, 3: 4, 4: 11, 5: 5, 6: 2, 7: 3 },
  11: { 1: 2, 2: 3, 3: 3, 4: 4, 5: 1, 6: 1 },
  12: { 1: 3, 2: 2, 3: 4 },
  13: { 1: 1, 2: 5, 3: 2, 4: 5 },
  14: { 1: 2, 2: 4, 3: 3 },
  15: { 1: 3, 2: 3, 3: 7 },
  16: { 1: 1, 2: 5, 3: 4, 4: 3, 5: 3 },
  17: { 1: 1, 2: 4, 3: 2 },
};
const requirements = Object.entries(counts).flatMap(([chapter, sections]) =>
  Object.entries(sections).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${chapter}.${section}.${index + 1}`),
  ),
);

interface Row {
  readonly numbers: readonly string[];
  readonly cell: string;
}

const asvs = read("docs/security/asvs.md");
/** The words that may stand in place of a test. */
const words = [...asvs.matchAll(/^- \*\*(.+?)\*\*: /gm)].map(([, word = ""]) => word);
const rows = [...asvs.matchAll(/^\| (\d.*?) \| (?:.*?) \| (.*) \|$/gm)].map(
  ([, first = "", cell = ""]): Row => ({ numbers: numbersIn(first), cell }),
);

/** Returns the numbers of a first cell, such as `1.2.6, 4.4.1 to 4.4.4`. */
function numbersIn(first: string): string[] {
  return first.split(", ").flatMap((part) => {
    const [from = "", to = from] = part.split(" to ");
    const section = from.slice(0, from.lastIndexOf("."));
    const [start, end] = [from, to].map((number) => Number(number.slice(section.length + 1)));
    return Array.from({ length: (end ?? 0) - (start ?? 0) + 1 }, (_, index) =>
      [section, (start ?? 0) + index].join("."),
    );
  });
}

interface Shown {
  readonly path: string;
  readonly titles: string[];
}

/** Returns the tests that a text names, with their whole paths, and the titles behind each. */
function testsIn(text: string): Shown[] {
  const tests: Shown[] = [];
  let folder = "";
  for (const [, name, title] of text.matchAll(/`([\w./-]+\.test\.ts)`|"([^"]*)"/g)) {
    if (name === undefined) {
      tests.at(-1)?.titles.push(title ?? "");
      continue;
    }
    const isWhole = /^(?:apps|packages|infra)\//.test(name);
    if (isWhole) folder = dirname(name);
    tests.push({ path: isWhole ? name : join(folder, name), titles: [] });
  }
  return tests;
}

function brokenIn(text: string): string[] {
  return testsIn(text).flatMap(({ path, titles }) => {
    if (!existsSync(join(root, path))) return [path];
    const source = read(path);
    return titles
      .filter((title) => !source.includes(JSON.stringify(title)))
      .map((title) => `${path}: ${title}`);
  });
}

it("the table of ASVS has each requirement of levels 1 and 2 once, in its chapter and in order", () => {
  expect(requirements).toHaveLength(253);
  const numbers = rows.flatMap((row) => row.numbers);
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  expect(requirements.filter((number) => !numbers.includes(number))).toEqual([]);
  expect(numbers.filter((number) => !requirements.includes(number))).toEqual([]);
  for (const [heading, chapter, text] of asvs.matchAll(/^## V(\d+) .*\n((?:(?!## ).*\n)*)/gm)) {
    const firsts = [...(text ?? "").matchAll(/^\| (\d+)\.(\d+)\.(\d+)/gm)].map(
      ([, ...parts]) => parts.map(Number) as [number, number, number],
    );
    expect([heading, ...new Set(firsts.map(([first]) => first))]).toEqual([
      heading,
      Number(chapter),
    ]);
    expect(firsts).toEqual(firsts.toSorted((one, other) => one[1] - other[1] || one[2] - other[2]));
  }
});

it("each row of the table of ASVS names a test, or says in one of its words why there is none", () => {
  expect(words).toEqual(["open", "not applicable", "documented", "yours"]);
  const faults = rows.flatMap(({ numbers, cell }) => {
    const marked = [...cell.matchAll(/\*\*(.*?)\*\*(:? ?)(\S*)/g)];
    const wrong = marked.filter(
      ([, word = "", colon, reason]) => !words.includes(word) || colon !== ": " || reason === "",
    );
    const isDocumented = cell.includes("**documented**");
    const isLinked = !isDocumented || /\]\([^)]+\)/.test(cell);
    const isShown = testsIn(cell).length > 0 || marked.length > 0;
    return wrong.length === 0 && isLinked && isShown ? [] : [`${numbers[0]}: ${cell}`];
  });
  expect(faults).toEqual([]);
});

it.each(["docs/security/asvs.md", "docs/security/api-top-10.md", "docs/security.md"])(
  "each test that a table of %s names exists in its folder, with the titles in quotes",
  (path) => {
    const cells = [...read(path).matchAll(/^\|.*\| (.*) \|$/gm)].map(([, cell = ""]) => cell);
    expect(cells.flatMap(testsIn).length).toBeGreaterThan(50);
    expect(cells.flatMap(brokenIn)).toEqual([]);
  },
);

it("a missing file and a missing title are found", () => {
  const here = "infra/checks/test/security-documents.test.ts";
  expect(brokenIn(`\`${here}\` "a missing file and a missing title are found"`)).toEqual([]);
  const absent = ["not a title", "of any test"].join(" ");
  expect(brokenIn(`\`${here}\` "${absent}", \`absent.test.ts\``)).toEqual([
    `${here}: ${absent}`,
    "infra/checks/test/absent.test.ts",
  ]);
});
