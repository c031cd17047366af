import { describe, expect, it } from "vitest";
import type { GridColumn } from "../../src/records/grid/grid-column.ts";
import {
  arrangePaste,
  fillRange,
  headsOf,
  isPlain,
  matching,
  type PastedTable,
  type PastePlace,
  partsOf,
  placePaste,
  repaired,
} from "../../src/records/paste/paste.ts";
import type { GridRow } from "../../src/records/rows/row-store.ts";

const column = (name: string, parts: object = {}): GridColumn => ({
  ...{ name, reference: undefined, title: undefined, width: 100, isPinned: false },
  isNumeric: false,
  column: {
    ...{ name, label: `The ${name}`, baseType: "text", array: false, values: null, format: null },
    ...{ nullable: true, readable: true, creatable: true, updatable: true, required: false },
    ...parts,
  } as unknown as GridColumn["column"],
});
const id = column("id", { creatable: false, updatable: false });
const name = column("name", { required: true });
const born = column("born");
const note = column("note");

const row = (key: string, values: object): GridRow => ({
  ...{ id: key, key: [key], etag: '"1"' },
  values: { id: key, ...values },
});
const rows = [row("1", { name: "Ann", born: "1990" }), row("2", { name: "Bob", born: "1991" })];

const at = (top: number, left: number, parts: Partial<PastePlace> = {}): PastePlace => ({
  ...{ rows, columns: [id, name, born, note], shown: 3, isComplete: true, mayCreate: true },
  range: { top, bottom: top, left, right: left },
  isUpdatable: (_, item) => item.column.updatable,
  required: [name.column],
  primaryKey: ["id"],
  ...parts,
});
const read = (item: GridColumn, text: string) =>
  item === born && !/^\d+$/.test(text) ? { fault: "no year" } : { value: text };
const placed = (table: PastedTable, place: PastePlace, isAppended = false) => {
  const draft = arrangePaste(table, place, isAppended);
  return { draft, paste: placePaste(draft, place, read, "locked") };
};

describe("the target of a paste", () => {
  it("is the selected cells in the middle of a list, and one line there is written at once", () => {
    const { draft, paste } = placed([["Cy", "1992"]], at(0, 1));
    expect(draft.target).toBe("OVER");
    expect(paste.changes).toEqual([{ row: rows[0], after: { name: "Cy", born: "1992" } }]);
    expect(isPlain(draft, paste)).toBe(true);
  });

  it("is new rows for several lines that begin in the last row, and for all lines of an empty list", () => {
    const lines = [
      ["Cy", "1992"],
      ["Di", "1993"],
    ];
    for (const place of [at(1, 1), at(-1, 0, { rows: [] })]) {
      const { draft, paste } = placed(lines, place);
      expect(draft.target).toBe("APPEND");
      expect(paste.changes).toEqual([]);
      expect(paste.creates).toEqual([
        { name: "Cy", born: "1992" },
        { name: "Di", born: "1993" },
      ]);
      expect(isPlain(draft, paste)).toBe(false);
    }
  });

  it("is one cell of the last row for one line, and new rows wherever its person asks for them", () => {
    expect(placed([["Cy"]], at(1, 1)).draft.target).toBe("OVER");
    expect(placed([["Cy"]], at(0, 1), true).paste.creates).toEqual([{ name: "Cy" }]);
  });

  it("is the cells where the person may not create rows, or where further rows are not loaded", () => {
    const lines = [["Cy"], ["Di"]];
    expect(placed(lines, at(1, 1, { mayCreate: false })).paste.leftOver).toBe(1);
    const { draft, paste } = placed(lines, at(1, 1, { isComplete: false }));
    expect([draft.target, paste.leftOver]).toEqual(["OVER", 1]);
  });

  it("counts lines below the last row as new ones, if they have what a new row needs", () => {
    const lines = [["1992"], ["1993"], ["1994"]];
    const { paste } = placed(lines, at(0, 2));
    expect([paste.changes.length, paste.leftOver, paste.missing]).toEqual([2, 1, [name.column]]);
    expect(placed([["Cy"], ["Di"], ["Ed"]], at(0, 1)).paste.creates).toEqual([{ name: "Ed" }]);
  });

  it("leaves columns that the database fills out of new rows", () => {
    const { draft, paste } = placed(
      [
        ["Cy", "1992"],
        ["Di", ""],
      ],
      at(-1, 0, { rows: [] }),
    );
    expect(draft.mapping).toEqual(["name", "born"]);
    expect(paste.creates).toEqual([{ name: "Cy", born: "1992" }, { name: "Di" }]);
    const whole = placed(
      [
        ["7", "Cy", "1992"],
        ["8", "Di", ""],
      ],
      at(-1, 0, { rows: [] }),
    );
    expect(whole.draft.mapping).toEqual([null, "name", "born"]);
  });
});

describe("heads", () => {
  it("map columns by names and labels, of columns that the grid hides too", () => {
    const table = [
      ["The note", "NAME"],
      ["n", "Cy"],
    ];
    const { draft, paste } = placed(table, at(1, 0), true);
    expect([draft.hasHeads, draft.mapping]).toEqual([true, ["note", "name"]]);
    expect(paste.creates).toEqual([{ note: "n", name: "Cy" }]);
    expect(isPlain(draft, paste)).toBe(false);
  });

  it("are no heads if one of them is another text, or nothing follows", () => {
    expect(
      headsOf(
        [
          ["name", "other"],
          ["a", "b"],
        ],
        at(0, 0),
      ),
    ).toBeNull();
    expect(headsOf([["name", "born"]], at(0, 0))).toBeNull();
  });

  it("take titles in place of keys, and not beside them", () => {
    expect(
      headsOf(
        [
          ["name", "note (title)"],
          ["a", "b"],
        ],
        at(0, 0),
      ),
    ).toEqual(["name", "note"]);
    expect(
      headsOf(
        [
          ["note", "note (title)"],
          ["a", "b"],
        ],
        at(0, 0),
      ),
    ).toEqual(["note", null]);
  });
});

describe("a key", () => {
  const key = column("id");
  const place = at(0, 0, { columns: [key, name, born], shown: 3 });

  it("of an existing row stays unless its person says otherwise", () => {
    const { draft, paste } = placed([["9", "Cy"]], place);
    expect(paste.keyChanges).toBe(1);
    expect(paste.changes).toEqual([{ row: rows[0], after: { name: "Cy" } }]);
    expect(isPlain(draft, paste)).toBe(false);
    const agreed = placePaste({ ...draft, changesKeys: true }, place, read, "locked");
    expect(agreed.changes).toEqual([{ row: rows[0], after: { id: "9", name: "Cy" } }]);
  });

  it("that is the same needs no question", () => {
    const { draft, paste } = placed([["1", "Cy"]], place);
    expect([paste.keyChanges, isPlain(draft, paste)]).toEqual([0, true]);
  });
});

describe("faults", () => {
  it("stand at their cells, are repaired there, or their line is left out", () => {
    const place = at(0, 1);
    const { draft, paste } = placed(
      [
        ["Cy", "soon"],
        ["Di", "1993"],
      ],
      place,
    );
    expect(paste.faultCount).toBe(1);
    expect(paste.lines[0]?.cells[1]).toMatchObject({
      state: "FAULT",
      fault: "no year",
      text: "soon",
    });
    const mended = repaired(draft, 0, 1, "1995");
    expect(placePaste(mended, place, read, "locked").changes[0]?.after).toEqual({
      ...{ name: "Cy", born: "1995" },
    });
    const left = placePaste({ ...draft, skipped: new Set([0]) }, place, read, "locked");
    expect([left.faultCount, left.changes.length]).toEqual([0, 1]);
  });

  it("include columns that cannot be changed", () => {
    expect(placed([["5"]], at(0, 0, { primaryKey: [] })).paste.lines[0]?.cells[0]).toMatchObject({
      fault: "locked",
    });
  });
});

it("a single text fills the selection", () => {
  const range = { top: 0, bottom: 1, left: 1, right: 2 };
  expect(fillRange([["x"]], range)).toEqual([
    ["x", "x"],
    ["x", "x"],
  ]);
});

describe("the row that a text means", () => {
  const found = [
    { key: "1", title: "Lea Novak" },
    { key: "2", title: "Jan Weber" },
    { key: "3", title: "Jan Weber" },
    { key: "4", title: "2" },
    { key: "5", title: "lea novak" },
  ];
  const keys = (text: string) => matching(text, found).map(({ key }) => key);

  it("is that with the title or the key; case and blanks count only if one has exactly this title", () => {
    expect(keys("Lea Novak")).toEqual(["1"]);
    expect(keys(" LEA  novak")).toEqual(["1", "5"]);
    expect(keys("3")).toEqual(["3"]);
    expect(keys("Jan Weber")).toEqual(["2", "3"]);
    expect(keys("nobody")).toEqual([]);
  });

  it("is several if a text is the key of one and the title of another", () => {
    expect(keys("2")).toEqual(["2", "4"]);
  });

  it("is looked up by the parts that can be values of its title", () => {
    expect(partsOf("Kern, Anna (Berlin)")).toEqual(
      expect.arrayContaining(["Kern", "Anna", "Berlin", "Kern, Anna"]),
    );
    expect(partsOf(Array.from({ length: 9000 }, (_, at) => `w${at}`).join(" "))).toHaveLength(30);
  });
});
