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
import { createClient, grant } from "./engine.ts";
import { createExporter } from "./exporter.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let exporter: ReturnType<typeof createExporter>;
let user: TestUser;
let lastText = "";

beforeAll(async () => {
  test = await createTestDatabase();
  const database: Database = {
    ...test.database,
    get service() {
      return this;
    },
    query: (text, parameters = [], options) => {
      if (text.includes("gate.proof")) lastText = text;
      return test.database.query(text, parameters, options);
    },
  };
  client = createClient(database);
  exporter = createExporter(test.database);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  const [server] = await test.database.query<{ virtual: string }>(
    "select (current_setting('server_version_num')::int >= 180000)::text as virtual",
  );
  // Before PostgreSQL 18 a generated column is computed on write. Columns of views are always computed on read.
  const computed =
    server?.virtual === "true"
      ? "share int generated always as (100 / n) virtual, word text generated always as (chr(n)) virtual"
      : `share int generated always as (case when n <> 0 then 100 / n end) stored,
         word text generated always as (case when n <> 0 then chr(n) end) stored`;
  for (const statement of [
    "create table owners (id int primary key, name text)",
    "insert into owners values (1, 'member@example.com'), (2, 'other@example.com')",
    // The expressions that fail for the rows of owner 2.
    `create table sums (id int primary key, owner_id int references owners, n int, ${computed})`,
    "insert into sums values (1, 1, 4), (2, 1, 5), (3, 2, 0)",
    `create view shares as select s.id, o.name as owner, s.n, 100 / s.n as share, chr(s.n) as word, s.share as stored
       from sums s join owners o on o.id = s.owner_id`,
    "create view outer_shares as select id, owner, share, n from (select * from shares) s",
    "create view both_shares as select id, owner, share from shares union all select id + 100, owner, share from shares",
  ]) {
    await test.database.query(statement);
  }
  await expose(test.database, "public", "owners", "GET");
  await expose(test.database, "public", "sums", "GET", "PATCH", "DELETE");
  await grant(test.database, client.snapshots, roleId, "public/owners", { action: "READ" });
  // A filter that costs more than a comparison, so that the planner would evaluate the caller's filter first.
  for (const action of ["READ", "UPDATE", "DELETE"] as const) {
    await grant(test.database, client.snapshots, roleId, "public/sums", {
      action,
      rowFilter: { "owner.name": { _eq: "$USER.email" } },
    });
  }
  for (const name of ["shares", "outer_shares", "both_shares"]) {
    await expose(test.database, "public", name, "GET");
    await grant(test.database, client.snapshots, roleId, `public/${name}`, {
      action: "READ",
      rowFilter: { owner: { _iregex: "^(m+e+)+mber" } },
    });
  }
});
afterAll(() => test.drop());

const relations = ["sums", "shares/view", "outer_shares/view", "both_shares/view"];

describe("a column whose expression fails for a row that the caller may not see", () => {
  it.each(relations)(
    "a hidden row whose expression fails has no effect on the response: %s",
    async (name) => {
      const field = name.startsWith("both") ? "id" : "n";
      for (const query of [
        "where[share][_gt]=1",
        "where[share][_in]=20,25",
        "where[share][_nnull]=true",
        "where[_not][share][_eq]=7",
        "order_by=share",
        "order_by=-share&limit=1",
        "aggregate=count,sum(share),max(share)",
        "aggregate=count_distinct(share)&count=exact",
        `aggregate=count,min(${field})&group_by=share&count=exact`,
        "aggregate=sum(share)&having[sum_share][_gt]=1",
        "where[share][_gt]=1&count=exact&limit=1",
      ]) {
        const answer = await client.list(user, `public/${name}`, query);
        expect({ query, ...answer }).toMatchObject({ query, status: 200 });
        expect((answer.body as { data: unknown[] }).data).not.toEqual([]);
      }
    },
  );

  it("search, export, relations and writes evaluate the column in visible rows only", async () => {
    for (const name of ["sums", "shares/view"]) {
      expect(await client.list(user, `public/${name}`, "search=zzz")).toEqual({
        status: 200,
        body: { data: [] },
      });
      expect(await exporter.csv(user, `public/${name}`, "fields=id,share&order_by=-share")).toBe(
        "id,share\r\n1,25\r\n2,20\r\n",
      );
    }
    const where = 'where={"sums":{"_some":{"share":{"_lt":100}}}}';
    expect(await client.list(user, "public/owners", `fields=id&${where}`)).toEqual({
      status: 200,
      body: { data: [{ id: 1 }] },
    });
    const many = "where[share][_gte]=1&max_affected=5";
    expect(await client.updateMany(user, "public/sums", many, { owner_id: 1 })).toMatchObject({
      status: 200,
    });
    expect(
      await client.removeMany(user, "public/sums", "where[share][_lt]=1&max_affected=5"),
    ).toMatchObject({
      status: 204,
    });
  });

  it("the planner stays free to reorder filters on a view's plain column", async () => {
    for (const name of ["shares", "outer_shares"]) {
      expect(await client.list(user, `public/${name}/view`, "where[n][_eq]=4&fields=id")).toEqual({
        status: 200,
        body: { data: [{ id: 1 }] },
      });
      expect(lastText).not.toContain("case when (t.");
      await client.list(user, `public/${name}/view`, "where[share][_eq]=25&fields=id");
      expect(lastText).toContain("case when (t.");
    }
  });
});

describe("a value that PostgreSQL cannot compute", () => {
  it("is named as such by a read, which stores no value", async () => {
    for (const statement of [
      "create table curve (id int primary key, x int, f float8, at timestamp)",
      "insert into curve values (1, 5, 1e308, 'infinity'), (2, 6, 1e308, now())",
      "create view curves as select id, 1 / (x - 5) as y, x::smallint * 10000::smallint as z from curve",
    ]) {
      await test.database.query(statement);
    }
    const roleId = await createRole(test.database, "Curves");
    const reader = await createUser(test.database, "curves@example.com", "Curves");
    for (const name of ["curve", "curves"]) {
      await expose(test.database, "public", name, "GET");
      await grant(test.database, client.snapshots, roleId, `public/${name}`, { action: "READ" });
    }
    const view = "public/curves/view";
    const faultOf = async (name: string, query: string) => {
      const { status, body } = await client.list(reader, name, query);
      const [fault] = (body as { errors: { code: string; message: string }[] }).errors;
      return `${status} ${fault?.code} ${fault?.message}`;
    };
    expect(await faultOf(view, "fields=id,y")).toBe(
      "400 VALUE_INVALID A column of this view cannot be computed: a division by zero",
    );
    expect(await faultOf(view, "fields=id,z&where[z][_gt]=1")).toMatch(/a number is out of range$/);
    expect(await faultOf("public/curve", "aggregate=sum(f)")).toBe(
      "400 VALUE_INVALID A result of this aggregation cannot be computed: a number is out of range",
    );
    expect(await faultOf("public/curve", "where[x][_eq]=abc")).toMatch(/^400 VALUE_INVALID /);
    expect(await faultOf("public/curve", "where[x][_eq]=abc")).not.toMatch(/computed/);
  });
});
