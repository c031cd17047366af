// Tiers: all, topologies. One of the slowest.
import { openDatabase } from "@rowhouse/db";
import { signIn, startTestEnvironment, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "./client.ts";

let environment: TestEnvironment;
let client: Client;
let admin: string;

const get = (path: string, headers = {}) =>
  client.ask("GET", `/api/public${path}`, { as: admin, headers });
const set = async (data: Record<string, unknown>) => {
  const answer = await client.ask("PATCH", "/admin/api/settings", { as: admin, body: { data } });
  expect(answer.status).toBe(200);
};

beforeAll(async () => {
  environment = await startTestEnvironment();
  client = createClient(environment);
  admin = await client.signIn(signIn);
  const database = openDatabase({ url: environment.test.ownerUrl, applicationName: "test" });
  await database.query("create table public.folders (id int primary key, body text)");
  await database.query(
    "create table public.papers (id int primary key, folder_id int references public.folders, body text)",
  );
  await database.query("create index on public.papers (folder_id)");
  await database.query(
    "insert into public.folders select n, repeat('é', 50000) from generate_series(1, 60) n",
  );
  await database.query(
    "insert into public.papers select n, case when n <= 1500 then 1 else 2 + n % 50 end, 'x' from generate_series(1, 3000) n",
  );
  await database.close();
  for (const name of ["folders", "papers"]) {
    const { body } = await client.ask("GET", `/admin/api/resources?search=${name}`, { as: admin });
    const path = `/admin/api/resources/${body.data[0].id}`;
    const data = { exposedMethods: ["GET", "POST", "PATCH", "DELETE"] };
    expect((await client.ask("PATCH", path, { as: admin, body: { data } })).status).toBe(200);
  }
});
afterAll(() => environment.stop());

describe("an answer", () => {
  test("larger than data.max_response_bytes is a 400 that names exports", async () => {
    await set({ "data.max_response_bytes": 2_000_000 });
    for (const path of [
      "/table/papers?fields=id,folder.body&limit=1000",
      "/table/folders?limit=1000",
      "/table/folders?aggregate=count&group_by=id,body&limit=1000",
    ]) {
      const { status, body } = await get(path);
      expect(status, path).toBe(400);
      expect(body.errors[0].code).toBe("QUERY_INVALID");
      expect(body.errors[0].message).toContain("application/x-ndjson");
    }
    await set({ "data.max_response_bytes": 65_536 });
    expect((await get("/table/folders/1")).status).toBe(400);
    expect((await get("/table/folders/1?fields=id")).body).toEqual({ data: { id: 1 } });
    const exported = await fetch(`${environment.url}/api/public/table/folders`, {
      headers: { authorization: `Bearer ${admin}`, accept: "application/x-ndjson" },
    });
    expect((await exported.text()).split("\n").filter(Boolean)).toHaveLength(60);
  });

  test("of a write that is larger undoes the write, unless the answer is not wanted", async () => {
    await set({ "data.max_response_bytes": 65_536 });
    const change = (id: number, headers = {}) =>
      client.ask("PATCH", `/api/public/table/folders?where[id][_gte]=${id}&max_affected=100`, {
        as: admin,
        headers,
        body: { data: { body: "ü".repeat(60_000) } },
      });
    const refused = await change(60);
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].message).toContain("return=minimal");
    expect((await get("/table/folders?where[body][_starts_with]=ü&fields=id")).body.data).toEqual(
      [],
    );
    expect((await change(60, { prefer: "return=minimal" })).status).toBe(204);
    expect((await get("/table/folders?where[body][_starts_with]=ü&fields=id")).body.data).toEqual([
      { id: 60 },
    ]);
  });

  test("of several megabytes is whole, and several at once wait for the budget", async () => {
    await set({
      "data.max_response_bytes": 33_554_432,
      "data.max_response_bytes_at_once": 3_500_000,
    });
    // One at a time: a waiting request is refused after 10 seconds, so that all four have to be quick enough.
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => get("/table/folders?limit=30&order_by=id")),
    );
    for (const { status, body } of answers) {
      expect(body.errors).toBeUndefined();
      expect(status).toBe(200);
      expect(body.data).toHaveLength(30);
      expect(body.data[29]).toEqual({ id: 30, body: "é".repeat(50_000) });
    }
  });

  test("of one row holds nothing of the budget where If-None-Match is refused", async () => {
    await set({ "data.max_response_bytes_at_once": 2_000_000 });
    const path = "/table/folders/1?fields=id,papers.folder.body&deep[papers][limit]=15";
    for (let count = 0; count < 2; count += 1) {
      const refused = await get(path, { "if-none-match": "none" });
      expect(refused.status).toBe(400);
      expect(refused.body.errors[0].path).toBe("If-None-Match");
    }
    expect((await get(path)).status).toBe(200);
  });
});

describe("a to-many list without a limit", () => {
  test("has at most data.max_related_rows rows, and meta.more names its relation", async () => {
    const path = "/table/folders?fields=id,papers.id&where[id][_lte]=3&order_by=id";
    const { body } = await get(path);
    expect(body.data.map((row: { papers: unknown[] }) => row.papers.length)).toEqual([
      1000, 30, 30,
    ]);
    expect(body.meta).toEqual({ more: ["papers"] });
    const one = await get("/table/folders/1?fields=id,papers.id&deep[papers][where][id][_gt]=100");
    expect(one.body.data.papers).toHaveLength(1000);
    expect(one.body.meta).toEqual({ more: ["papers"] });
    const inner = await get("/table/papers/1?fields=id,folder.papers.id");
    expect(inner.body.data.folder.papers).toHaveLength(1000);
    expect(inner.body.meta).toEqual({ more: ["folder.papers"] });
  });

  test("is whole and unmarked up to the limit, and where deep gives a limit", async () => {
    const chosen = await get("/table/folders/1?fields=id,papers.id&deep[papers][limit]=1000");
    expect(chosen.body.data.papers).toHaveLength(1000);
    expect(chosen.body.meta).toBeUndefined();
    const exact = await get(
      "/table/folders/1?fields=id,papers.id&deep[papers][where][id][_lte]=1000",
    );
    expect(exact.body.data.papers).toHaveLength(1000);
    expect(exact.body.meta).toBeUndefined();
    await set({ "data.max_related_rows": 2 });
    const { body } = await get(
      "/table/folders?fields=id,papers.id&deep[papers][order_by]=-id&where[id][_eq]=2",
    );
    expect(body).toEqual({
      data: [{ id: 2, papers: [{ id: 3000 }, { id: 2950 }] }],
      meta: { more: ["papers"] },
    });
  });
});
