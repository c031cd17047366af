import { createTestDatabase, expose } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EventEnvironment, startEventEnvironment } from "./event-environment.ts";

// intarray in `public` has operators of its own for `int[]`, of the same signs as those for all arrays.

let environment: EventEnvironment;

beforeAll(async () => {
  const test = await createTestDatabase();
  await test.database.query(`
    create table lists (id int primary key, small smallint[], whole int[], big bigint[]);
    create index on lists using gin (whole);
    insert into lists values (1, '{1,2}', '{1,2}', '{1,2}'), (2, '{3}', '{3}', '{3}'), (3, '{}', '{}', '{}'), (4, null, null, null);
    create table parts (id int primary key, list_id int references lists (id))`);
  await test.database.query("create extension intarray schema public");
  await expose(test.database, "public", "lists", "GET", "POST", "PATCH", "DELETE");
  await expose(test.database, "public", "parts", "GET", "POST");
  environment = await startEventEnvironment(test);
});
afterAll(() => environment.stop());

const readiness = async (): Promise<number> => (await fetch(`${environment.url()}/readyz`)).status;

describe("a database with intarray in the schema public", () => {
  it("is served from the start on", async () => {
    expect(await readiness()).toBe(200);
    expect(await environment.data("GET", "/public/table/lists?fields=id")).toMatchObject({
      status: 200,
    });
  });

  it.each(["small", "whole", "big"])("filters arrays as elsewhere: %s", async (column) => {
    const conditions: readonly (readonly [object, readonly number[]])[] = [
      [{ _has: "1" }, [1]],
      [{ _has_all: ["1", "2"] }, [1]],
      [{ _has_any: ["1", "3"] }, [1, 2]],
      [{ _has_only: ["1", "2", "3"] }, [1, 2, 3]],
      [{ _eq: "{3}" }, [2]],
      [{ _in: ["{3}", "{1,2}"] }, [1, 2]],
      [{ _lt: "{3}" }, [1, 3]],
      // intarray rejects a null in an array.
      [{ _eq: "{1,null}" }, []],
      [{ _null: true }, [4]],
    ];
    for (const [condition, ids] of conditions) {
      const where = encodeURIComponent(JSON.stringify({ [column]: condition }));
      const answer = await environment.data(
        "GET",
        `/public/table/lists?fields=id&order_by=id&where=${where}`,
      );
      expect([condition, answer.body.data]).toEqual([condition, ids.map((id) => ({ id }))]);
    }
    const list = `where[${column}][_has_any]=1,null`;
    expect((await environment.data("GET", `/public/table/lists?${list}`)).status).toBe(400);
  });

  it("writes, relates and follows changes", async () => {
    const row = { id: 5, small: [7], whole: [7, null], big: [7] };
    expect((await environment.data("POST", "/public/table/lists", row)).status).toBe(201);
    const related = "/public/table/lists/5?fields=whole,parts.id";
    expect(await environment.data("GET", related)).toMatchObject({
      body: { data: { whole: [7, null], parts: [] } },
    });
    await environment.sql("create table later (id int primary key, n int[])");
    expect(await environment.admin("GET", "/schema/public/tables")).toMatchObject({ status: 200 });
  });
});

describe("a database in which PostgreSQL rejects the statements of the service", () => {
  it("is not ready until they work again", async () => {
    await environment.sql("alter table system.settings rename column value to other");
    try {
      await expect
        .poll(async () => (await environment.data("GET", "/public/table/lists")).status)
        .toBe(500);
      await expect.poll(readiness).toBe(503);
    } finally {
      await environment.sql("alter table system.settings rename column other to value");
    }
    await expect.poll(readiness).toBe(200);
    expect((await environment.data("GET", "/public/table/lists")).status).toBe(200);
  });
});
