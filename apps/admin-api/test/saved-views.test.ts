// Tiers: usual, topologies.
import { createToken, createUser, expose, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let environment: TestEnvironment;
let ann: TestUser;
let ben: TestUser;
let resourceOf: Record<string, string>;
let grantId: string;

const query = (text: string) => environment.test.database.query<Record<string, string>>(text);
const save = (user: TestUser, more: object = {}) =>
  environment.changeApp("POST", "/saved-views", user.secret, {
    resourceId: resourceOf.cars,
    name: "Mine",
    definition: { version: 1 },
    ...more,
  });
const namesOf = async (user: TestUser, parameters = "") =>
  (await environment.app(`/saved-views${parameters}`, user.secret)).body.data.map(
    (view: { name: string }) => view.name,
  );

beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  await query(
    "create schema yard; create table yard.cars (id int primary key); create table yard.hidden (id int primary key); create table yard.gone (id int primary key)",
  );
  ann = await createUser(database, "ann@example.com", "Drivers");
  ben = await createUser(database, "ben@example.com", "Drivers");
  for (const name of ["cars", "hidden", "gone"]) await expose(database, "yard", name, "GET");
  resourceOf = Object.fromEntries(
    (
      await query(
        "select relation_name as name, id from system.resources where schema_name = 'yard'",
      )
    ).map(({ name, id }) => [name, id]),
  );
  const [role] = await query("select id from system.roles where name = 'Drivers'");
  for (const name of ["gone", "cars"]) {
    const made = await environment.ask("POST", "/grants", {
      roleId: role?.id,
      resourceId: resourceOf[name],
      action: "READ",
    });
    expect(made.status).toBe(201);
    grantId = made.body.data.id;
  }
});
afterAll(() => environment.test.drop());
beforeEach(async () => {
  await query("delete from system.saved_views");
});

describe("a saved view", () => {
  it("can be created, read, listed, changed and deleted by its owner", async () => {
    const definition = {
      version: 1,
      where: { price: { _gt: "12345678901234567890.5" } },
      search: "x",
      orderBy: ["-id"],
      fields: ["id", "driver.name"],
      widths: { id: 80 },
      pinned: ["id"],
      groupBy: ["status"],
      aggregate: ["count"],
      timeZone: "Europe/Oslo",
    };
    const made = await save(ann, { definition });
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    expect(made.body.data).toMatchObject({ name: "Mine", position: 0, definition });
    expect((await environment.app(`/saved-views/${id}`, ann.secret)).body).toEqual(made.body);
    expect((await save(ann, { name: "Second" })).body.data.position).toBe(1);
    expect((await save(ann, { name: "First", position: 0 })).status).toBe(201);
    expect(await namesOf(ann)).toEqual(["First", "Mine", "Second"]);
    expect(await namesOf(ann, `?resourceId=${resourceOf.cars}`)).toHaveLength(3);
    expect(await namesOf(ann, `?resourceId=${resourceOf.gone}`)).toEqual([]);
    const changed = await environment.changeApp("PATCH", `/saved-views/${id}`, ann.secret, {
      name: "Renamed",
      position: 7,
    });
    expect(changed.body.data).toMatchObject({ name: "Renamed", position: 7, definition });
    const removed = await environment.changeApp("DELETE", `/saved-views/${id}`, ann.secret);
    expect(removed.status).toBe(204);
    expect((await environment.app(`/saved-views/${id}`, ann.secret)).status).toBe(404);
  });

  it("of another person gets the same response as a missing one, also for an administrator", async () => {
    const { id } = (await save(ann)).body.data;
    for (const other of [ben, environment.admin]) {
      for (const [method, data] of [
        ["GET", undefined],
        ["PATCH", { name: "Taken" }],
        ["DELETE", undefined],
      ] as const) {
        const answers = [];
        for (const each of [id, nobody, "nonsense"]) {
          const answer = await environment.changeApp(
            method,
            `/saved-views/${each}`,
            other.secret,
            data,
          );
          answers.push([answer.status, answer.body]);
        }
        expect(answers[0]).toMatchObject([404, { errors: [{ code: "NOT_FOUND" }] }]);
        expect(answers).toEqual([answers[0], answers[0], answers[0]]);
      }
      expect(await namesOf(other)).toEqual([]);
    }
    expect(await namesOf(ann)).toEqual(["Mine"]);
    expect((await save(ben)).status).toBe(201);
  });

  it("of a hidden resource cannot be saved, and the response equals that for a missing one", async () => {
    const answers = [];
    for (const resourceId of [resourceOf.hidden, nobody]) {
      const { status, body } = await save(ann, { resourceId });
      answers.push({ status, body });
    }
    expect(answers[0]).toMatchObject({
      status: 400,
      body: { errors: [{ code: "BODY_INVALID", path: "/data/resourceId" }] },
    });
    expect(answers[1]).toEqual(answers[0]);
  });

  it("disappears while its owner may not see the resource, and returns with the right", async () => {
    const { id } = (await save(ann)).body.data;
    const { database } = environment.test;
    await expose(database, "yard", "cars");
    expect(await namesOf(ann)).toEqual([]);
    expect((await environment.app(`/saved-views/${id}`, ann.secret)).status).toBe(404);
    for (const [method, data] of [
      ["PATCH", { name: "x" }],
      ["DELETE", undefined],
    ] as const) {
      const answer = await environment.changeApp(method, `/saved-views/${id}`, ann.secret, data);
      expect(answer.status).toBe(404);
    }
    await expose(database, "yard", "cars", "GET");
    expect(await namesOf(ann)).toEqual(["Mine"]);
    const grant = (await environment.ask("GET", `/grants/${grantId}`)).body.data;
    await environment.ask("DELETE", `/grants/${grantId}`);
    expect(await namesOf(ann)).toEqual([]);
    const { roleId, resourceId, action } = grant;
    const again = await environment.ask("POST", "/grants", { roleId, resourceId, action });
    grantId = again.body.data.id;
    expect(await namesOf(ann)).toEqual(["Mine"]);
  });

  it("has a name that its owner uses once for a resource", async () => {
    const { id } = (await save(ann)).body.data;
    const twice = await save(ann);
    expect([twice.status, twice.faults]).toEqual([409, ["CONFLICT /data/name"]]);
    await save(ann, { name: "Other" });
    const renamed = await environment.changeApp("PATCH", `/saved-views/${id}`, ann.secret, {
      name: "Other",
    });
    expect([renamed.status, renamed.faults]).toEqual([409, ["CONFLICT /data/name"]]);
    expect((await save(ann, { resourceId: resourceOf.gone })).status).toBe(201);
  });

  it("is one of at most 200 of a person, also if several are saved at the same time", async () => {
    await query(
      `insert into system.saved_views (user_id, resource_id, name, position, definition)
       select '${ann.id}', '${resourceOf.cars}', 'View ' || n, n, '{"version":1}' from generate_series(1, 198) n`,
    );
    const answers = await Promise.all(["a", "b", "c", "d"].map((name) => save(ann, { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect((await save(ben)).status).toBe(201);
  });

  it("has a strict definition of at most 16 KiB", async () => {
    for (const [definition, fault] of [
      [{}, "/data/definition/version"],
      [{ version: 2 }, "/data/definition/version"],
      [{ version: 1, more: 1 }, "/data/definition/more"],
      [{ version: 1, widths: { id: "wide" } }, "/data/definition/widths/id"],
      [{ version: 1, timeZone: "Mars/Base" }, "/data/definition/timeZone"],
      [{ version: 1, fields: [] }, "/data/definition/fields"],
      [{ version: 1, orderBy: [1] }, "/data/definition/orderBy/0"],
      [{ version: 1, where: { id: { _in: ["x".repeat(16_400)] } } }, "/data/definition"],
      ["x", "/data/definition"],
    ] as const) {
      const answer = await save(ann, { definition });
      expect([answer.status, answer.faults], JSON.stringify(definition).slice(0, 60)).toEqual([
        400,
        [`BODY_INVALID ${fault}`],
      ]);
    }
  });

  it("is deleted with its resource and with its owner", async () => {
    const person = await createUser(environment.test.database, "leaver@example.com", "Drivers");
    await save(person);
    await environment.changeApp("PATCH", "/preferences", person.secret, { theme: "dark" });
    await query(`delete from system.users where id = '${person.id}'`);
    await save(ann, { resourceId: resourceOf.gone, name: "Gone" });
    await query("drop table yard.gone");
    expect(await query("select name from system.saved_views")).toEqual([]);
    expect(
      await query(`select user_id from system.preferences where user_id = '${person.id}'`),
    ).toEqual([]);
  });

  it("belongs to the user of an admin token as well", async () => {
    const { secret } = await createToken(environment.test.database, environment.admin.id, "admin");
    const made = await save({ ...environment.admin, secret }, { name: "By token" });
    expect(made.status).toBe(201);
    expect(await namesOf(environment.admin)).toEqual(["By token"]);
  });
});

describe("preferences", () => {
  const read = async (user: TestUser) =>
    (await environment.app("/preferences", user.secret)).body.data;
  const change = (user: TestUser, data: unknown) =>
    environment.changeApp("PATCH", "/preferences", user.secret, data);

  it("are empty at first, merge changes, and lose a member by null", async () => {
    expect(await read(ann)).toEqual({});
    const cars = resourceOf.cars ?? "";
    await change(ann, {
      theme: "dark",
      shortcuts: false,
      grid: { [cars]: { widths: { id: 90 } } },
    });
    const merged = await change(ann, {
      density: "compact",
      shortcuts: null,
      grid: { [cars]: { hidden: ["note"], widths: { plate: 120 } }, [nobody]: { order: ["a"] } },
    });
    const expected = {
      theme: "dark",
      density: "compact",
      grid: {
        [cars]: { widths: { id: 90, plate: 120 }, hidden: ["note"] },
        [nobody]: { order: ["a"] },
      },
    };
    expect(merged.body.data).toEqual(expected);
    expect(await read(ann)).toEqual(expected);
    await change(ann, { grid: { [nobody]: null, [cars]: { widths: { id: null } } } });
    expect((await read(ann)).grid).toEqual({
      [cars]: { widths: { plate: 120 }, hidden: ["note"] },
    });
    expect(await read(ben)).toEqual({});
  });

  it("lose nothing if two tabs change them at the same time", async () => {
    const columns = Array.from({ length: 20 }, (_, at) => `c${at}`);
    const cars = resourceOf.cars ?? "";
    await Promise.all(
      columns.map((name) => change(ben, { grid: { [cars]: { widths: { [name]: 100 } } } })),
    );
    expect(Object.keys((await read(ben)).grid[cars].widths).sort()).toEqual(columns.sort());
  });

  it("are strict, and have at most 64 KiB", async () => {
    for (const [data, fault] of [
      [{ theme: "pink" }, "/data/theme"],
      [{ language: "de" }, "/data/language"],
      [{ grid: { nonsense: {} } }, "/data/grid/nonsense"],
      [{ grid: { [nobody]: { widths: { id: 1 } } } }, `/data/grid/${nobody}/widths/id`],
      [{ grid: { [nobody]: { more: 1 } } }, `/data/grid/${nobody}/more`],
    ] as const) {
      const answer = await change(ann, data);
      expect([answer.status, answer.faults]).toEqual([400, [`BODY_INVALID ${fault}`]]);
    }
    const before = await read(ann);
    const hidden = Array.from({ length: 300 }, (_, at) => `${"x".repeat(250)}${at}`);
    const large = await change(ann, { grid: { [nobody]: { hidden } } });
    expect([large.status, large.faults]).toEqual([400, ["BODY_INVALID /data"]]);
    expect(await read(ann)).toEqual(before);
  });
});
