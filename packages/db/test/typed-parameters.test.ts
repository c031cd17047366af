// Tier: long. One of the longest files.
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createSnapshotStore,
  listType,
  openDatabase,
  type Parameter,
  type ParameterType,
  parameterSql,
  type Queryable,
  readPostgresFailure,
} from "../src/index.ts";

const digits = "1234567890".repeat(12);

/** Kinds of columns, with texts that are valid values of them, and others that are not. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  boolean: ["true", "f", " yes ", "0", "maybe", ""],
  smallint: ["7", " 7 ", "0x1f", "32768", "x"],
  integer: ["-7", "2147483648", "1.5"],
  bigint: ["9007199254740993", "9223372036854775808"],
  numeric: [`${digits}.${digits}`, "-1e-300", "NaN", "Infinity", "1e200000", "one"],
  "numeric(10,2)": ["1.005", "123456789012"],
  real: ["0.1", "-Infinity", "NaN", "1e39"],
  "double precision": ["0.1", "1e308", "1e400", "-0"],
  money: ["1234.56", "1e99"],
  text: ["", "a\\b", "'\"{}\n", "t", "2020-01-01", "\u{1f600}", "a\0b"],
  "varchar(3)": ["abc", "abcdef"],
  "char(3)": ["a ", "abcdef"],
  name: ["x".repeat(70)],
  '"char"': ["a", "abc", "", "\\101", "\\1", "é"],
  citext: ["ABC"],
  uuid: ["{3AD9D1D5-2e2a4a5c9ad50d8e4a3f3f3f}", "3ad9"],
  date: [
    "2020-02-29",
    "2020-02-30",
    "infinity",
    "epoch",
    "J2451187",
    "0044-03-15 BC",
    "01/02/2003",
  ],
  time: ["24:00", "12:34:56.123456", "25:00"],
  timetz: ["12:34:56+02", "noon"],
  timestamp: ["2020-02-29 01:02:03.000001", "-infinity", "2020-13-01", "294277-01-01"],
  timestamptz: ["2020-02-29T01:02:03.000001+02:00", "2020-02-29 01:02:03 Europe/Paris", "then"],
  interval: ["P1Y2M3DT4H", "1 day -2 hours", "5", "1 fortnight"],
  "interval day": ["5", "P1DT2H"],
  bytea: ["\\x00ff", "abc\\000\\\\", "\\xzz", "\\8"],
  json: [
    '"t"',
    "null",
    '{"a": 1, "a": 2}',
    '{"a": 12345678901234567890.10}',
    '"\\u0000"',
    "{",
    "true",
  ],
  jsonb: ['"t"', '{"b": 1, "a": [true, null]}', '"\\u0000"', "{'a'}", "false"],
  xml: ["<a/>", "<a", "text"],
  inet: ["10.0.0.1/8", "::1", "10.0.0.256"],
  cidr: ["10.0.0.0/8", "10.0.0.1/8"],
  macaddr: ["08-00-2b-01-02-03", "08"],
  "bit(3)": ["101", "1", "10101", "2"],
  "bit varying(3)": ["1", "10101"],
  int4range: ["[1,5]", "empty", "[5,1)", "(,)"],
  tstzrange: ["[2020-01-01,2021-01-01)", "[x,)"],
  datemultirange: ["{[2020-01-01,2020-01-02]}"],
  point: ["(1,2)", "1"],
  tsvector: ["'a':1 b", "'a"],
  tsquery: ["a & b", "a &"],
  regclass: ["pg_class", "1259", "nothing_of_the_kind"],
  "integer[]": ["{1,NULL,3}", "[2:3]={1,2}", "{{1,2},{3,4}}", "{1", "{x}"],
  "text[]": ['{a,"b\\"c\\\\d,{}",NULL,"NULL",""}', "{a\\,b}", '{"a}', "{a\0}"],
  "boolean[]": ["{t,false}", "{x}"],
  "bytea[]": ['{"\\\\x00ff"}', '{"\\\\xz"}'],
  "jsonb[]": ['{"{\\"a\\": 1}",null}', "{{}", "{x}"],
  "date[]": ["{2020-02-29,infinity}", "{2020-02-30}"],
  "timestamptz[]": ['{"2020-02-29 00:00+02"}'],
  mood: ["fine", "Fine"],
  "mood[]": ["{fine,bad}", "{none}"],
  even: ["4", "3", "x"],
  "even[]": ["{2,4}", "{1}"],
  short: ["abc", "abcdef"],
  "short[]": ["{abc}", "{abcdef}"],
  nested: ["4", "3", "102"],
  present: ["1"],
  days: ["5"],
  pair: ['(1,"a ""b""")', "(x,)", "(1)"],
};

type Outcome = { readonly value: string | null } | { readonly code: string | undefined };

let test: TestDatabase;
const types = new Map<string, ParameterType>();

async function outcomeOf(
  on: Queryable,
  sql: string,
  parameter: Parameter,
  prepare = false,
): Promise<Outcome> {
  try {
    const [row] = await on.query<{ value: string | null }>(
      `select (${sql})::text as value`,
      [parameter],
      { prepare },
    );
    return { value: row?.value ?? null };
  } catch (error) {
    return { code: readPostgresFailure(error)?.code };
  }
}

beforeAll(async () => {
  test = await createTestDatabase();
  for (const statement of [
    "create extension citext",
    "create type mood as enum ('fine', 'bad')",
    "create domain even as int check (value % 2 = 0)",
    "create domain short as varchar(3)",
    "create domain nested as even check (value < 100)",
    "create domain present as int not null",
    "create domain days as interval day",
    "create type pair as (a int, b text)",
    `create table kinds (${Object.keys(kinds)
      .map((type, index) => `c${index} ${type}`)
      .join(", ")})`,
  ]) {
    await test.database.query(statement);
  }
  const { catalogue } = await createSnapshotStore(test.database).fresh();
  const columns = catalogue.relationByName("public", "kinds")?.columns ?? [];
  for (const [index, kind] of Object.keys(kinds).entries()) {
    const column = columns[index];
    if (column !== undefined) types.set(kind, column.type);
  }
});
afterAll(() => test.drop());

describe("a parameter of a type", () => {
  it.each(Object.entries(kinds))("converts a text as a cast does: %s", async (kind, texts) => {
    const type = types.get(kind);
    if (type === undefined) throw new Error("no such column");
    const { database } = test;
    for (const text of [...texts, null]) {
      const cast = await outcomeOf(database, `$1::text::${type.plain}`, text);
      const declared = parameterSql("$1", type);
      const ways: Record<string, Outcome> = {
        once: await outcomeOf(database, declared, text),
        prepared: await outcomeOf(database, declared, text, true),
        again: await outcomeOf(database, declared, text, true),
        transaction: await database
          .transaction((transaction) => outcomeOf(transaction, declared, text))
          .catch((error: unknown) => ({ code: readPostgresFailure(error)?.code })),
        stream: await streamed(declared, text),
      };
      for (const [way, outcome] of Object.entries(ways)) {
        expect({ way, text, ...outcome }).toEqual({ way, text, ...cast });
      }
    }
  });

  async function streamed(sql: string, text: Parameter): Promise<Outcome> {
    try {
      let value: string | null = null;
      for await (const rows of test.database.stream(`select (${sql})::text`, [text], {
        timeoutMs: 10_000,
      })) {
        value = rows[0]?.[0] ?? null;
      }
      return { value };
    } catch (error) {
      return { code: readPostgresFailure(error)?.code };
    }
  }

  it.each(Object.keys(kinds).filter((kind) => !kind.endsWith("[]")))(
    "works in a list as well: %s",
    async (kind) => {
      const type = types.get(kind);
      if (type === undefined) throw new Error("no such column");
      for (const text of kinds[kind] ?? []) {
        const list = `{${JSON.stringify(text).replaceAll("\\u0000", "\0")},NULL}`;
        const cast = await outcomeOf(test.database, `$1::text::${type.plain}[]`, list);
        for (const prepare of [false, true]) {
          const declared = parameterSql("$1", listType(type));
          expect({ list, ...(await outcomeOf(test.database, declared, list, prepare)) }).toEqual({
            ...{ list, ...cast },
          });
        }
      }
    },
  );

  it("that is invalid fails its own statement and no other of its connection", async () => {
    const database = openDatabase({ url: test.url, applicationName: "one", connectionsMax: 1 });
    try {
      for (const prepare of [false, true, true]) {
        const asked = Array.from({ length: 60 }, (_, index) => index);
        const outcomes = await Promise.all(
          asked.map((index) =>
            outcomeOf(
              database,
              "$1::date",
              index % 3 === 0 ? "never" : `2020-01-${10 + (index % 20)}`,
              prepare,
            ),
          ),
        );
        expect(outcomes).toEqual(
          asked.map((index) =>
            index % 3 === 0 ? { code: "22007" } : { value: `2020-01-${10 + (index % 20)}` },
          ),
        );
      }
    } finally {
      await database.close();
    }
  });

  it("that is invalid ends its transaction, or only its savepoint", async () => {
    const { database } = test;
    await database.query("create table kept (day date)");
    const insert = "insert into kept select $1::date";
    for (const prepare of [false, true]) {
      const lost = database.transaction(async (transaction) => {
        await transaction.query(insert, ["2020-01-01"], { prepare });
        await transaction.query(insert, ["never"], { prepare }).catch(() => {});
        await transaction.query(insert, ["2020-01-02"], { prepare });
      });
      await expect(lost).rejects.toMatchObject({ code: "22007" });
      await database.transaction(async (transaction) => {
        await transaction.query(insert, ["2020-01-03"], { prepare });
        await transaction
          .savepoint(async (part) => {
            await part.query(insert, ["never"], { prepare });
          })
          .catch(() => {});
        await transaction.query(insert, ["2020-01-04"], { prepare });
      });
    }
    const rows = await database.query<{ day: string }>("select day::text as day from kept");
    expect(rows.map(({ day }) => day).join()).toBe("2020-01-03,2020-01-04,2020-01-03,2020-01-04");
  });

  it("is declared as the type, unless a cast from text gives another value", () => {
    const hidden = Array.from(types).flatMap(([kind, type]) => (type.bindable ? [] : [kind]));
    expect(hidden).toEqual(["name", '"char"', "xml", "regclass"]);
  });
});
