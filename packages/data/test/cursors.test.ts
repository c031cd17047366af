import type { Database } from "@rowhouse/db";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cursorQueryOf, openCursor, writeCursor } from "../src/execute/cursor.ts";
import { parseListRequest } from "../src/parse/parse-read.ts";
import type { ListRequest } from "../src/parse/request.ts";
import { createClient, grant, limits } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let lastStatement = { text: "", parameters: [] as readonly (string | null)[] };

beforeAll(async () => {
  test = await createTestDatabase();
  const database: Database = {
    ...test.database,
    get service() {
      return this;
    },
    query: (text, parameters = [], options) => {
      if (text.includes("gate.proof")) lastStatement = { text, parameters };
      return test.database.query(text, parameters, options);
    },
  };
  client = createClient(database);
  const roleId = await createRole(test.database, "Readers");
  user = await createUser(test.database, "reader@example.com", "Readers");
  await test.database.query("create type public.part as (number int, letter text)");
  await test.database.query(
    "create table public.items (id int primary key, price numeric, name text not null, at timestamptz, raw bytea, part part)",
  );
  await test.database.query(
    `insert into public.items select n, case when n % 5 = 0 then null else n % 7 + 0.10 end, 'name ' || n % 3,
       timestamptz '2026-01-01 00:00:00.000001+00' + n % 4 * interval '1 hour', decode(lpad(to_hex(n % 3), 2, '0'), 'hex'),
       case when n % 4 > 0 then row(nullif(n % 3, 0), nullif(n % 2, 0)::text)::part end
     from generate_series(1, 40) n`,
  );
  await expose(test.database, "public", "items", "GET");
  await grant(test.database, client.snapshots, roleId, "public/items", { action: "READ" });
});
afterAll(() => test.drop());

interface Page {
  readonly data: { id: number }[];
  readonly meta?: { readonly nextCursor?: string };
}

const page = async (query: string): Promise<Page> => {
  const answer = await client.list(user, "public/items", query);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as Page;
};

async function walk(query: string, limit: number): Promise<number[]> {
  const ids: number[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 50; pages += 1) {
    const next = cursor === undefined ? "" : `&cursor=${cursor}`;
    const { data, meta } = await page(`${query}&limit=${limit}${next}`);
    ids.push(...data.map((row) => row.id));
    cursor = meta?.nextCursor;
    if (cursor === undefined) return ids;
  }
  throw new Error("The last page was not reached");
}

describe("pages by cursor", () => {
  it.each([
    "order_by=id",
    "order_by=-id",
    "order_by=price",
    "order_by=-price",
    "order_by=price:nulls_first",
    "order_by=-price:nulls_last",
    "order_by=-price,name,-at",
    "order_by=name,-price:nulls_last",
    "order_by=at",
    "order_by=raw,-name",
    // Some or all fields of the composite value are null.
    "order_by=part",
    "order_by=-part",
    "order_by=-part&where[part][_nnull]=true",
    "fields=id,name&order_by=-at,price",
    "order_by=-name&where[id][_gt]=7&search=NAME",
  ])("the pages contain each row once, in the order of the whole list: %s", async (query) => {
    const whole = (await page(`${query}&limit=100`)).data.map((row) => row.id);
    for (const limit of [1, 7, 40]) expect(await walk(query, limit)).toEqual(whole);
  });

  it("rows inserted before the cursor do not shift later pages", async () => {
    const first = await page("order_by=id&limit=10");
    await test.database.query("insert into public.items (id, name) values (0, 'new')");
    const second = await page(`order_by=id&limit=10&cursor=${first.meta?.nextCursor}`);
    expect(second.data[0]?.id).toBe(11);
    await test.database.query("delete from public.items where id = 0");
  });

  it("a cursor that was changed, invented or created by another query is rejected", async () => {
    const { meta } = await page("order_by=-price&limit=5");
    const cursor = meta?.nextCursor ?? "";
    const refused = [
      `order_by=price&limit=5&cursor=${cursor}`,
      `order_by=-price&where[id][_gt]=1&cursor=${cursor}`,
      `order_by=-price&cursor=${cursor.slice(0, -2)}AA`,
      "order_by=-price&cursor=x",
      "order_by=-price&cursor=",
      `order_by=-price&offset=1&cursor=${cursor}`,
    ];
    for (const query of refused) {
      expect(await client.list(user, "public/items", query)).toMatchObject({
        status: 400,
        body: { errors: [{ code: "QUERY_INVALID" }] },
      });
    }
    await page(`order_by=-price&limit=3&fields=id&cursor=${cursor}`);
  });

  it("the last page reads as many buffers as the first", async () => {
    await test.database.query(
      "create table public.many (id int primary key); insert into public.many select generate_series(1, 50000); analyze public.many",
    );
    await expose(test.database, "public", "many", "GET");
    await grant(
      test.database,
      client.snapshots,
      (
        await test.database.query<{ id: string }>(
          "select id from system.roles where name = 'Readers'",
        )
      )[0]?.id ?? "",
      "public/many",
      { action: "READ" },
    );
    const near = await client.list(user, "public/many", "limit=2");
    const buffers = async (cursor: string | undefined): Promise<number> => {
      await client.list(user, "public/many", `limit=25&cursor=${cursor}`);
      const { text, parameters } = lastStatement;
      const values = parameters.map((value) => (value === null ? "null" : `'${value}'`)).join();
      return test.database.transaction(async (transaction) => {
        await transaction.query(`prepare probe as ${text}`);
        const [row] = await transaction.query<{
          "QUERY PLAN": { Plan: { "Shared Hit Blocks": number } }[];
        }>(`explain (analyze, buffers, format json) execute probe(${values})`);
        await transaction.query("deallocate probe");
        return row?.["QUERY PLAN"][0]?.Plan["Shared Hit Blocks"] ?? 0;
      });
    };
    const far = await client.list(user, "public/many", "order_by=id&limit=2&where[id][_gt]=49000");
    const cursorOf = (answer: typeof near) => (answer.body as Page).meta?.nextCursor;
    expect(cursorOf(far)).toBeDefined();
    const first = await buffers(cursorOf(near));
    // Reads up to page 1000 by offset and continues by cursor.
    const late = await client.list(user, "public/many", "limit=25&offset=25000");
    expect(await buffers(cursorOf(late))).toBeLessThanOrEqual(first + 10);
  });
});

describe("search and estimates", () => {
  it("search finds a text in any readable text column, ignores case and treats wildcards literally", async () => {
    expect((await page("search=NAME 1&limit=100")).data).toHaveLength(14);
    expect((await page("search=%25")).data).toEqual([]);
    expect((await page("search=_ame")).data).toEqual([]);
  });

  it("count=estimated estimates the rows of a whole table and of a filter", async () => {
    await test.database.query("analyze public.items");
    expect(await page("count=estimated&limit=1")).toMatchObject({ meta: { count: 40 } });
    const { body } = await client.list(user, "public/items", "count=estimated&where[id][_lte]=30");
    const { count } = (body as { meta: { count: number } }).meta;
    expect(Math.abs(count - 30)).toBeLessThan(5);
  });
});

describe("the form of a cursor", () => {
  const query =
    "where[trips][_some][km][_gt]=5&where[_or][0][plate][_in]=a,b&where[_or][1][driver.name][_null]=true&search=x&order_by=-price,name:nulls_first&limit=3";
  const target = { schema: "public", name: "vehicles", kind: "TABLE" } as const;
  const key = "0123456789abcdef";
  const values = ["12.50", null, "7"];
  const earlier =
    "k5gfXL3q17cnhx8QTMgOo-KJ5A-Im1bpBg-egPD4YchniCGugX4-lL4abY-6KHA1qtMpuKgxr6YaLVHTRe4BDg";
  const list = (cursor = "") =>
    parseListRequest(target, `${query}${cursor}`, limits) as ListRequest;

  it("stays the same between versions, so that pages continue while processes of both run", () => {
    expect(writeCursor(JSON.stringify(values), cursorQueryOf(list()), key)).toBe(earlier);
  });

  it("is opened alike from a version that wrote the position with other spaces", () => {
    const spaced = writeCursor('["12.50", null, "7"]', cursorQueryOf(list()), key);
    expect(spaced).toHaveLength(earlier.length);
    for (const cursor of [earlier, spaced]) {
      expect(openCursor(list(`&cursor=${cursor}`), key).after).toEqual(values);
    }
  });

  it("is refused after a change of any byte, or under another key", () => {
    const fault = expect.objectContaining({ code: "QUERY_INVALID", path: "cursor" });
    const refused = { faults: [fault] };
    const bytes = Buffer.from(earlier, "base64url");
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const request = list(`&cursor=${changed.toString("base64url")}`);
      expect(() => openCursor(request, key)).toThrow(expect.objectContaining(refused));
    }
    const whole = list(`&cursor=${earlier}`);
    expect(() => openCursor(whole, `${key}0`)).toThrow(expect.objectContaining(refused));
  });
});

describe("a cursor after a change of a column that it orders by", () => {
  const sorted: readonly (readonly [
    column: string,
    type: string,
    values: string,
    change: string,
  ])[] = [
    ["int to text", "int", "n", "alter table changed alter v type text"],
    ["text to int", "text", "n::text", "alter table changed alter v type int using v::int"],
    ["numeric to text", "numeric", "n", "alter table changed alter v type text"],
    ["text to date", "text", "'x' || n", "alter table changed alter v type date using null"],
    ["timestamptz to date", "timestamptz", "now()", "alter table changed alter v type date"],
    ["uuid to int", "uuid", "gen_random_uuid()", "alter table changed alter v type int using 1"],
    ["bool to int", "bool", "n > 2", "alter table changed alter v type int using 1"],
    ["an enum to text", "mood", "'good'", "alter table changed alter v type text"],
    ["text to an enum", "text", "n::text", "alter table changed alter v type mood using 'bad'"],
    ["another collation", "text", "n::text", 'alter table changed alter v type text collate "C"'],
    ["a renamed label", "mood", "'good'", "alter type mood rename value 'good' to 'fine'"],
    ["bytea to text", "bytea", "'a'", "alter table changed alter v type text using 'b'"],
    ["the key itself", "int", "n", "alter table changed alter id type text"],
  ];
  it.each(sorted)("is refused at the cursor: %s", async (_name, type, values, change) => {
    const run = (text: string) => test.database.query(text);
    await run("drop table if exists changed");
    await run("drop type if exists mood");
    await run("create type mood as enum ('bad', 'good')");
    await run(`create table changed (id int primary key, v ${type})`);
    await run(`insert into changed select n, ${values} from generate_series(1, 5) n`);
    await expose(test.database, "public", "changed", "GET");
    const [role] = await test.database.query<{ id: string }>(
      "select id from system.roles where name = 'Readers'",
    );
    await grant(test.database, client.snapshots, role?.id ?? "", "public/changed", {
      action: "READ",
    });
    const query = "order_by=v&limit=2";
    const first = await client.list(user, "public/changed", query);
    const cursor = (first.body as Page).meta?.nextCursor;
    const next = () => client.list(user, "public/changed", `${query}&cursor=${cursor}`);
    expect((await next()).status).toBe(200);
    await run("alter type mood add value 'best'");
    expect((await next()).status).toBe(200);
    await run(change);
    expect(await next()).toMatchObject({
      status: 400,
      body: { errors: [{ code: "QUERY_INVALID", path: "cursor" }] },
    });
  });
});
