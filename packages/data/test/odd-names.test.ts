import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;

/** Column names that have another meaning or contain a separator if they are written without quotes. */
const names = [
  ...["a,b", "-x", "x", "_and", "_or", "_not", "_eq", "_path", "_some", "_", "count", "sum", "*x"],
  ...["a]b", "a[b", "a.b", "(", "f(x)", "date_trunc(day,x)", "n:nulls_last", '"', '"q"', "it's"],
  ...['6" pipe', "a b", "a&b=c", "limit", "tree", "é", "%41", "+", "$USER.id", "a\\b"],
];
const idOf = (name: string): number => names.indexOf(name) + 1;
const quoted = (name: string): string => encodeURIComponent(`"${name.replaceAll('"', '""')}"`);
const sql = (name: string): string => `"${name.replaceAll('"', '""')}"`;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  await test.database.query(
    `create table odd (id int primary key, tree_id int references odd, unique ("a,b", "_and"),
       ${names
         .filter((name) => name !== "tree")
         .map((name) => `${sql(name)} int`)
         .join(", ")})`,
  );
  // In the first row each column has a value of its own.
  const columns = names.filter((name) => name !== "tree");
  await test.database.query(
    `insert into odd (id, ${columns.map(sql).join(", ")}) values (1, ${columns.map(idOf).join(", ")})`,
  );
  await test.database.query("insert into odd (id, tree_id) values (2, 1)");
  await expose(test.database, "public", "odd", "GET", "POST", "PATCH");
  for (const action of ["READ", "CREATE", "UPDATE"] as const) {
    await grant(test.database, client.snapshots, roleId, "public/odd", { action });
  }
});
afterAll(() => test.drop());

const rowsOf = (answer: Answer): Record<string, unknown>[] => {
  expect(answer).toMatchObject({ status: 200 });
  return (answer.body as { data: Record<string, unknown>[] }).data;
};
const list = async (query: string) => rowsOf(await client.list(user, "public/odd", query));
const columns = names.filter((name) => name !== "tree");

describe("a column's name in double quotes", () => {
  it.each(columns)("double quotes name the column in every parameter: %s", async (name) => {
    const value = idOf(name);
    const field = quoted(name);
    expect(await list(`fields=id,${field}&limit=1&order_by=id`)).toEqual([
      { id: 1, [name]: value },
    ]);
    expect(await list(`fields=${field},tree.${field}&where[id][_eq]=2`)).toEqual([
      { [name]: null, tree: { [name]: value } },
    ]);
    for (const where of [
      `where[${field}][_eq]=${value}`,
      `where={${encodeURIComponent(JSON.stringify(`"${name.replaceAll('"', '""')}"`))}:{"_eq":${value}}}`,
      `where[_and][0][${field}][_eq]=${value}`,
    ]) {
      expect(await list(`fields=id&${where}`)).toEqual([{ id: 1 }]);
    }
    expect(await list(`fields=id&where[tree.${field}][_eq]=${value}`)).toEqual([{ id: 2 }]);
    expect(await list(`fields=id&where[tree][${field}][_eq]=${value}`)).toEqual([{ id: 2 }]);
    expect(await list(`fields=id&order_by=${field}:nulls_first`)).toEqual([{ id: 2 }, { id: 1 }]);
    expect(await list(`fields=id&order_by=-${field}:nulls_last`)).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await list(`fields=id&order_by=tree.${field},-id`)).toEqual([{ id: 2 }, { id: 1 }]);
    const groups = `aggregate=count(id),sum(${field}),max(tree.${field})&group_by=${field}`;
    const [group] = await list(`${groups}&having[${quoted(`sum_${name}`)}][_eq]=${value}`);
    expect(group).toEqual({
      ...{ [name]: value, count_id: 1, [`sum_${name}`]: String(value), [`max_tree.${name}`]: null },
    });
    const last = await list(`${groups}&order_by=-${quoted(`sum_${name}`)}:nulls_last&limit=1`);
    expect(last).toEqual([group]);
  });

  it("count(*) returns the count beside a group named count", async () => {
    expect(
      await list("aggregate=count(*)&group_by=count&order_by=-count&where[count][_nnull]=true"),
    ).toEqual([{ count: idOf("count"), "count_*": 1 }]);
    const [row] = await list("aggregate=count,count(*)&having[count_*][_eq]=2&order_by=-count_*");
    expect(row).toEqual({ count: 2, "count_*": 2 });
    const answer = await client.list(user, "public/odd", "group_by=count");
    expect(JSON.stringify(answer.body)).toContain("count(*)");
  });

  it("double quotes name a key of several columns for an upsert", async () => {
    const query = `on_conflict=${quoted("a,b")},${quoted("_and")}&resolution=merge`;
    const row = { id: 1, "a,b": idOf("a,b"), _and: idOf("_and"), x: 99 };
    expect(await client.create(user, "public/odd", row, query)).toMatchObject({ status: 201 });
    expect(await list("fields=x&where[id][_eq]=1")).toEqual([{ x: 99 }]);
    await test.database.query(`update odd set x = ${idOf("x")} where id = 1`);
  });

  it("an unambiguous name has the same meaning with and without quotes, and a single quote is part of the name", async () => {
    expect(await list('fields="x","id"&order_by="id"&limit=1')).toEqual([{ x: idOf("x"), id: 1 }]);
    expect(await list('fields=6" pipe&limit=1&order_by=id')).toEqual([
      { '6" pipe': idOf('6" pipe') },
    ]);
    const unknown = await client.list(user, "public/odd", 'fields="nope,"');
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ path: "fields" }] } });
  });
});
