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
  await test.database.query(
    `create table port (id int primary key, "Name" text, spec jsonb, "spec.x" int)`,
  );
  await test.database.query(
    `create table call (id int primary key, port_id int references port, "port.Name" text, "port.spec" jsonb)`,
  );
  await test.database.query(
    `insert into port values (1, 'Oslo', '{"x":1}', 5), (2, 'Kiel', '{"x":2}', 6)`,
  );
  await test.database.query(
    `insert into call values (1, 1, 'Kiel', '{"x":2}'), (2, 2, 'Oslo', '{"x":1}')`,
  );
  await expose(test.database, "public", "odd", "GET", "POST", "PATCH");
  for (const name of ["port", "call"]) {
    await expose(test.database, "public", name, "GET");
    await grant(test.database, client.snapshots, roleId, `public/${name}`, { action: "READ" });
  }
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

describe("a column port.Name beside a relation port with a field Name", () => {
  const calls = async (query: string) => rowsOf(await client.list(user, "public/call", query));
  const where = (filter: object) =>
    calls(`fields=id&where=${encodeURIComponent(JSON.stringify(filter))}`);

  it.each(['"port"."Name"', 'port."Name"', '"port".Name'])(
    "quotes around a name of a path separate it from the column: %s",
    async (path) => {
      const related = [{ port: { Name: "Oslo" } }, { port: { Name: "Kiel" } }];
      expect(await calls(`fields=${path}&order_by=id`)).toEqual(related);
      expect(await calls(`fields=n:${path}&limit=1&order_by=id`)).toEqual([
        { n: { Name: "Oslo" } },
      ]);
      expect(await calls(`fields=id&order_by=${path}`)).toEqual([{ id: 2 }, { id: 1 }]);
      expect(await where({ [path]: { _eq: "Oslo" } })).toEqual([{ id: 1 }]);
      expect(await where({ id: { _in: [1, 2] }, "port.Name": { _eq: `$FIELD.${path}` } })).toEqual(
        [],
      );
      const aggregate = `aggregate=max(${path})&where[id][_eq]=1`;
      expect(await calls(aggregate)).toEqual([{ "max_port.Name": "Oslo" }]);
      const groups = `group_by=${path}&aggregate=max(id)&having[port.Name][_eq]=Oslo`;
      expect(await calls(groups)).toEqual([{ "port.Name": "Oslo", max_id: 1 }]);
    },
  );

  it("nested keys of a filter are the names of a path", async () => {
    expect(await where({ port: { Name: { _eq: "Oslo" } } })).toEqual([{ id: 1 }]);
    expect(await where({ _not: { port: { Name: { _eq: "Oslo" } } } })).toEqual([{ id: 2 }]);
    expect(await calls("fields=id&where[port][Name][_eq]=Oslo")).toEqual([{ id: 1 }]);
    expect(await calls("fields=id&where[port][_some][Name][_eq]=Oslo")).toEqual([{ id: 1 }]);
  });

  it("a text without quotes, and one pair of quotes around the whole name, mean the column", async () => {
    for (const path of ["port.Name", '"port.Name"']) {
      expect(await calls(`fields=${path}&limit=1&order_by=id`)).toEqual([{ "port.Name": "Kiel" }]);
      expect(await calls(`fields=id&order_by=-${path}`)).toEqual([{ id: 2 }, { id: 1 }]);
      expect(await where({ [path]: { _eq: "Oslo" } })).toEqual([{ id: 2 }]);
    }
  });

  it("quotes separate the keys of a document too", async () => {
    expect(await calls('fields=port."spec".x&order_by=id&limit=1')).toEqual([
      { port: { spec: { x: 1 } } },
    ]);
    expect(await calls("fields=port.spec.x&order_by=id&limit=1")).toEqual([
      { "port.spec": { x: 2 } },
    ]);
    expect(await calls('fields=id&order_by=-port."spec"."x"')).toEqual([{ id: 2 }, { id: 1 }]);
    expect(await calls('fields=port."spec.x"&order_by=id&limit=1')).toEqual([
      { port: { "spec.x": 5 } },
    ]);
    expect(await calls('fields="port".*&order_by=id&limit=1')).toEqual([
      { port: { id: 1, Name: "Oslo", spec: { x: 1 }, "spec.x": 5 } },
    ]);
  });

  it("the error for a field that does not exist names the path without quotes", async () => {
    const answers = [
      await client.list(user, "public/call", 'fields="port"."nope"'),
      await client.list(user, "public/call", "where[port][nope][_eq]=1"),
      await client.list(user, "public/call", 'order_by="port"."nope"'),
    ];
    for (const { body } of answers) {
      expect(body).toMatchObject({
        errors: [{ code: "FIELD_UNKNOWN", message: "Unknown field port.nope" }],
      });
      expect(JSON.stringify(body)).not.toContain("\\u0000");
    }
  });

  it("a stored grant means the column that it is bound to, and a new one whose record cannot tell the two apart is refused", async () => {
    const roleId = await createRole(test.database, "Guests");
    const guest = await createUser(test.database, "guest@example.com", "Guests");
    const give = (rowFilter: object) =>
      grant(test.database, client.snapshots, roleId, "public/call", { action: "READ", rowFilter });
    for (const rowFilter of [
      { port: { Name: { _eq: "Oslo" } } },
      { port: { _some: { Name: { _eq: "Oslo" } } } },
      { '"port"."Name"': { _eq: "Oslo" } },
      { id: { _eq: 1 }, "port.Name": { _eq: '$FIELD.port."Name"' } },
    ]) {
      await expect(give(rowFilter)).rejects.toMatchObject({ code: "BODY_INVALID" });
    }
    const id = await give({ "port.Name": { _eq: "Oslo" } });
    // Earlier versions read both spellings as the column.
    await test.database.query(
      "update system.grants set row_filter = $2::text::jsonb where id = $1::text::uuid",
      [id, JSON.stringify({ port: { Name: { _eq: "Oslo" } } })],
    );
    await client.snapshots.fresh();
    const seen = rowsOf(await client.list(guest, "public/call", "fields=id"));
    expect(seen).toEqual([{ id: 2 }]);
    const hidden = await client.list(guest, "public/call", "where[port][Name][_eq]=Oslo");
    expect(hidden).toMatchObject({ status: 400, body: { errors: [{ code: "FIELD_UNKNOWN" }] } });
  });
});
