// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
  await api.test.database.query(`
    create schema "Größe.x";
    create table "Größe.x"."target ""t""" (a int, b int, primary key (b, a));
    create table owners (id int primary key, parent int, constraint own foreign key (parent) references owners on delete set null);
    create table parted (
      id int primary key,
      a int, b int,
      owner int references owners on delete cascade,
      constraint both_columns foreign key (b, a) references "Größe.x"."target ""t""") partition by range (id);
    create table part_one partition of parted for values from (0) to (10);
    create table lonely (id int primary key)`);
});
afterAll(() => api.test.drop());

interface Key {
  readonly name: string;
  readonly schema: string;
  readonly table: string;
}
const namesOf = (keys: readonly Key[]) => keys.map(({ table, name }) => `${table} ${name}`);
const all = ["owners own", "parted both_columns", "parted parted_owner_fkey"];

describe("GET /admin/api/foreign-keys", () => {
  it("returns the columns of both tables in the order of the key, without the copies of partitions", async () => {
    const { status, body } = await api.ask("GET", "/foreign-keys?schema=public");
    expect(status).toBe(200);
    expect(namesOf(body.data)).toEqual(all);
    expect(body.data[1]).toEqual({
      ...{ name: "both_columns", schema: "public", table: "parted", columns: ["b", "a"] },
      ...{ targetSchema: "Größe.x", targetTable: 'target "t"', targetColumns: ["b", "a"] },
      onDelete: "NO ACTION",
    });
    expect(body.data.map((key: { onDelete: string }) => key.onDelete)).toEqual([
      ...["SET NULL", "NO ACTION", "CASCADE"],
    ]);
  });

  it("filters by the schema of either table and by a part of a table's name", async () => {
    const of = async (query: string) =>
      namesOf((await api.ask("GET", `/foreign-keys?${query}`)).body.data);
    expect(await of(`schema=${encodeURIComponent("Größe.x")}`)).toEqual(["parted both_columns"]);
    expect(await of("schema=public&search=OWN")).toEqual([
      ...["owners own", "parted parted_owner_fkey"],
    ]);
    expect(await of("schema=no+such+schema")).toEqual([]);
  });

  it("returns every key once, page by page, and refuses a cursor of another list", async () => {
    const found: Key[] = [];
    let cursor = "";
    do {
      const { body } = await api.ask("GET", `/foreign-keys?schema=public&limit=1${cursor}`);
      found.push(...body.data);
      cursor = body.meta.nextCursor === null ? "" : `&cursor=${body.meta.nextCursor}`;
    } while (cursor !== "");
    expect(namesOf(found)).toEqual(all);
    const tables = await api.ask("GET", "/schema/public/tables?limit=1");
    const other = await api.ask("GET", `/foreign-keys?cursor=${tables.body.meta.nextCursor}`);
    expect(other.faults).toEqual(["QUERY_INVALID cursor"]);
  });

  it("names no table of the service except those that administrators can expose", async () => {
    const { body } = await api.ask("GET", "/foreign-keys?schema=system&limit=1000");
    const own = (body.data as Key[]).map(({ schema, table }) => `${schema}.${table}`);
    expect([...new Set(own)]).toEqual(["system.files", "system.folders", "system.role_members"]);
  });
});
