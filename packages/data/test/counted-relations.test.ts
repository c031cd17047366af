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

describe.each([
  ["without an index on the related rows", false],
  ["with an index on the related rows", true],
])("%s", (_, isIndexed) => {
  let test: TestDatabase;
  let client: ReturnType<typeof createClient>;
  let member: TestUser;
  let clerk: TestUser;
  let number = 0;

  const tables = ["drivers", "vehicles", "trips", "stops"];

  beforeAll(async () => {
    test = await createTestDatabase();
    client = createClient(test.database);
    await test.database.query(`
    create table drivers (id int primary key, name text);
    create table vehicles (id int primary key, driver_id int references drivers);
    create table trips (id int primary key, vehicle_id int references vehicles, km int, secret int);
    create table stops (id int primary key, trip_id int references trips);
    insert into drivers values (1, 'Ada'), (2, 'Bo');
    insert into vehicles values (1, 1), (2, 1), (3, 2), (4, null);
    insert into trips values (1, 1, 10, 1), (2, 1, 20, 1), (3, 1, 30, 1), (4, 2, 5, 1), (5, 3, 50, 1);
    insert into stops values (1, 1), (2, 1), (3, 5);
    ${isIndexed ? "create index on trips (vehicle_id); create index on vehicles (driver_id)" : ""}`);
    for (const name of tables) await expose(test.database, "public", name, "GET", "POST", "PATCH");
    const members = await createRole(test.database, "Members");
    for (const name of tables) {
      await grant(test.database, client.snapshots, members, `public/${name}`, { action: "READ" });
    }
    member = await createUser(test.database, "member@example.com", "Members");
    const clerks = await createRole(test.database, "Clerks");
    await grant(test.database, client.snapshots, clerks, "public/vehicles", { action: "READ" });
    await grant(test.database, client.snapshots, clerks, "public/trips", {
      action: "READ",
      fields: ["id", "km"],
      rowFilter: { km: { _gt: 10 } },
    });
    clerk = await createUser(test.database, "clerk@example.com", "Clerks");
  });
  afterAll(() => test.drop());

  const list = (user: TestUser, where: unknown) =>
    client.list(
      user,
      "public/vehicles",
      `fields=id&order_by=id&where=${encodeURIComponent(JSON.stringify(where))}`,
    );
  const ids = async (...args: Parameters<typeof list>) => {
    const { status, body } = await list(...args);
    if (status !== 200) return body;
    return (body as { data: { id: number }[] }).data.map(({ id }) => id).join();
  };

  describe("a condition on the number of related rows", () => {
    it.each([
      [{ trips: { _count: { _gte: 1 } } }, "1,2,3"],
      [{ trips: { _count: { _eq: 0 } } }, "4"],
      [{ trips: { _count: { _in: [0, 3] } } }, "1,4"],
      [{ trips: { _count: { _between: [1, 2] } } }, "2,3"],
      [{ trips: { _count: { _gte: 1, _lt: 3 } } }, "2,3"],
      [{ _not: { trips: { _count: { _gt: 1 } } } }, "2,3,4"],
      [{ trips: { _count: { _gte: 2, _where: { km: { _gte: 20 } } } } }, "1"],
      [{ trips: { _count: { _eq: 0, _where: { km: { _lt: 10 } } } } }, "1,3,4"],
      [{ trips: { _count: { _gte: 1, _where: { stops: { _count: { _gte: 2 } } } } } }, "1"],
      [{ trips: { _count: { _gte: 1 }, _some: { km: { _eq: 50 } } } }, "3"],
      [{ "trips.stops": { _count: { _eq: 1 } } }, "3"],
      [{ trips: { stops: { _count: { _gte: 2 } } } }, "1"],
      [{ "driver.vehicles": { _count: { _gte: 2 } } }, "1,2"],
      [{ driver: { vehicles: { _count: { _eq: 0 } } } }, "4"],
    ])("%j", async (where, expected) => {
      expect(await ids(member, where)).toBe(expected);
    });

    it("can be written in brackets", async () => {
      const query =
        "fields=id&where[trips][_count][_gte]=2&where[trips][_count][_where][km][_gt]=5&count=exact";
      expect(await client.list(member, "public/vehicles", query)).toMatchObject({
        body: { data: [{ id: 1 }], meta: { count: 1 } },
      });
    });

    it("selects the rows of an aggregate, of an estimate and of a list with a related order", async () => {
      const where = "where[trips][_count][_between]=1,2&where[driver.vehicles][_count][_gte]=1";
      const read = (query: string) => client.list(member, "public/vehicles", `${where}&${query}`);
      expect((await read("aggregate=count,sum(id)")).body).toEqual({
        data: [{ count: 2, sum_id: "5" }],
      });
      expect(
        (await read("aggregate=count&group_by=driver.name&order_by=driver.name&count=exact")).body,
      ).toEqual({
        data: [
          { "driver.name": "Ada", count: 1 },
          { "driver.name": "Bo", count: 1 },
        ],
        meta: { count: 2 },
      });
      expect((await read("limit=0&count=estimated")).status).toBe(200);
      expect(
        (await read("fields=id&order_by=-driver.name,-trips.count&count=exact")).body,
      ).toMatchObject({
        data: [{ id: 3 }, { id: 2 }],
        meta: { count: 2 },
      });
    });

    it("counts only the rows that the reader may see", async () => {
      expect(await ids(clerk, { trips: { _count: { _gte: 2 } } })).toBe("1");
      expect(await ids(clerk, { trips: { _count: { _eq: 0 } } })).toBe("2,4");
      expect(await ids(clerk, { trips: { _count: { _gte: 3 } } })).toBe("");
    });

    it("does not reveal whether a hidden relation or field exists", async () => {
      for (const where of [
        { none: { _count: { _gte: 1 } } },
        { driver: { vehicles: { _count: { _gte: 1 } } } },
        { trips: { _count: { _gte: 1, _where: { secret: { _eq: 1 } } } } },
        { trips: { _count: { _gte: 1, _where: { none: { _eq: 1 } } } } },
        { trips: { stops: { _count: { _gte: 1 } } } },
      ]) {
        expect(await list(clerk, where)).toMatchObject({
          status: 400,
          body: { errors: [{ code: "FIELD_UNKNOWN" }] },
        });
      }
    });

    it.each([
      [{ trips: { _count: 3 } }, "QUERY_INVALID"],
      [{ trips: { _count: {} } }, "QUERY_INVALID"],
      [{ trips: { _count: { _where: { km: { _gt: 1 } } } } }, "QUERY_INVALID"],
      [{ trips: { _count: { _gte: 1, _where: 5 } } }, "QUERY_INVALID"],
      [{ trips: { _count: { _near: 1 } } }, "QUERY_INVALID"],
      [{ trips: { _count: { _like: "1" } } }, "QUERY_INVALID"],
      [{ trips: { _count: { _eq: "$NOW" } } }, "QUERY_INVALID"],
      [{ trips: { _count: { _eq: "$FIELD.id" } } }, "QUERY_INVALID"],
      [{ trips: { _count: { _eq: "many" } } }, "VALUE_INVALID"],
      [{ id: { _count: { _eq: 1 } } }, "FIELD_UNKNOWN"],
    ])("%j is refused", async (where, code) => {
      expect(await list(member, where)).toMatchObject({
        status: 400,
        body: { errors: [{ code }] },
      });
    });
  });

  describe("an order by a number of related rows", () => {
    const ordered = async (order: string, user = member, rest = "") => {
      const { status, body } = await client.list(
        user,
        "public/vehicles",
        `fields=id&order_by=${order}${rest}`,
      );
      if (status !== 200) return body;
      return (body as { data: { id: number }[] }).data.map(({ id }) => id).join();
    };

    it.each([
      ["-trips.count", "1,2,3,4"],
      ["trips.count,-id", "4,3,2,1"],
      ["-trips.sum(km)", "4,1,3,2"],
      ["-trips.sum(km):nulls_last", "1,3,2,4"],
      ["trips.max(km)", "2,1,3,4"],
      ["-trips.avg(vehicle.id):nulls_last", "3,2,1,4"],
      ["driver.vehicles.count,id", "4,3,1,2"],
      ["-trips.count,driver.name", "1,2,3,4"],
    ])("%s", async (order, expected) => {
      expect(await ordered(order)).toBe(expected);
    });

    it("counts only the rows that the reader may see", async () => {
      expect(await ordered("-trips.count,-id", clerk)).toBe("1,3,4,2");
      expect(await ordered("trips.sum(km),id", clerk)).toBe("1,3,2,4");
    });

    it("continues from page to page", async () => {
      for (const order of ["-trips.count", "trips.sum(km):nulls_first", "-trips.max(km)"]) {
        const all = await ordered(order);
        const found: number[] = [];
        let cursor = "";
        for (let page = 0; page < 5; page += 1) {
          const { body } = await client.list(
            member,
            "public/vehicles",
            `fields=id&limit=1&order_by=${order}${cursor}`,
          );
          const { data, meta } = body as {
            data: { id: number }[];
            meta?: { nextCursor?: string };
          };
          found.push(...data.map(({ id }) => id));
          if (meta?.nextCursor === undefined) break;
          cursor = `&cursor=${meta.nextCursor}`;
        }
        expect(found.join()).toBe(all);
      }
    });

    it("stands beside the numbers in the rows, filters and counts", async () => {
      const answer = await client.list(
        member,
        "public/vehicles",
        "fields=id,trips.count&order_by=-trips.count&where[trips][_count][_gte]=1&count=exact&limit=2",
      );
      expect(answer.body).toMatchObject({
        data: [
          { id: 1, trips: { count: 3 } },
          { id: 2, trips: { count: 1 } },
        ],
        meta: { count: 3 },
      });
    });

    it.each([
      ["none.count", "FIELD_UNKNOWN"],
      ["trips.sum(none)", "FIELD_UNKNOWN"],
      ["trips.stops.count", "QUERY_INVALID"],
      ["driver.count", "QUERY_INVALID"],
      ["trips.id", "QUERY_INVALID"],
      ["trips.sum(stops.id)", "QUERY_INVALID"],
    ])("%s is refused", async (order, code) => {
      expect(await ordered(order)).toMatchObject({ errors: [{ code }] });
    });

    it("is refused where it is hidden", async () => {
      expect(await ordered("trips.sum(secret)", clerk)).toMatchObject({
        errors: [{ code: "FIELD_UNKNOWN" }],
      });
      expect(await ordered("driver.vehicles.count", clerk)).toMatchObject({
        errors: [{ code: "FIELD_UNKNOWN" }],
      });
    });
  });

  describe("a grant's filter", () => {
    const person = async (rowFilter: unknown) => {
      number += 1;
      const role = await createRole(test.database, `Role ${number}`);
      await grant(test.database, client.snapshots, role, "public/vehicles", {
        action: "READ",
        rowFilter,
      });
      return createUser(test.database, `user-${number}@example.com`, `Role ${number}`);
    };

    it("counts every related row, and those that it selects", async () => {
      expect(await ids(await person({ trips: { _count: { _gte: 2 } } }), {})).toBe("1");
      const where = { km: { _lte: 20 }, stops: { _count: { _eq: 0 } } };
      expect(await ids(await person({ trips: { _count: { _eq: 1, _where: where } } }), {})).toBe(
        "1,2",
      );
      expect(await ids(await person({ "trips.stops": { _count: { _gte: 2 } } }), {})).toBe("1");
    });

    it.each([
      [{ none: { _count: { _gte: 1 } } }, "/data/rowFilter/none"],
      [{ none: { _some: {} } }, "/data/rowFilter/none"],
      [{ trips: { _some: { none: { _none: {} } } } }, "/data/rowFilter/trips/_some/none"],
    ])("%j is refused", async (rowFilter, path) => {
      await expect(person(rowFilter)).rejects.toMatchObject({
        faults: [{ code: "FIELD_UNKNOWN", path }],
      });
    });

    it.each([[{ _some: {} }], [{ _none: {} }], [{ _count: { _gte: 0 } }]])(
      "%j grants nothing after its foreign key is dropped",
      async (condition) => {
        await test.database.query(`
        create table notes (id int primary key, vehicle_id int references vehicles);
        insert into notes values (1, 1)`);
        await expose(test.database, "public", "notes", "GET");
        const user = await person({ notes: condition });
        expect(await list(user, {})).toMatchObject({ status: 200 });
        await test.database.query("alter table notes drop constraint notes_vehicle_id_fkey");
        expect(await list(user, {})).toMatchObject({ status: 404 });
        await test.database.query("drop table notes");
        expect(await list(user, {})).toMatchObject({ status: 404 });
      },
    );
  });
});
