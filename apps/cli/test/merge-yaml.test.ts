import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { mergeYaml } from "../src/yaml/merge-yaml.ts";
import { readValue } from "../src/yaml/yaml-values.ts";

const values = new Map([["LIMIT", "20"]]);
const variableOf = (name: string) => values.get(name);
const merge = (own: string, service: string, base?: string) =>
  mergeYaml(own, service, base, variableOf);

const table = `# Ours: do not touch
exposed: [GET, PATCH]   # both


columns:
  id: { type: "bigint" }
  plate:
    type: 'text' # as printed
    label: Plate
  note: {type: text,   label: "Note"}
  long:
    type: text
    description: |
      First line
        indented
  limit: { type: text, default: "\${LIMIT}" }
checks:
  - name: one
    expression: a > 0
  # the second
  - name: two
    expression: b > 0
`;
const service = `exposed:
  - GET
  - PATCH
columns:
  id:
    type: bigint
  plate:
    type: text
    label: Plate
  note:
    type: text
    label: Note
  long:
    type: text
    description: |
      First line
        indented
  limit:
    type: text
    default: "20"
checks:
  - name: one
    expression: a > 0
  - name: two
    expression: b > 0
`;

describe("a file whose values the service has changed", () => {
  it("stays as it is if nothing has changed", () => {
    expect(merge(table, service)).toEqual({ text: table, replaced: [], isContested: false });
  });

  it.each([
    [
      "a quoted text",
      "type: text\n    label: Plate",
      "type: varchar(9)\n    label: Plate",
      "type: 'text'",
      "type: 'varchar(9)'",
    ],
    ["a plain text", "label: Plate", 'label: "No: 1"', "label: Plate", 'label: "No: 1"'],
    ["a value in braces", "label: Note", 'label: "a, b"', 'label: "Note"', 'label: "a, b"'],
    ["an item in brackets", "- PATCH", "- DELETE", "[GET, PATCH]", "[GET, DELETE]"],
    [
      "a longer list in brackets",
      "- PATCH",
      "- PATCH\n  - POST",
      "[GET, PATCH]",
      "[GET, PATCH, POST]",
    ],
    [
      "a block of lines",
      "        indented\n",
      "      second\n",
      "        indented\n",
      "      second\n",
    ],
    ["a key that went", "    label: Plate\n", "", "    label: Plate\n", ""],
    ["a key in braces that went", "\n    label: Note", "", ',   label: "Note"', ""],
    [
      "a new key",
      "    label: Plate\n",
      "    label: Plate\n    required: true\n",
      "    label: Plate\n",
      "    label: Plate\n    required: true\n",
    ],
    [
      "a new key in braces",
      "    type: bigint\n",
      "    type: bigint\n    label: No\n",
      '"bigint" }',
      '"bigint", label: No }',
    ],
    [
      "a new mapping",
      "  note:\n",
      "  more:\n    type: text\n  note:\n",
      "  note: {",
      "  more:\n    type: text\n  note: {",
    ],
    [
      "an item of a list",
      "expression: b > 0",
      "expression: b > 1",
      "expression: b > 0",
      "expression: b > 1",
    ],
    [
      "a new item",
      "checks:\n",
      "checks:\n  - name: zero\n    expression: z\n",
      "checks:\n",
      "checks:\n  - name: zero\n    expression: z\n",
    ],
    [
      "an item that went",
      "  - name: two\n    expression: b > 0\n",
      "",
      "  - name: two\n    expression: b > 0\n",
      "",
    ],
    [
      "a text that becomes a mapping",
      "label: Plate",
      "label:\n      de: Schild",
      "label: Plate",
      "label:\n      de: Schild",
    ],
    [
      "a block that becomes a text",
      "description: |\n      First line\n        indented\n",
      "description: short\n",
      "description: |\n      First line\n        indented\n",
      "description: short\n",
    ],
    [
      "a list that goes",
      "checks:\n  - name: one\n    expression: a > 0\n  - name: two\n    expression: b > 0\n",
      "checks: []\n",
      "checks:\n  - name: one\n    expression: a > 0\n  # the second\n  - name: two\n    expression: b > 0\n",
      "checks: []\n",
    ],
  ])("changes no character besides %s", (_what, from, to, ownFrom, ownTo) => {
    const next = service.replace(from, to);
    expect(next).not.toBe(service);
    const expected = { text: table.replace(ownFrom, ownTo), replaced: [], isContested: false };
    expect(merge(table, next)).toEqual(expected);
    expect(merge(table, next, service)).toEqual(expected);
  });

  it("names a variable in whose place the service has another value", () => {
    const merged = merge(table, service.replace('"20"', '"30"'));
    expect(merged.replaced).toEqual(["LIMIT"]);
    expect(merged.text).toBe(table.replace(/\$\{LIMIT\}/, "30"));
  });

  it("keeps what the author writes in another way, if the service has not changed it", () => {
    const own = "type: int\nunique: false\nlabel: A\n";
    expect(merge(own, "type: integer\nlabel: B\n", "type: integer\nlabel: A\n")).toEqual({
      ...{ text: "type: int\nunique: false\nlabel: B\n", replaced: [], isContested: false },
    });
  });

  it("is contested if the author has changed the same value to another one", () => {
    const contested = (own: string, next: string, base: string) =>
      merge(own, next, base).isContested;
    expect(contested("a: 1\n", "a: 2\n", "a: 3\n")).toBe(true);
    expect(contested("b: 1\n", "b: 1\na: 2\n", "b: 1\na: 1\n")).toBe(true);
    expect(contested("b: 1\na: 2\n", "b: 1\n", "b: 1\na: 1\n")).toBe(true);
    expect(contested("a: 2\n", "a: 2\n", "a: 3\n")).toBe(false);
    expect(contested("a: 1\nb: 2\n", "a: 2\nb: 1\n", "a: 1\nb: 1\n")).toBe(false);
  });

  it("keeps its comments if all values go or come", () => {
    expect(merge("# Ours\na: 1\n", "").text).toBe("# Ours\n");
    expect(merge("# Ours", "a: 1\n").text).toBe("# Ours\na: 1\n");
    expect(merge("# Ours\n- a\n", "a: 1\n").text).toContain("a: 1");
  });

  it("keeps the digits of numbers", () => {
    expect(merge("a: 1 # c\nb: 1.50\n", "a: 9007199254740993\nb: 1.50\n").text).toBe(
      "a: 9007199254740993 # c\nb: 1.50\n",
    );
  });

  it("means what the service says, whatever both are", () => {
    const key = fc.constantFrom("a", "b", "c", "d", "e: f", "1");
    const scalar = fc.constantFrom<unknown>(
      null,
      true,
      1,
      1.5,
      "",
      "x",
      "a: b",
      "two\nlines\n",
      "#",
      "- a",
      "é, ]",
    );
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        scalar,
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(key, tie("node"), { maxKeys: 4 }),
      ),
    }));
    const mapping = fc.dictionary(key, node, { maxKeys: 4 });
    const write = (value: unknown, flow: boolean) =>
      stringify(value, { lineWidth: 0, ...(flow ? { collectionStyle: "flow" as const } : {}) });
    fc.assert(
      fc.property(mapping, mapping, fc.boolean(), (own, next, isFlow) => {
        const text = write(next, false);
        const merged = merge(`# Ours\n${write(own, isFlow)}`, text).text;
        expect(readValue(merged)).toEqual(readValue(text));
        expect(merged).toMatch(/^# Ours\n/);
      }),
    );
  });
});
