// Tier: long. One of the slowest.
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  generatedRuns,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, createClient, grant } from "./engine.ts";
import { createImporter, type Imported } from "./importer.ts";

/** Generated texts for columns with a length or a scale, which PostgreSQL itself stores and compares beside the service. */

interface Kind {
  readonly type: string;
  /** The type without length and scale. */
  readonly base: string;
  readonly texts: fc.Arbitrary<string>;
}

const letters = fc
  .array(fc.constantFrom("a", "b", "Z", "é", "\u{1f600}", " "), { maxLength: 6 })
  .map((list) => list.join(""));
const bits = fc
  .array(fc.constantFrom("0", "1"), { minLength: 1, maxLength: 5 })
  .map((list) => list.join(""));
const seconds = fc.nat({ max: 99_999 }).map((n) => `07:30:1${(n / 10_000).toFixed(4)}`);
const decimals = fc
  .tuple(fc.integer({ min: -1_200_000, max: 1_200_000 }), fc.integer({ min: 0, max: 4 }))
  .map(([n, scale]) => (n / 10 ** scale).toFixed(scale));

const kinds: readonly Kind[] = [
  { type: "varchar(3)", base: "varchar", texts: letters },
  { type: "char(2)", base: "bpchar", texts: letters },
  { type: "bit(3)", base: '"bit"', texts: bits },
  { type: "varbit(3)", base: "varbit", texts: bits },
  { type: "numeric(5,2)", base: "numeric", texts: decimals },
  { type: "time(1)", base: "time", texts: seconds },
  { type: "timestamp(0)", base: "timestamp", texts: seconds.map((time) => `2020-02-29 ${time}`) },
  {
    type: "timestamptz(2)",
    base: "timestamptz",
    texts: seconds.map((time) => `2020-02-29T${time}Z`),
  },
  {
    type: "interval(1)",
    base: "interval",
    texts: fc.nat({ max: 99_999 }).map((n) => `P1DT${(n / 10_000).toFixed(4)}S`),
  },
];

/** Shapes of a column: its type, and its text for one value. */
const shapes = {
  plain: (type: string) => ({ type, base: "$" }),
  domain: (_: string, at: number) => ({ type: `d1_${at}`, base: "$" }),
  nested: (_: string, at: number) => ({ type: `d3_${at}`, base: "$" }),
  array: (type: string) => ({ type: `${type}[]`, base: "$[]" }),
  domains: (_: string, at: number) => ({ type: `d3_${at}[]`, base: "$[]" }),
  list: (_: string, at: number) => ({ type: `l_${at}`, base: "$[]" }),
  composite: (_: string, at: number) => ({ type: `c_${at}`, base: null }),
  range: (_: string, at: number) => ({ type: `r_${at}`, base: null }),
} as const;
type Shape = keyof typeof shapes;
const shapeNames = Object.keys(shapes) as readonly Shape[];

function textOf(shape: Shape, text: string): string {
  switch (shape) {
    case "array":
    case "domains":
    case "list":
      return `{"${text}"}`;
    case "composite":
      return `("${text}")`;
    case "range":
      return `["${text}",]`;
    default:
      return text;
  }
}

const places = ["create", "list", "merge", "update", "updateMany", "csv", "ndjson"] as const;
const signs = { _eq: "=", _neq: "<>", _lt: "<", _lte: "<=", _gt: ">", _gte: ">=" } as const;

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let importer: ReturnType<typeof createImporter>;
let user: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  importer = createImporter(test.database);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  for (const [at, { type }] of kinds.entries()) {
    const columns = shapeNames.map((name) => `"${name}" ${shapes[name](type, at).type}`);
    await test.database.query(`
      create domain d1_${at} as ${type}; create domain d2_${at} as d1_${at}; create domain d3_${at} as d2_${at};
      create domain l_${at} as ${type}[]; create type c_${at} as (f d1_${at});
      create type r_${at} as range (subtype = d2_${at}, subtype_opclass = ${opclassOf(type)});
      create table t_${at} (id int primary key, ${columns.join(", ")});
      create table key_${at} (id d3_${at} primary key, n int)`);
  }
  for (const [at] of kinds.entries()) {
    for (const name of [`t_${at}`, `key_${at}`]) {
      await expose(test.database, "public", name, "GET", "POST", "PATCH", "DELETE");
      for (const action of ["READ", "CREATE", "UPDATE", "DELETE"] as const) {
        await grant(test.database, client.snapshots, roleId, `public/${name}`, { action });
      }
    }
  }
});
afterAll(() => test.drop());

function opclassOf(type: string): string {
  const name = type.replace(/\(.*/, "");
  const names: Readonly<Record<string, string>> = { varchar: "text", char: "bpchar" };
  return `pg_catalog.${names[name] ?? name}_ops`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** What PostgreSQL stores for a literal in an INSERT; undefined if it rejects the literal. */
async function storedByInsert(
  table: string,
  field: string,
  text: string,
): Promise<string | undefined> {
  const undone = new Error("undone");
  let stored: string | undefined;
  const work = test.database.transaction(async (transaction) => {
    const [row] = await transaction.query<{ value: string }>(
      `insert into ${table} (id, "${field}") values (99, ${quoted(text)}) returning "${field}"::text as value`,
    );
    stored = row?.value;
    throw undone;
  });
  await work.catch((error: { readonly code?: string }) => {
    if (error !== undone && error.code?.startsWith("22") !== true) throw error;
  });
  return stored;
}

async function write(
  place: (typeof places)[number],
  table: string,
  field: string,
  value: unknown,
): Promise<Answer | Imported> {
  const name = `public/${table}`;
  const row = { id: 1, [field]: value };
  switch (place) {
    case "create":
      return client.create(user, name, row);
    case "list":
      return client.create(user, name, [row]);
    case "merge":
      return client.create(user, name, row, "on_conflict=id&resolution=merge");
    case "update":
      return client.update(user, name, "1", { [field]: value });
    case "updateMany":
      return client.updateMany(user, name, "where[id][_eq]=1&max_affected=1", { [field]: value });
    case "csv": {
      const cell = typeof value === "string" ? value : JSON.stringify(value);
      return importer.csv(user, name, `id,${field}\n1,"${cell.replaceAll('"', '""')}"\n`);
    }
    case "ndjson":
      return importer.ndjson(user, name, `${JSON.stringify(row)}\n`);
    default:
      return place satisfies never;
  }
}

const case_ = fc.nat({ max: kinds.length - 1 }).chain((at) =>
  fc.record({
    at: fc.constant(at),
    shape: fc.constantFrom(...shapeNames),
    place: fc.constantFrom(...places),
    stored: kinds[at]?.texts ?? letters,
    text: kinds[at]?.texts ?? letters,
  }),
);

describe("a column with a length or a scale", () => {
  it("stores what an INSERT of the literal stores, and rejects what the INSERT rejects", async () => {
    await fc.assert(
      fc.asyncProperty(case_, async ({ at, shape, place, text }) => {
        const table = `t_${at}`;
        await test.database.query(`truncate ${table}`);
        const isUpdate = place === "merge" || place.startsWith("update");
        if (isUpdate) await test.database.query(`insert into ${table} (id) values (1)`);
        const literal = textOf(shape, text);
        const expected = await storedByInsert(table, shape, literal);
        const sent = shape === "composite" ? { f: text } : literal;
        const answer = await write(place, table, shape, sent);
        const [row] = await test.database.query<{ value: string | null }>(
          `select "${shape}"::text as value from ${table}`,
        );
        if (expected === undefined) {
          expect(answer).toMatchObject({
            status: 400,
            body: { errors: [{ code: "VALUE_INVALID", path: expect.stringContaining(shape) }] },
          });
          expect(row?.value ?? null).toBe(null);
        } else {
          expect(answer.status).toBeLessThan(300);
          expect(row).toEqual({ value: expected });
        }
      }),
      { numRuns: generatedRuns(600) },
    );
  });

  it("is compared with the whole text, as a value of its type without length and scale", async () => {
    await fc.assert(
      fc.asyncProperty(case_, async ({ at, shape, stored, text }) => {
        const { base } = shapes[shape](kinds[at]?.type ?? "", at);
        const [table, sent] = [`t_${at}`, textOf(shape, text)];
        const first = textOf(shape, stored);
        if (base === null || (await storedByInsert(table, shape, first)) === undefined) return;
        await test.database.query(`truncate ${table}`);
        await test.database.query(
          `insert into ${table} (id, "${shape}") values (1, ${quoted(first)})`,
        );
        const type = base.replace("$", kinds[at]?.base ?? "");
        const answers: Record<string, unknown> = {};
        const expected: Record<string, unknown> = {};
        for (const [operator, sign] of Object.entries(signs)) {
          const where = encodeURIComponent(JSON.stringify({ [shape]: { [operator]: sent } }));
          answers[operator] = await client.list(
            user,
            `public/${table}`,
            `where=${where}&fields=id`,
          );
          const data = await test.database.query(
            `select id from ${table} where "${shape}"::${type} ${sign} ${quoted(sent)}::${type}`,
          );
          expected[operator] = { status: 200, body: { data: data.map(() => ({ id: 1 })) } };
        }
        const among = encodeURIComponent(JSON.stringify({ [shape]: { _in: [sent] } }));
        answers._in = await client.list(user, `public/${table}`, `where=${among}&fields=id`);
        expected._in = expected._eq;
        expect(answers).toEqual(expected);
      }),
      { numRuns: generatedRuns(400) },
    );
  });

  it("is found as a key by the whole text of an id", async () => {
    await fc.assert(
      fc.asyncProperty(case_, async ({ at, stored, text }) => {
        const [table, base] = [`key_${at}`, kinds[at]?.base ?? ""];
        if (text === "" || (await storedByInsert(`t_${at}`, "nested", stored)) === undefined)
          return;
        await test.database.query(`truncate ${table}`);
        await test.database.query(`insert into ${table} values (${quoted(stored)}, 1)`);
        const found = await test.database.query(
          `select n from ${table} where id = ${quoted(text)}::${base}`,
        );
        const status = found.length === 0 ? 404 : 200;
        expect(await client.read(user, `public/${table}`, text)).toMatchObject({ status });
        expect(await client.update(user, `public/${table}`, text, { n: 2 })).toMatchObject({
          status,
        });
        const removed = await client.remove(user, `public/${table}`, text);
        expect(removed.status === 404).toBe(status === 404);
      }),
      { numRuns: generatedRuns(200) },
    );
  });
});
