import { type Database, type Parameter, quoteLiteral } from "@rowhouse/db";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";
import { createExporter } from "./exporter.ts";

/** Column types, each with a value for the comparison. */
const kinds = {
  boolean: "true",
  smallint: "5",
  integer: "5",
  bigint: "9007199254740993",
  numeric: "12345678901234567890.123456789",
  "numeric(10,2)": "1.50",
  real: "0.5",
  "double precision": "1e300",
  money: "12.50",
  text: "abc",
  "varchar(20)": "abc",
  "char(5)": "abc",
  citext: "abc",
  name: "abc",
  '"char"': "a",
  uuid: "3ad9d1d5-2e2a-4a5c-9ad5-0d8e4a3f3f3f",
  date: "2020-02-29",
  time: "12:34:56",
  timetz: "12:34:56+02",
  timestamp: "2020-02-29T12:34:56",
  timestamptz: "2020-02-29T12:34:56Z",
  interval: "P1DT2H",
  bytea: "\\x00ff",
  inet: "10.0.0.0/8",
  cidr: "10.0.0.0/8",
  macaddr: "08:00:2b:01:02:03",
  "bit(3)": "101",
  "bit varying": "10",
  int4range: "[1,5)",
  tstzrange: "[2020-01-01,2021-01-01)",
  int4multirange: "{[1,5)}",
  tsvector: "'a':1",
  jsonb: '{"a":1}',
  mood: "fine",
  even: "4",
  address: "a@example.com",
  short: "abc",
  pair: "(1,b)",
  "integer[]": "{1,2}",
  "text[]": "{a,b}",
  "uuid[]": "{3ad9d1d5-2e2a-4a5c-9ad5-0d8e4a3f3f3f}",
  "timestamptz[]": "{2020-02-29T12:34:56Z}",
  "mood[]": "{fine}",
  "even[]": "{2,4}",
} as const;

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let exporter: ReturnType<typeof createExporter>;
let user: TestUser;
let sent: { readonly text: string; readonly parameters: readonly Parameter[] }[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  // Records the statements of the pool and executes them unchanged.
  const database: Database = {
    ...test.database,
    get service() {
      return this;
    },
    query: (text, parameters = [], options) => {
      sent.push({ text, parameters });
      return test.database.query(text, parameters, options);
    },
    stream: (text, parameters, options) => {
      sent.push({ text, parameters });
      return test.database.stream(text, parameters, options);
    },
  };
  client = createClient(database);
  exporter = createExporter(database);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  for (const statement of [
    "create extension citext",
    "create type mood as enum ('fine', 'bad')",
    "create domain even as int check (value % 2 = 0)",
    "create domain address as citext check (value ~ '@')",
    "create domain short as varchar(3)",
    "create type pair as (a int, b text)",
    `create table kinds (id int primary key, ${Object.keys(kinds)
      .map((type, index) => `c${index} ${type}`)
      .join(", ")})`,
    `create table days (day date, at timestamptz, id uuid unique, owner uuid, mark text, label varchar(40),
       primary key (day, at))`,
    "create table trips (id uuid primary key, day_id uuid references days (id), at timestamptz not null, doc jsonb)",
  ]) {
    await test.database.query(statement);
  }
  for (const name of ["kinds", "days", "trips"]) {
    await expose(test.database, "public", name, "GET", "POST", "PATCH", "DELETE");
  }
  await grant(test.database, client.snapshots, roleId, "public/kinds", { action: "READ" });
  // A timestamp, an array, and a user's own column whose type differs from the row's.
  const rowFilter = {
    _or: [
      { at: { _gt: "2020-01-01T00:00:00Z" } },
      { owner: { _in: ["3ad9d1d5-2e2a-4a5c-9ad5-0d8e4a3f3f3f", "$USER.id"] } },
      { mark: { _eq: "$USER.id" } },
      { label: { _eq: "$USER.email" } },
      { at: { _eq: "$PERIOD.this_month" } },
    ],
  };
  for (const action of ["READ", "UPDATE", "DELETE"] as const) {
    for (const name of ["days", "trips"]) {
      await grant(test.database, client.snapshots, roleId, `public/${name}`, {
        action,
        rowFilter: name === "days" ? rowFilter : { at: { _gt: "2020-01-01" } },
      });
    }
  }
  await client.list(user, "public/kinds");
  await exporter.csv(user, "public/days");
});
afterAll(() => test.drop());

/**
 * Returns the conditions of a request's statement as PostgreSQL evaluates them, in both plan modes: custom and
 * generic.
 */
async function conditionsOf(work: () => Promise<unknown>): Promise<string[]> {
  sent = [];
  await work();
  // An export first executes a statement that checks whether it may start.
  const { text, parameters } = sent.at(-1) ?? { text: "", parameters: [] };
  const found: string[] = [];
  for (const mode of ["force_custom_plan", "force_generic_plan"]) {
    const [types, plan] = await test.database.transaction(async (transaction) => {
      await transaction.query(`set local plan_cache_mode = ${mode}`);
      await transaction.query(`prepare probe as ${text.replace(/^\/\*.*?\*\//, "")}`);
      const [probe] = await transaction.query<{ types: string }>(
        "select array_to_json(parameter_types)::text as types from pg_prepared_statements where name = 'probe'",
      );
      const values = parameters.map((value) => (value === null ? "null" : quoteLiteral(value)));
      const rows = await transaction.query<{ "QUERY PLAN": string }>(
        `explain (verbose, costs off) execute probe(${values.join(", ")})`,
      );
      await transaction.query("deallocate probe");
      return [JSON.parse(probe?.types ?? "[]") as string[], rows.map((row) => row["QUERY PLAN"])];
    });
    // Up to PostgreSQL 16, EXPLAIN writes the values that one part of the plan passes to another like statement
    // parameters.
    const given = new Set(
      plan
        .flatMap((line) => [...(/\(returns ([$\d,]+)\)/.exec(line)?.[1] ?? "").matchAll(/\d+/g)])
        .map(Number),
    );
    const isParameter = (at: number) => mode === "force_generic_plan" && !given.has(at);
    // A text parameter must be compared as text; a cast of it would be repeated for each row.
    for (const line of plan) {
      if (!/(?:Filter|Cond): /.test(line) || ofGate.test(line)) continue;
      const casts = Array.from(line.matchAll(/\(\$(\d+)\)::/g), ([, number]) =>
        Number(number),
      ).filter(isParameter);
      expect({ mode, line, types, texts: casts.filter((at) => types[at - 1] === "text") }).toEqual({
        ...{ mode, line, types, texts: [] },
      });
      found.push(line.trim());
    }
  }
  return found;
}

/** The conditions of the gate, one of which compares with the current time. */
const ofGate = /\((?:s\.(?:digest|expires_at)|u\.id) /;
/** Work that would be repeated for each row: a cast from text, a correlated subquery, the current time. */
const perRow = /'::text\)::|\$USER\.\w+"\)::|SubPlan|websearch|now\(\)|date_trunc/;

async function expectReadOnce(work: () => Promise<{ status: number } | string>): Promise<string[]> {
  const conditions = await conditionsOf(async () => {
    const answer = await work();
    if (typeof answer !== "string" && answer.status !== 204) {
      expect(answer).toMatchObject({ status: 200 });
    }
  });
  expect(conditions).not.toEqual([]);
  for (const condition of conditions) expect(condition).not.toMatch(perRow);
  return conditions;
}

describe("filter values are converted once and not for each row", () => {
  const fields = Object.entries(kinds).map(([type, value], index) => ({
    ...{ type, value, name: `c${index}` },
  }));

  it.each(fields)("compared with $type", async ({ type, value, name }) => {
    const isArray = type.endsWith("[]");
    const list = (operator: string): string =>
      `where=${encodeURIComponent(JSON.stringify({ [name]: { [operator]: [value, value] } }))}`;
    const one = (operator: string): string =>
      `where[${name}][${operator}]=${encodeURIComponent(value)}`;
    const queries = [
      ...["_eq", "_neq", "_lt", "_gte"].map(one),
      ...["_between", "_nbetween"].map(list),
      ...(isArray ? [] : ["_in", "_nin"].map(list)),
    ];
    for (const query of queries) {
      const conditions = await expectReadOnce(() => client.list(user, "public/kinds", query));
      expect(conditions.join("\n")).toContain(`.${name}`);
    }
  });

  it.each(
    fields.filter(({ type }) =>
      ["text", "varchar(20)", "char(5)", "citext", "mood", "address"].includes(type),
    ),
  )("a pattern over $type is converted once", async ({ name, value }) => {
    for (const operator of ["_like", "_nilike", "_contains", "_istarts_with", "_regex"]) {
      await expectReadOnce(() =>
        client.list(user, "public/kinds", `where[${name}][${operator}]=${value}`),
      );
    }
  });

  it.each(fields.filter(({ type }) => type.endsWith("[]")))(
    "values for the elements of $type are converted once",
    async ({ name, value }) => {
      const elements = value.slice(1, -1).split(",");
      for (const [operator, sought] of [
        ["_has", elements[0]],
        ["_has_all", elements],
        ["_has_any", elements],
      ] as const) {
        const where = encodeURIComponent(JSON.stringify({ [name]: { [operator]: sought } }));
        await expectReadOnce(() => client.list(user, "public/kinds", `where=${where}`));
      }
    },
  );

  it("values are converted once in a document path, a text search and a period", async () => {
    const at = (type: keyof typeof kinds): string => `c${Object.keys(kinds).indexOf(type)}`;
    for (const query of [
      `where[${at("jsonb")}][_json_contains]={"a":1}`,
      `where[${at("jsonb")}][_has_key]=a`,
      `where[${at("jsonb")}][_path][a.b][_eq]=1`,
      `where[${at("jsonb")}][_path][a.b][_in]=1,2`,
      `where[${at("text")}][_search]=abc`,
      `where[${at("timestamptz")}][_eq]=$PERIOD.last_7_days`,
      `where[${at("timestamp")}][_neq]=$PERIOD.this_year`,
      `where[${at("date")}][_gte]=$PERIOD.today`,
      `search=abc`,
    ]) {
      await expectReadOnce(() => client.list(user, "public/kinds", query));
    }
  });

  it("values are converted once wherever the filter is, also under a grant's filter", async () => {
    const day = "2020-02-29";
    const moment = "2020-02-29T12:34:56Z";
    const where = `where[at][_gt]=${moment}&where[owner][_in]=${kinds.uuid}`;
    await test.database.query(
      "insert into days (day, at) select $1::date, $2::timestamptz + n * interval '1 hour' from generate_series(0, 2) n",
      [day, moment],
    );
    const id = `${day},${encodeURIComponent(moment)}`;
    const read = await conditionsOf(() => client.read(user, "public/days", id));
    for (const condition of read) expect(condition).not.toMatch(perRow);
    for (const work of [
      () => client.list(user, "public/days", `${where}&count=exact`),
      () =>
        client.list(
          user,
          "public/days",
          `fields=day,trips.id&deep[trips][where][at][_gt]=${moment}`,
        ),
      () =>
        client.list(user, "public/days", `where={"trips":{"_some":{"at":{"_lt":"${moment}"}}}}`),
      () =>
        client.list(user, "public/days", `where={"trips":{"_every":{"at":{"_lt":"${moment}"}}}}`),
      () => client.list(user, "public/trips", `where[day.owner][_in]=${kinds.uuid}`),
      () =>
        client.list(
          user,
          "public/days",
          `aggregate=count,max(at)&group_by=owner&having[max_at][_gt]=${moment}`,
        ),
      async () => {
        const order = "order_by=-owner,at&limit=1";
        const first = await client.list(user, "public/days", order);
        const { meta } = first.body as { meta: { nextCursor: string } };
        return client.list(user, "public/days", `${order}&cursor=${meta.nextCursor}`);
      },
      () => exporter.csv(user, "public/days", where),
      () => exporter.ndjson(user, "public/days", where),
      () => client.updateMany(user, "public/days", `${where}&max_affected=5`, { mark: "x" }),
      () => client.removeMany(user, "public/days", `${where}&max_affected=5`),
    ]) {
      await expectReadOnce(work);
    }
  });
});
