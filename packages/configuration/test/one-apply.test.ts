// Tier: all. Plans and applies against a database.
import { expect, it } from "vitest";
import type { Files } from "../src/index.ts";
import { faultsOf, openConfigurator, root, stepsOf } from "./configuration.ts";

const parts = root("types", "tables", "views");
const table = (columns: string, rest = "primaryKey: [id]\n") =>
  `columns:\n  id: { type: integer }\n${columns}${rest}`;
const [file, other] = ["tables/s/t.yaml", "tables/s/u.yaml"];
const view = (query: string): Files => ({
  "views/s/v.yaml": "{}\n",
  "views/s/v.sql": `${query}\n`,
});

interface Case {
  readonly before: Files;
  readonly after: Files;
  readonly rows?: string;
  readonly consents?: readonly string[];
  /** What the table has afterwards. */
  readonly found?: readonly object[];
}

/** Changes that one apply makes. The schema of each case is another one. */
const cases: Record<string, Case> = {
  "renames a column and drops another": {
    before: { [file]: table("  a: { type: text }\n  b: { type: text }\n") },
    after: { [file]: table("  c: { type: text, renamedFrom: a }\n") },
    rows: "(1, 'a', 'b')",
    consents: ["drop:s.t.b"],
    found: [{ id: 1, c: "a" }],
  },
  "drops a column and gives its name to another, with what reads them": {
    before: {
      [file]: table(
        "  a: { type: text }\n  b: { type: text }\n",
        "primaryKey: [id]\nunique:\n  both: { columns: [a, b] }\nchecks:\n  filled: { check: b <> 'x' }\nindexes:\n  lower_b: { keys: [{ expression: lower(b) }] }\n",
      ),
    },
    after: {
      [file]: table(
        "  b: { type: text, renamedFrom: a }\n",
        "primaryKey: [id]\nchecks:\n  filled: { check: b <> 'x' }\nindexes:\n  lower_b: { keys: [{ expression: lower(b) }] }\n",
      ),
    },
    rows: "(1, 'a', 'b')",
    consents: ["drop:s.t.b"],
    found: [{ id: 1, b: "a" }],
  },
  "converts values": {
    before: { [file]: table("  a: { type: text, default: \"'0'\" }\n") },
    after: { [file]: table("  a: { type: integer, using: length(a), default: '1' }\n") },
    rows: "(1, 'long')",
    consents: ["change:s.t.a"],
    found: [{ id: 1, a: 4 }],
  },
  "converts values to a new enum of a new schema": {
    before: { [file]: table("  a: { type: text }\n") },
    after: {
      "types/s_types/mood.yaml": "values: [OK, BAD]\n",
      [file]: table("  a: { type: s_types.mood, using: 'a::s_types.mood' }\n"),
    },
    rows: "(1, 'BAD')",
    consents: ["change:s.t.a"],
    found: [{ id: 1, a: "BAD" }],
  },
  "adds a generated column": {
    before: { [file]: table("  a: { type: integer }\n") },
    after: { [file]: table("  a: { type: integer }\n  g: { type: integer, generated: a * 2 }\n") },
    rows: "(1, 4)",
    found: [{ id: 1, a: 4, g: 8 }],
  },
  "changes the expression of a generated column": {
    before: {
      [file]: table("  a: { type: integer }\n  g: { type: integer, generated: a * 2 }\n"),
    },
    after: { [file]: table("  a: { type: integer }\n  g: { type: integer, generated: a + 1 }\n") },
    rows: "(1, 4, default)",
    found: [{ id: 1, a: 4, g: 5 }],
  },
  "stores the values of a generated column": {
    before: {
      [file]: table("  a: { type: integer }\n  g: { type: integer, generated: a * 2 }\n"),
    },
    after: { [file]: table("  a: { type: integer }\n  g: { type: integer, default: '7' }\n") },
    rows: "(1, 4, default)",
    found: [{ id: 1, a: 4, g: 8 }],
  },
  "generates the values of a stored column, with a label and an index": {
    before: {
      [file]: table(
        "  a: { type: integer }\n  g: { type: integer, label: Twice }\n",
        "primaryKey: [id]\nindexes:\n  by_g: { keys: [{ column: g }] }\n",
      ),
    },
    after: {
      [file]: table(
        "  a: { type: integer }\n  g: { type: integer, label: Twice, generated: a * 2 }\n",
        "primaryKey: [id]\nindexes:\n  by_g: { keys: [{ column: g }] }\n",
      ),
    },
    rows: "(1, 4, 1)",
    consents: ["change:s.t.g"],
    found: [{ id: 1, a: 4, g: 8 }],
  },
  "changes the type of what a generated column and a view read": {
    before: {
      [file]: table("  a: { type: integer }\n  g: { type: integer, generated: a * 2 }\n"),
      ...view("select g from s.t"),
    },
    after: {
      [file]: table("  a: { type: bigint }\n  g: { type: bigint, generated: a * 2 }\n"),
      ...view("select g from s.t"),
    },
    rows: "(1, 4, default)",
    found: [{ id: 1, a: "4", g: "8" }],
  },
  "changes and drops what generated columns read, whatever stands first": {
    before: {
      [file]: table(
        "  g: { type: integer, generated: a * 2 }\n  h: { type: integer, generated: a * 3 }\n  a: { type: integer }\n  b: { type: integer }\n  i: { type: integer, generated: b + 1 }\n",
      ),
    },
    after: {
      [file]: table(
        "  n: { type: bigint, generated: a + c }\n  g: { type: integer }\n  a: { type: bigint }\n  c: { type: integer, default: '1' }\n",
      ),
    },
    rows: "(1, default, default, 4, 5, default)",
    consents: ["drop:s.t.h", "drop:s.t.b", "drop:s.t.i"],
    found: [{ id: 1, g: 8, a: "4", c: 1, n: "5" }],
  },
  "renames what a generated column, a check and an index read, and changes none of them": {
    before: {
      [file]: table(
        "  a: { type: integer }\n  g: { type: integer, generated: a * 2 }\n",
        "primaryKey: [id]\nchecks:\n  positive: { check: a > 0 }\nindexes:\n  next: { keys: [{ expression: a + 1 }], where: a < 9 }\n",
      ),
    },
    after: {
      [file]: table(
        '  "Größe": { type: integer, renamedFrom: a }\n  g: { type: integer, generated: \'"Größe" * 2\' }\n',
        "primaryKey: [id]\nchecks:\n  positive: { check: '\"Größe\" > 0' }\nindexes:\n  next: { keys: [{ expression: '\"Größe\" + 1' }], where: '\"Größe\" < 9' }\n",
      ),
    },
    rows: "(1, 4, default)",
    found: [{ id: 1, Größe: 4, g: 8 }],
  },
  "moves a table to a new schema, with a view of it": {
    before: { [file]: table("  a: { type: text }\n"), ...view("select a from s.t") },
    after: {
      "tables/s_other/t.yaml": `renamedFrom: s.t\n${table("  a: { type: text }\n")}`,
      ...view("select a from s_other.t"),
    },
  },
  "renames a type that columns, defaults and checks use": {
    before: {
      "types/s/mood.yaml": "values: [OK, BAD]\n",
      [file]: table(
        "  a: { type: s.mood, default: \"'OK'\" }\n  b: { type: 's.mood[]' }\n",
        "primaryKey: [id]\nchecks:\n  fine: { check: \"a <> 'BAD'\" }\n",
      ),
    },
    after: {
      "types/s_types/Mood.yaml": "renamedFrom: s.mood\nvalues: [OK, BAD]\n",
      [file]: table(
        "  a: { type: 's_types.\"Mood\"', default: \"'OK'\" }\n  b: { type: 's_types.\"Mood\"[]' }\n",
        "primaryKey: [id]\nchecks:\n  fine: { check: \"a <> 'BAD'\" }\n",
      ),
    },
    rows: "(1, 'OK', '{OK}')",
    found: [{ id: 1, a: "OK", b: "{OK}" }],
  },
  "renames a type and gives it another value": {
    before: { "types/s/mood.yaml": "values: [OK]\n", [file]: table("  a: { type: s.mood }\n") },
    after: {
      "types/s/state.yaml": "renamedFrom: s.mood\nvalues: [OK, NEW]\n",
      [file]: table("  a: { type: s.state, default: \"'NEW'\" }\n"),
    },
    rows: "(1, 'OK')",
    found: [{ id: 1, a: "OK" }],
  },
  "changes a primary key": {
    before: { [file]: table("  a: { type: text, nullable: false }\n") },
    after: { [file]: table("  a: { type: text, nullable: false }\n", "primaryKey: [a, id]\n") },
    rows: "(1, 'a')",
    found: [{ id: 1, a: "a" }],
  },
  "drops a table and the type that only it uses": {
    before: {
      "types/s/mood.yaml": "values: [OK]\n",
      [file]: table("  a: { type: s.mood }\n"),
      [other]: table(""),
    },
    after: { [other]: table("") },
    consents: ["drop:s.t", "drop:type:s.mood"],
  },
};

it.each(Object.entries(cases))("%s", async (_, { before, after, rows, consents = [], found }) => {
  const own = await openConfigurator();
  await own.set({ ...parts, ...before });
  if (rows !== undefined) await own.database.query(`insert into s.t values ${rows}`);
  const files = { ...parts, ...after };
  const plan = await own.plan(files);
  expect([...new Set(plan.steps.flatMap(({ needsConsent }) => needsConsent))].toSorted()).toEqual(
    [...consents].toSorted(),
  );
  await own.apply(plan, consents);
  expect(stepsOf(await own.plan(files))).toEqual([]);
  if (found !== undefined) expect(await own.database.query("select * from s.t")).toEqual(found);
  // What the service has is what the files say.
  expect(stepsOf(await own.plan(await own.pull()))).toEqual([]);
});

it("a consent means the same with and without the quotation marks of its names", async () => {
  const own = await openConfigurator();
  const names = ["tables/s/a%2Eb.yaml", "tables/s/My Table.yaml"];
  const all = (text: string) => ({
    ...parts,
    ...Object.fromEntries(names.map((name) => [name, text])),
  });
  await own.set(all(table("  a: { type: text }\n")));
  const plan = await own.plan(all(table("")));
  expect(plan.steps.flatMap(({ needsConsent }) => needsConsent)).toEqual([
    "drop:s.My Table.a",
    "drop:s.a%2Eb.a",
  ]);
  expect(await faultsOf(own.apply(plan, ["drop:s.MyTable.a", "drop:s.a.b"]))).toEqual([
    expect.stringContaining("The plan needs these consents"),
  ]);
  const { state } = await own.apply(plan, ['drop:s."My Table".a', "drop:s.a.b.a"]);
  expect(state).toBe("APPLIED");
});

it("a new column says where it stands, if its file has it elsewhere", async () => {
  const own = await openConfigurator();
  await own.set({ ...parts, [file]: table("  a: { type: text }\n") });
  const { steps } = await own.plan({
    ...parts,
    [file]: table("  b: { type: text }\n  a: { type: text }\n"),
  });
  expect(steps.flatMap(({ notes }) => notes)).toEqual([
    "The column b is added after the last one: PostgreSQL cannot put it before a.",
  ]);
});

it("a renamedFrom that an apply has followed stays without an effect, and says so if both names exist", async () => {
  const own = await openConfigurator();
  const both = {
    ...parts,
    "types/s/state.yaml": "renamedFrom: s.mood\nvalues: [OK]\n",
    [file]: table("  b: { type: text, renamedFrom: a }\n"),
  };
  await own.set({
    ...parts,
    "types/s/mood.yaml": "values: [OK]\n",
    [file]: table("  a: { type: text }\n"),
  });
  await own.set(both);
  await own.database.query("alter table s.t add column a text");
  await own.database.query("create type s.mood as enum ('X')");
  const { steps, notes } = await own.plan(both);
  expect(notes.map(({ subject, message }) => `${subject}: ${message}`)).toEqual([
    "s.t: a and b both exist, so renamedFrom has no effect; remove it",
    "s.state: s.mood and this type both exist, so renamedFrom has no effect; remove it",
  ]);
  expect(steps.flatMap(({ needsConsent }) => needsConsent)).toEqual([
    "drop:s.t.a",
    "drop:type:s.mood",
  ]);
});

it("columns do not exchange their names in one apply, and no table takes the place of another", async () => {
  const own = await openConfigurator();
  await own.set({
    ...parts,
    [file]: table("  a: { type: text }\n  b: { type: text }\n"),
    [other]: table(""),
  });
  const exchanged = table(
    "  a: { type: text, renamedFrom: b }\n  b: { type: text, renamedFrom: a }\n",
  );
  expect(await faultsOf(own.plan({ ...parts, [file]: exchanged, [other]: table("") }))).toEqual([
    expect.stringContaining("3:33 b gets another name as well; give one of them a third name"),
    expect.stringContaining("4:33 a gets another name as well; give one of them a third name"),
  ]);
  const taken = `renamedFrom: s.u\n${table("  a: { type: text }\n  b: { type: text }\n")}`;
  expect(await faultsOf(own.plan({ ...parts, [file]: taken }))).toEqual([
    expect.stringContaining("s.u and this table both exist; drop one of them"),
  ]);
});

it("a column that another one replaces keeps its grants, label and readers", async () => {
  const own = await openConfigurator();
  const files = (column: string): Files => ({
    ...root("tables", "roles", "data-views"),
    [file]: `${table(`  a: { type: integer }\n  g: { type: integer, label: Twice${column} }\n`)}exposed: [GET]\n`,
    "roles/Clerks.yaml":
      "grants:\n  s.t: { READ: { fields: [id, g], filter: { g: { _gt: 1 } } } }\n",
    "data-views/Twice.yaml": "resource: s.t\nwhere: { g: { _gt: 1 } }\n",
  });
  await own.set(files(""));
  const generated = files(", generated: a * 2");
  const plan = await own.set(generated);
  expect(stepsOf(plan)).toEqual(["table.alter s.t"]);
  expect(plan.steps[0]?.losses.map(({ object, name }) => `${object} ${name}`)).toEqual([
    "column g",
    "DataView Twice",
  ]);
  expect(stepsOf(await own.plan(generated))).toEqual([]);
  const pulled = await own.pull();
  expect(pulled["roles/Clerks.yaml"]).toContain("- g\n        - id\n");
  const bound = await own.database.query(
    `select count(*)::int as n from system.grant_columns c join pg_attribute a on a.attnum = c.attribute_number
     where a.attrelid = 's.t'::regclass and a.attname = 'g' and c.column_name = 'g'`,
  );
  expect(bound).toEqual([{ n: 2 }]);
});
