// Tiers: all, long. Counts the steps of thousands of requests; fifteen times as many in a long run.
import type { Fault } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  hostileUnits,
  openStepCounter,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestOptionsOf, requireHonored } from "../src/index.ts";
import { parseDeep } from "../src/parse/parse-deep.ts";
import { parseQueryBody } from "../src/parse/parse-read.ts";
import { requestLimitsOf } from "../src/parse/parse-request.ts";
import { readAggregates, readFields, readGroupTerms, readOrderTerms } from "../src/parse/terms.ts";
import { createClient, grant } from "./engine.ts";

// Every part of a request that contains a text of the caller, with the length and with twice the length.

const counter = await openStepCounter();
let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  // A relation of the name `a` leads from each row to another, and a path may cross it again and again.
  await test.database.query(`create table tree (id int primary key, a int references tree, doc jsonb, name text,
    amount numeric, day date, words text[])`);
  await expose(test.database, "public", "tree", "GET", "POST", "PATCH");
  for (const action of ["READ", "CREATE", "UPDATE"] as const) {
    await grant(test.database, client.snapshots, roleId, "public/tree", { action });
  }
  await client.list(user, "public/tree");
});
afterAll(async () => {
  await counter.close();
  await test.drop();
});

const units = [
  ...hostileUnits,
  "tree.",
  "a.tree.",
  "doc.",
  '"doc".',
  "doc.a.",
  "amount*",
  "-a,",
  "name:a,",
  "a.a:a.",
];
const list = (query: string) => client.list(user, "public/tree", query);
const inQuery =
  (before: string, after = "") =>
  (text: string) =>
    list(`${before}${encodeURIComponent(text)}${after}`);
const where = (filterOf: (text: string) => unknown) => (text: string) =>
  list(`where=${encodeURIComponent(JSON.stringify(filterOf(text)))}`);
const create = (rowOf: (text: string) => unknown) => (text: string) =>
  client.create(user, "public/tree", rowOf(text));

const readers: readonly [string, (text: string) => unknown][] = [
  ["fields", inQuery("fields=")],
  ["fields below a relation", inQuery("fields=tree.")],
  ["fields with an alias", inQuery("fields=alias:")],
  ["fields in parentheses", inQuery("fields=tree.sum(", ")")],
  ["deep as JSON", inQuery("fields=tree.id&deep=")],
  [
    "the name of a relation in deep as JSON",
    (text) =>
      list(`fields=tree.id&deep=${encodeURIComponent(JSON.stringify({ [text]: { limit: 1 } }))}`),
  ],
  ["order_by", inQuery("order_by=")],
  ["order_by below a relation", inQuery("order_by=-a.")],
  ["group_by", inQuery("aggregate=count&group_by=")],
  ["group_by of a date", inQuery("aggregate=count&group_by=date_trunc(month,", ")")],
  ["aggregate", inQuery("aggregate=")],
  ["aggregate of an expression", inQuery("aggregate=sum(amount*", "):total")],
  ["having", inQuery("aggregate=count&having=")],
  ["having in brackets", inQuery("aggregate=count&having[", "][_eq]=1")],
  ["where", inQuery("where=")],
  ["where in brackets", inQuery("where[", "][_eq]=1")],
  ["the bracketed path of where", (text) => list(`where${text}=1`)],
  ["where with a name", where((text) => ({ [text]: { _eq: 1 } }))],
  ["where within a relation", where((text) => ({ a: { [text]: { _eq: 1 } } }))],
  ["where with a quantifier", where((text) => ({ [text]: { _some: { id: { _eq: 1 } } } }))],
  ["where with an operator", where((text) => ({ id: { [text]: 1 } }))],
  ["where inside a document", where((text) => ({ doc: { _path: { [text]: { _eq: 1 } } } }))],
  ["where with a field of the row", where((text) => ({ id: { _eq: `$FIELD.${text}` } }))],
  ["where with a number", where((text) => ({ amount: { _eq: text } }))],
  ["where with a date", where((text) => ({ day: { _gt: text } }))],
  ["where with a text", where((text) => ({ name: { _icontains: text } }))],
  ["where with a search", where((text) => ({ name: { _search: text } }))],
  ["where with a list", inQuery("where[id][_in]=")],
  ["where with an array", where((text) => ({ words: { _eq: `{${text}}` } }))],
  ["search", inQuery("search=")],
  ["deep", inQuery("fields=tree.id&deep[", "][limit]=1")],
  ["order_by of deep", inQuery("fields=tree.id&deep[tree][order_by]=")],
  ["cursor", inQuery("cursor=")],
  ["the query itself", list],
  ["an id", (text) => client.read(user, "public/tree", text)],
  [
    "on_conflict",
    (text) =>
      client.create(user, "public/tree", { id: 1 }, `on_conflict=${encodeURIComponent(text)}`),
  ],
  ["a name in a row", create((text) => ({ [text]: 1 }))],
  ["a number in a row", create((text) => ({ id: 1, amount: text }))],
  ["a document in a row", create((text) => ({ id: 1, doc: { [text]: text } }))],
  ["an array in a row", create((text) => ({ id: 1, words: text }))],
  [
    "a change of a document",
    (text) =>
      client.update(user, "public/tree", "1", { doc: { $set: { [text]: 1 }, $unset: [text] } }),
  ],
  [
    "a reference in a batch",
    (text) =>
      client.batch(user, {
        operations: [{ op: "create", resource: "public/tree", data: { id: text }, as: text }],
      }),
  ],
  ...["Prefer", "Accept", "If-Match", "If-None-Match", "Idempotency-Key", "X-Service-Timing"].map(
    (name): [string, (text: string) => unknown] => [
      name,
      (text) => {
        const headers = {
          get: (asked: string) => (asked === name.toLowerCase() ? text : null),
          has: (asked: string) => asked === name.toLowerCase(),
        };
        for (const isRow of [true, false])
          requireHonored(headers, { method: isRow ? "PATCH" : "GET", isRow });
        requestOptionsOf(headers);
      },
    ],
  ),
];

describe("twice the text takes at most in proportion more steps", () => {
  it.each(readers)(
    "in %s",
    async (_part, read) => {
      expect(await counter.findExcess(read, units)).toEqual([]);
    },
    120_000,
  );
});

describe("a list with too many terms", () => {
  it.each<[string, (terms: readonly string[], faults: Fault[]) => unknown]>([
    ["fields", readFields],
    ["order_by", (terms, faults) => readOrderTerms(terms, "order_by", faults)],
    ["group_by", readGroupTerms],
    ["aggregate", readAggregates],
  ])("is refused by its length, before a term is read: %s", (_, read) => {
    let reads = 0;
    const terms = new Proxy(Array<string>(60_000).fill("a:b"), {
      get: (target, key) => {
        if (key !== "length") reads += 1;
        return Reflect.get(target, key);
      },
    });
    const faults: Fault[] = [];
    read(terms, faults);
    expect(faults).toMatchObject([
      { code: "QUERY_INVALID", message: expect.stringMatching(/at most [0-9]+ terms/) },
    ]);
    expect(reads).toBe(0);
  });
});

describe("deep with too many relations", () => {
  const limits = requestLimitsOf(settingsOf({ settings: new Map() }));
  const target = { schema: "public", name: "tree", kind: "TABLE" } as const;
  const relations = (count: number, each: (index: number) => object) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`r${index}`, each(index)]));

  it.each<[string, (deep: Record<string, unknown>) => unknown]>([
    [
      "in a query",
      (deep) => parseDeep({ single: new Map(), nested: new Map([["deep", deep]]) }, limits, []),
    ],
    [
      "in a body",
      (deep) => parseQueryBody({ target, query: "", data: { deep } }, limits, { etags: false }),
    ],
  ])("is refused by their number, before one is read: %s", (_, read) => {
    let reads = 0;
    const counted = (count: number) =>
      relations(count, () => ({
        get limit() {
          reads += 1;
          return "1";
        },
      }));
    expect(() => read(counted(60_000))).toThrow(
      expect.objectContaining({
        code: "QUERY_INVALID",
        message: expect.stringMatching(/at most 100 relations/),
      }),
    );
    expect(reads).toBe(0);
    expect(() => read(counted(101))).toThrow(/at most 100 relations/);
    expect(() => read(relations(100, () => ({})))).not.toThrow();
  });
});
