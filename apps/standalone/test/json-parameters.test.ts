// Tiers: usual, topologies.
import { expose } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// `where`, `having` and `deep` as one JSON text, as generated clients send them, beside the form in brackets.

let environment: TestEnvironment;
const table = "/api/public/table/orders";
const partsSql =
  "insert into parts select n, 1, 1 + n % 3, 'part ' || n from generate_series(1, 9) n on conflict do nothing";

beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  for (const statement of [
    "create type public.progress as enum ('open', 'done')",
    "create table public.orders (tenant int, no int, st progress, tags text[], facts jsonb, km numeric, primary key (tenant, no))",
    "create table public.parts (id int primary key, tenant int, no int, name text, foreign key (tenant, no) references orders)",
    `insert into orders select 1, n, case when n % 2 = 0 then 'open'::progress else 'done' end, array['t' || n],
       jsonb_build_object('seats', n), n from generate_series(1, 6) n`,
    partsSql,
    "create view public.open_orders as select tenant, no, st from orders where st = 'open'",
  ]) {
    await database.query(statement);
  }
  for (const name of ["orders", "parts"]) {
    await expose(database, "public", name, "GET", "POST", "PATCH", "DELETE");
  }
  await expose(database, "public", "open_orders", "GET");
});
afterAll(() => environment.stop());

const ask = (
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> => environment.ask(method, path, { as: environment.admin.secret, ...options });
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const csv = { headers: { Accept: "text/csv" } };
const change = { body: { data: { km: 1 } } };

const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;

/** Requests that take a filter: its parameter is added to the query. */
const requests: readonly [string, string, string, (query: string) => Promise<Answer>][] = [
  ["a list", "where", "no", (query) => ask("GET", `${table}?fields=no&order_by=no&${query}`)],
  [
    "a list of a view",
    "where",
    "no",
    (query) => ask("GET", `/api/public/view/open_orders?order_by=no&${query}`),
  ],
  [
    "an aggregation",
    "where",
    "no",
    (query) => ask("GET", `${table}?aggregate=count&group_by=st&order_by=st&${query}`),
  ],
  [
    "groups",
    "having",
    "count",
    (query) => ask("GET", `${table}?aggregate=count&group_by=st&order_by=st&${query}`),
  ],
  ["a CSV file", "where", "no", (query) => ask("GET", `${table}?order_by=no&${query}`, csv)],
  [
    "an NDJSON file",
    "where",
    "no",
    (query) =>
      ask("GET", `${table}?order_by=no&${query}`, { headers: { Accept: "application/x-ndjson" } }),
  ],
  [
    "an update by a filter",
    "where",
    "no",
    (query) => ask("PATCH", `${table}?max_affected=9&${query}`, change),
  ],
  [
    "a deletion by a filter",
    "where",
    "no",
    async (query) => {
      const headers = { Prefer: "return=representation" };
      const path = `/api/public/table/parts?max_affected=9&${query}`;
      const answer = await ask("DELETE", path, { headers });
      await environment.test.database.query(partsSql);
      // PostgreSQL returns deleted rows in no order.
      if (answer.status === 200) answer.body.data.sort(byId);
      return answer;
    },
  ],
  [
    "an update in a batch",
    "where",
    "no",
    (query) => {
      const write = { method: "PATCH", path: `${table}?max_affected=9&${query}`, ...change.body };
      return ask("POST", "/api/batch", { body: { data: [write] } });
    },
  ],
];

describe.each(requests)("%s", (_, parameter, field, send) => {
  it("takes a filter as JSON as it does in brackets", async () => {
    for (const [filter, brackets] of [
      [{ [field]: { _gte: 2 } }, `${parameter}[${field}][_gte]=2`],
      [{ [field]: { _in: [1, 3] } }, `${parameter}[${field}][_in]=1,3`],
    ] as const) {
      const inBrackets = await send(brackets);
      const asJson = await send(`${parameter}=${json(filter)}`);
      expect(inBrackets.status, inBrackets.text).toBe(200);
      expect(asJson.status, asJson.text).toBe(200);
      expect(asJson.body).toEqual(inBrackets.body);
    }
  });

  it("refuses both forms in one request, in either order", async () => {
    const parts = [
      `${parameter}=${json({ [field]: { _eq: 2 } })}`,
      `${parameter}[${field}][_eq]=2`,
    ];
    for (const query of [parts, parts.toReversed()]) {
      const { status, faults } = await send(query.join("&"));
      expect({ status, code: faults[0]?.split(" ")[0] }).toEqual({
        status: 400,
        code: "QUERY_INVALID",
      });
      expect(faults[0]).toMatch(new RegExp(` (?:/data/0/path|${parameter})$`));
    }
  });

  it.each([
    "[object Object]",
    "{st: open}",
    '{"no":{"_eq":1}',
    "",
    "null",
    "5",
    '"no"',
    "[]",
    '{"no":{"_gte":2},"no":{"_gte":1}}',
    '{"no":{"_gte":2,"_gte":1}}',
    "[".repeat(300),
    `${'{"_not":'.repeat(300)}{}${"}".repeat(300)}`,
  ])("refuses what is no filter: %s", async (text) => {
    const { status, faults } = await send(`${parameter}=${encodeURIComponent(text)}`);
    expect(status).toBe(400);
    expect(faults[0]).toMatch(new RegExp(`^QUERY_INVALID (?:/data/0/path|${parameter})`));
  });
});

describe("deep", () => {
  const deep = (value: unknown) => `deep=${json(value)}`;
  const rows = `${table}?fields=no,parts.id,parts.name&order_by=no`;

  it("is accepted as JSON by a list, a row, a file and numbers, as in brackets", async () => {
    for (const [path, asJson, brackets, options] of [
      [
        rows,
        { parts: { limit: 1, order_by: ["-id", "name"], where: { name: { _neq: "part 9" } } } },
        "deep[parts][limit]=1&deep[parts][order_by]=-id,name&deep[parts][where][name][_neq]=part 9",
      ],
      [`${table}/1,2?fields=parts.id`, { parts: { offset: 1 } }, "deep[parts][offset]=1"],
      [
        `${table}?fields=no,parts.count&order_by=no`,
        { parts: { group_by: ["name"], having: { count: { _gte: 1 } } } },
        "deep[parts][group_by]=name&deep[parts][having][count][_gte]=1",
      ],
      [rows, { parts: { limit: 2 } }, "deep[parts][limit]=2", csv],
      [rows, { parts: { where: { id: { _in: [1, 2] } } } }, "deep[parts][where][id][_in]=1,2"],
    ] as const) {
      const inBrackets = await ask("GET", `${path}&${brackets.replaceAll(" ", "%20")}`, options);
      const found = await ask("GET", `${path}&${deep(asJson)}`, options);
      expect(found.status, found.text).toBe(200);
      expect(found.text).toBe(inBrackets.text);
      expect(found.text).toMatch(/part|"id"/);
    }
  });

  it("continues a list in a row after a cursor", async () => {
    const page = { cursor: true, limit: 2 };
    const first = await ask("GET", `${table}/1,2?fields=parts.id&${deep({ parts: page })}`);
    const { data, nextCursor } = first.body.data.parts;
    expect(data).toEqual([{ id: 1 }, { id: 4 }]);
    const more = { parts: { ...page, cursor: nextCursor } };
    const second = await ask("GET", `${table}/1,2?fields=parts.id&${deep(more)}`);
    expect(second.body.data.parts).toEqual({ data: [{ id: 7 }] });
  });

  it.each<[unknown, string]>([
    [5, "QUERY_INVALID deep"],
    [{ parts: [] }, "QUERY_INVALID deep[parts]"],
    [{ parts: { limit: "5" } }, "QUERY_INVALID deep[parts][limit]"],
    [{ parts: { order_by: "id" } }, "QUERY_INVALID deep[parts][order_by]"],
    [{ parts: { top: 1 } }, "QUERY_INVALID deep[parts][top]"],
    [{ parts: { where: { id: { _near: 1 } } } }, "QUERY_INVALID deep[parts][where][id][_near]"],
    [{ parts: { where: { id: { _eq: "x" } } } }, "VALUE_INVALID deep[parts][where][id][_eq]"],
    [{ others: { limit: 1 } }, "QUERY_INVALID deep[others]"],
  ])("refuses %j with its path", async (value, fault) => {
    const { status, faults } = await ask("GET", `${rows}&${deep(value)}`);
    expect(status).toBe(400);
    expect(faults).toEqual([fault]);
  });

  it("refuses both forms in one request, and a text that is not JSON", async () => {
    const both = await ask("GET", `${rows}&${deep({ parts: { limit: 1 } })}&deep[parts][offset]=1`);
    expect(both.faults).toEqual(["QUERY_INVALID deep"]);
    const twice = '{"parts":{"limit":1},"parts":{"limit":2}}';
    for (const text of ["[object Object]", "", "{".repeat(300), twice]) {
      const { faults } = await ask("GET", `${rows}&deep=${encodeURIComponent(text)}`);
      expect(faults).toEqual(["QUERY_INVALID deep"]);
    }
    expect((await ask("GET", `${table}?aggregate=count&deep={}`)).faults).toEqual([
      "QUERY_INVALID deep",
    ]);
  });
});
