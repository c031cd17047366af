import type { AuditActor } from "@rowhouse/db";
import { AppError, faultsMax } from "@rowhouse/errors";
import { createTestDatabase, generatedRuns, type TestDatabase } from "@rowhouse/testing";
import fc from "fast-check";
import { loadModule, parseSync } from "libpg-query";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  alterTable,
  createTable,
  parseTableDefinition,
  previewAlterTable,
} from "../../src/index.ts";
import { dumpCatalogue } from "./dump-catalogue.ts";

// Every field of a change that accepts an expression, with texts that are not an expression or have side effects.

const actor: AuditActor = { userId: null, tokenId: null, address: null, requestId: null };
let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await loadModule();
  await test.database.query("create schema made; create table made.t (a int, b text)");
  await test.database.query("insert into made.t values (1, 'x')");
});
afterAll(() => test.drop());

/** Everything that a failed change could leave behind in the user's schemas and in the service's own tables. */
const traces = async (): Promise<string> =>
  `${await dumpCatalogue(test.database, ["made", "public", "system"])}${JSON.stringify(
    await test.database.query(
      "select (select count(*) from system.users) as users, (select count(*) from system.audit_log) as entries, (select count(*) from pg_proc) as functions",
    ),
  )}`;

const places: Readonly<Record<string, (text: string) => object>> = {
  "addColumn/default": (text) => ({ kind: "addColumn", name: "c", dataType: "int", default: text }),
  "addColumn/check": (text) => ({ kind: "addColumn", name: "c", dataType: "int", check: text }),
  "addColumn/dataType": (text) => ({ kind: "addColumn", name: "c", dataType: text }),
  "changeColumn/default": (text) => ({ kind: "changeColumn", column: "a", default: text }),
  "changeColumn/dataType": (text) => ({
    kind: "changeColumn",
    column: "a",
    dataType: `int ${text}`,
    confirm: "a",
  }),
  "changeColumn/using": (text) => ({
    kind: "changeColumn",
    column: "b",
    dataType: "int",
    using: text,
    confirm: "b",
  }),
  "addCheck/check": (text) => ({ kind: "addCheck", check: text }),
  "addIndex/keys/0/expression": (text) => ({ kind: "addIndex", keys: [{ expression: text }] }),
  "addIndex/where": (text) => ({ kind: "addIndex", keys: [{ column: "a" }], where: text }),
};

const evil = [
  "query_to_xml('select 1', true, false, '')",
  "0 references t(id) on delete cascade",
  "set_config('role', 'admin', false)",
  "1; drop table system.users",
  "1); drop table made.t; --",
  "0 -- swallowed",
  "0 /* swallowed */",
  "0) , evil int default (1",
  "1, 2",
  "1 as x",
  "(select password_hash from system.users limit 1)",
  "exists (select from system.users)",
  "array(select 1)",
  "1 union select 2",
  "$1",
  "pg_sleep(10)",
  "pg_read_file('/etc/passwd')",
  "nextval('s')",
  "lo_import('/etc/passwd')",
  "public.lower('x')",
  "current_user",
  "'pg_class'::regclass",
  "'x'::system.users",
  "1 operator(public.+) 2",
  "count(*)",
  "sum(1) over ()",
  "generate_series(1, 10)",
  "system.bump_epoch()",
  "pg_temp.rowhouse_converts(null)",
  "t.a",
  "ctid",
];

const wrappers: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `coalesce(${text}, ${text})`,
  (text) => `(${text})`,
  (text) => `case when true then ${text} end`,
  (text) => `length((${text})::text)`,
  (text) => `array[${text}][1] is not null`,
];

/** Changes with one such text each; every one is reported. */
async function refuse(
  place: string,
  make: (text: string) => object,
  wrap: (text: string) => string,
  texts: readonly string[],
): Promise<void> {
  const input = {
    schema: "made",
    table: "t",
    // Each with its own name, so that the text is the only fault.
    alteration: {
      changes: texts.map((text, index) => {
        const change = make(wrap(text));
        return "name" in change ? { ...change, name: `c${index}` } : change;
      }),
    },
  };
  const field = place.slice(place.indexOf("/"));
  for (const work of [previewAlterTable, alterTable]) {
    const error = await work(test.database, { ...input, actor }).catch((e: unknown) => e);
    if (!(error instanceof AppError)) throw new Error(`${place} was accepted`);
    const faults = error.faults.map((fault) => `${fault.code} ${fault.path}`);
    for (const [index, text] of texts.entries()) {
      const path = `/data/changes/${index}${field}`;
      // A possible user-defined type is looked up in the database.
      const codes = field === "/dataType" ? "EXPRESSION|VALUE" : "EXPRESSION";
      const pattern = new RegExp(`^(${codes})_INVALID ${path}$`);
      expect(
        faults.some((fault) => pattern.test(fault)),
        `${place}: ${wrap(text)}`,
      ).toBe(true);
    }
  }
}

it("every field for an expression refuses any text other than one harmless expression, without a change", async () => {
  const before = await traces();
  for (const wrap of wrappers) {
    // Inside parentheses, a list may be the arguments of a function.
    const texts = evil.filter((text) => wrap(text) === text || text !== "1, 2");
    for (const [place, make] of Object.entries(places)) {
      for (let from = 0; from < texts.length; from += faultsMax) {
        await refuse(place, make, wrap, texts.slice(from, from + faultsMax));
      }
    }
  }
  expect(await traces()).toBe(before);
});

const token = fc.constantFrom(
  ...[
    "a",
    "b",
    "c",
    "1",
    "'x'",
    "null",
    "true",
    "(",
    ")",
    "(",
    ")",
    ",",
    ";",
    "--",
    "/*",
    "*/",
    "$$",
  ],
  ...[
    "::",
    "int",
    "text",
    "regclass",
    "+",
    "=",
    "<>",
    "||",
    "and",
    "or",
    "not",
    "is",
    "in",
    "like",
  ],
  ...[
    "select",
    "from",
    "system.users",
    "union",
    "case",
    "when",
    "then",
    "end",
    "coalesce",
    "lower",
  ],
  ...["pg_sleep", "set_config", "exists", "array", "[", "]", "cast", "as", "over", "references"],
  ...[
    "collate",
    '"C"',
    "at",
    "time",
    "zone",
    "between",
    "default",
    "check",
    "primary",
    "key",
    "E'\\''",
  ],
);
/** Valid texts with up to two tokens inserted. */
const soup = fc
  .record({
    base: fc.constantFrom(
      ...["a > 0", "b is null", "coalesce ( a , 1 ) = 1", "lower ( b ) = 'x'", "a + 1", "1"],
      ...["length ( b )", "case when a > 0 then true end", "a in ( 1 , 2 )", "b || 'x'", "int"],
    ),
    inserted: fc.array(fc.record({ at: fc.nat(8), token }), { maxLength: 2 }),
  })
  .map(({ base, inserted }) => {
    const tokens = base.split(" ");
    for (const { at, token } of inserted) tokens.splice(at, 0, token);
    return tokens.join(" ");
  });

it("a generated text is accepted only as one statement of the requested kind", async () => {
  const end = Date.now() + 5_000;
  const before = await traces();
  let passed = 0;
  await fc.assert(
    fc.asyncProperty(soup, fc.constantFrom(...Object.keys(places)), async (text, place) => {
      if (Date.now() > end) return;
      const input = {
        schema: "made",
        table: "t",
        alteration: { changes: [places[place]?.(text)] },
      };
      const preview = await previewAlterTable(test.database, input).catch((error: unknown) => {
        if (error instanceof AppError && error.status < 500) return undefined;
        throw error;
      });
      if (preview === undefined) return;
      passed += 1;
      for (const sql of preview.sql) {
        const statements = parseSync(sql).stmts ?? [];
        const kinds = statements.map(({ stmt }) => Object.keys(stmt ?? {})[0]);
        expect(kinds).toHaveLength(1);
        expect(["LockStmt", "AlterTableStmt", "IndexStmt"]).toContain(kinds[0]);
        expect(sql).not.toMatch(/select|system\.users|regclass|pg_sleep|set_config/);
      }
    }),
    { numRuns: generatedRuns(2_000), endOnFailure: true },
  );
  expect(passed).toBeGreaterThan(0);
  expect(await traces()).toBe(before);
});

it("the creation of a table refuses the same texts", async () => {
  const before = await traces();
  for (const text of evil) {
    for (const column of [
      { name: "a", dataType: "int", default: text },
      { name: "a", dataType: "int", check: text },
    ]) {
      const work = parseTableDefinition({ name: "u", columns: [column] }).then((definition) =>
        createTable(test.database, { schema: "made", definition, actor }),
      );
      await expect(work, text).rejects.toMatchObject({ code: "EXPRESSION_INVALID" });
    }
  }
  expect(await traces()).toBe(before);
});
