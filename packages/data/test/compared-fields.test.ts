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

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let member: TestUser;
let clerk: TestUser;
let roles: { readonly members: string; readonly clerks: string };

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  roles = {
    members: await createRole(test.database, "Members"),
    clerks: await createRole(test.database, "Clerks"),
  };
  member = await createUser(test.database, "member@example.com", "Members");
  await test.database.query(`
    create extension citext;
    create type mood as enum ('sad', 'fine');
    create domain stage as mood;
    create collation folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    create table drivers (id int primary key, name text not null, hired date, boss_id int references drivers);
    create table trips (id int primary key, driver_id int references drivers, alias text,
      planned int, driven numeric, measured double precision, day date, started timestamptz, ended timestamp,
      short varchar(20), padded character(6), loose citext, folded text collate folding, german text collate "de-x-icu",
      feeling mood, stage stage, words text[], other_words text[] collate "de-x-icu", counts int[], data jsonb, raw json,
      open boolean, span int4range);
    create table stops (id int primary key, trip_id int references trips, arrived int, left_at int);
    insert into drivers values (1, 'Ada', '2024-01-10', null), (2, 'Bo', '2024-02-01', 1), (3, 'Cy', null, 2);
    insert into trips values
      (1, 1, 'Ada', 10, 10.0, 10, '2024-01-09', '2024-01-09T23:30:00Z', '2024-01-09 23:30', 'x', 'x', 'X', 'x', 'x',
        'sad', 'sad', '{a}', '{a}', '{1}', '{"a": 10, "name": "Ada"}', '1', true, '[1,5)'),
      (2, 2, 'Ada', 5, 7.5, 7.5, '2024-03-01', '2024-03-01T12:00:00Z', '2024-03-01 11:00', 'y', 'x', 'y', 'Y', 'z',
        'sad', 'fine', '{a,b}', '{a}', '{2}', '{"a": 4, "name": "Bo"}', '1', true, '[1,5)'),
      (3, 3, null, 8, null, 'NaN', null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
        false, null),
      (4, null, 'Dee', 9007199254740993 % 1000000, 9007199254740993, 9007199254740992, 'infinity', 'infinity', 'infinity',
        'a', 'a', 'A', 'A', 'A', 'fine', 'sad', '{}', '{b}', '{}', '{"a": "4"}', '1', null, 'empty');
    insert into stops values (1, 1, 3, 5), (2, 1, 9, 7), (3, 2, 4, 4)`);
  for (const name of ["drivers", "trips", "stops"]) {
    await expose(test.database, "public", name, "GET", "POST", "PATCH");
    for (const action of ["READ", "CREATE", "UPDATE"] as const) {
      await grant(test.database, client.snapshots, roles.members, `public/${name}`, { action });
    }
  }
  const parts = [
    { fields: ["id", "alias", "planned"], rowFilter: { id: { _lte: 3 } } },
    { fields: ["driven"], rowFilter: { id: { _eq: 2 } } },
    { fields: ["driver_id"] },
  ];
  for (const [index, part] of parts.entries()) {
    const role = await createRole(test.database, `Part ${index}`);
    await grant(test.database, client.snapshots, role, "public/trips", { action: "READ", ...part });
  }
  clerk = await createUser(
    test.database,
    "clerk@example.com",
    "Clerks",
    "Part 0",
    "Part 1",
    "Part 2",
  );
  await grant(test.database, client.snapshots, roles.clerks, "public/drivers", {
    action: "READ",
    rowFilter: { id: { _neq: 1 } },
  });
});
afterAll(() => test.drop());

const written = (where: unknown) => `where=${encodeURIComponent(JSON.stringify(where))}`;
const list = (user: TestUser, where: unknown, name = "trips", zone?: string) =>
  client.list(user, `public/${name}`, `fields=id&order_by=id&${written(where)}`, zone);
const ids = async (...args: Parameters<typeof list>) => {
  const { status, body } = await list(...args);
  if (status !== 200) return body;
  return (body as { data: { id: number }[] }).data.map(({ id }) => id).join();
};

describe("a field compared with another field", () => {
  it.each([
    // Numbers compare by their exact values.
    [{ planned: { _eq: "$FIELD.driven" } }, "1"],
    [{ driven: { _eq: "$FIELD.measured" } }, "1,2"],
    [{ driven: { _gt: "$FIELD.measured" } }, "4"],
    [{ measured: { _gte: "$FIELD.planned" } }, "1,2,3,4"],
    [{ planned: { _between: ["$FIELD.id", "$FIELD.driven"] } }, "1,2,4"],
    [{ planned: { _nbetween: [6, "$FIELD.measured"] } }, "2"],
    [{ _not: { planned: { _eq: "$FIELD.driven" } } }, "2,4"],
    // Texts, in the order of the database.
    [{ short: { _eq: "$FIELD.padded" } }, "1,4"],
    [{ short: { _eq: "$FIELD.german" } }, "1"],
    [{ german: { _gt: "$FIELD.short" } }, "2"],
    [{ folded: { _eq: "$FIELD.short" } }, "1"],
    [{ loose: { _eq: "$FIELD.loose" } }, "1,2,4"],
    [{ loose: { _eq: "$FIELD.short" } }, "2"],
    [{ feeling: { _eq: "$FIELD.stage" } }, "1"],
    [{ stage: { _gt: "$FIELD.feeling" } }, "2"],
    [{ words: { _eq: "$FIELD.other_words" } }, "1"],
    [{ span: { _eq: "$FIELD.span" } }, "1,2,4"],
    [{ open: { _eq: "$FIELD.open" } }, "1,2,3"],
    // A part of a document.
    [{ data: { _path: { name: { _eq: "$FIELD.driver.name" } } } }, "1,2"],
    // Across relations, however the path is written.
    [{ "driver.name": { _eq: "$FIELD.alias" } }, "1"],
    [{ driver: { name: { _eq: "$FIELD.alias" } } }, "1"],
    [{ alias: { _eq: "$FIELD.driver.name" } }, "1"],
    [{ alias: { _eq: "$FIELD.driver.boss.name" } }, "2"],
    [{ driver: { name: { _gt: "$FIELD.driver.boss.name" } } }, "2,3"],
    [{ _not: { "driver.name": { _eq: "$FIELD.alias" } } }, "2"],
    // To-many: both fields are of one related row.
    [{ stops: { arrived: { _gt: "$FIELD.stops.left_at" } } }, "1"],
    [{ stops: { _some: { arrived: { _gt: "$FIELD.left_at" } } } }, "1"],
    [{ stops: { _every: { arrived: { _lte: "$FIELD.left_at" } } } }, "2,3,4"],
    [{ stops: { _some: { arrived: { _lt: "$FIELD.trip.planned" } } } }, "1,2"],
    [{ "stops.arrived": { _gt: "$FIELD.id" } }, "1,2"],
    // A literal of this form.
    [{ alias: { _neq: "$$FIELD.alias" } }, "1,2,4"],
  ])("%j", async (where, expected) => {
    expect(await ids(member, where)).toBe(expected);
  });

  it("a timestamp with time zone has its date and time in the caller's time zone", async () => {
    const late = { started: { _gte: "$FIELD.day" } };
    expect(await ids(member, { ended: { _eq: "$FIELD.started" } }, "trips", "UTC")).toBe("1,4");
    expect(await ids(member, { ended: { _eq: "$FIELD.started" } }, "trips", "Etc/GMT+1")).toBe(
      "2,4",
    );
    expect(await ids(member, late, "trips", "UTC")).toBe("1,2,4");
    expect(await ids(member, { day: { _gt: "$FIELD.started" } }, "trips", "Etc/GMT+12")).toBe("");
    expect(await ids(member, { "driver.hired": { _lt: "$FIELD.started" } }, "trips", "UTC")).toBe(
      "2",
    );
    expect(
      await ids(member, { "driver.hired": { _lt: "$FIELD.started" } }, "trips", "Etc/GMT-2"),
    ).toBe("1,2");
  });

  it("results of an aggregation are compared under having", async () => {
    const answer = await client.list(
      member,
      "public/trips",
      "group_by=driver_id&aggregate=sum(planned),sum(driven)&order_by=driver_id&having[sum_driven][_gt]=$FIELD.sum_planned",
    );
    expect(answer.body).toMatchObject({ data: [{ driver_id: 2 }, { driver_id: null }] });
  });

  it.each([
    [
      "count(*),count_distinct(planned)",
      "having[count_*][_eq]=$FIELD.count_distinct_planned",
      [1, 2, 3, null],
    ],
    ["count(*),count(driven)", "having[count_*][_gt]=$FIELD.count_driven", [3]],
    ["count(*),sum(planned)", "having[sum_planned][_lt]=$FIELD.count_*", []],
    ["count(*),max(planned)", "having[count_*][_lt]=$FIELD.max_planned", [1, 2, 3, null]],
  ])("counts are numbers under having: %s %s", async (aggregate, having, drivers) => {
    const query = `group_by=driver_id&aggregate=${aggregate}&order_by=driver_id&${having}`;
    const { body } = await client.list(member, "public/trips", query);
    const { data } = body as { data?: { driver_id: number | null }[] };
    expect(
      data?.map((row) => row.driver_id),
      JSON.stringify(body),
    ).toEqual(drivers);
  });

  it("pages of a filtered list continue", async () => {
    const query = `order_by=-id&limit=1&${written({ measured: { _gte: "$FIELD.planned" } })}`;
    const first = await client.list(member, "public/trips", query);
    const { nextCursor } = (first.body as { meta: { nextCursor: string } }).meta;
    const next = await client.list(member, "public/trips", `${query}&cursor=${nextCursor}`);
    expect(next.body).toMatchObject({ data: [{ id: 3 }] });
  });

  it.each([
    [{ alias: { _eq: "$FIELD.planned" } }, "The types of these fields do not compare"],
    [{ words: { _eq: "$FIELD.alias" } }, "The types of these fields do not compare"],
    [{ words: { _eq: "$FIELD.counts" } }, "The types of these fields do not compare"],
    [{ feeling: { _eq: "$FIELD.alias" } }, "The types of these fields do not compare"],
    [{ raw: { _eq: "$FIELD.raw" } }, "_eq does not apply to this field"],
    [{ data: { _eq: "$FIELD.raw" } }, "The types of these fields do not compare"],
    [
      { id: { _eq: "$FIELD.stops.arrived" } },
      "The other field must be of this row, or of a row that it refers to",
    ],
    [
      { alias: { _in: ["$FIELD.short"] } },
      "A list can only contain plain values and known variables",
    ],
    [
      { alias: { _eq: "$FIELD." } },
      "Unknown variable, or a variable that this operator does not support",
    ],
  ])("%j is refused", async (where, message) => {
    expect(await list(member, where)).toMatchObject({
      status: 400,
      body: { errors: [{ code: "QUERY_INVALID", message }] },
    });
  });
});

describe("a field that the reader may not see", () => {
  it("cannot be compared with, whether it exists or not", async () => {
    const answers = await Promise.all(
      ["measured", "none", "driver.secret", "stops.arrived"].map((name) =>
        list(clerk, { planned: { _gt: `$FIELD.${name}` } }),
      ),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: "FIELD_UNKNOWN" }] } });
    }
  });

  it("counts as null in the rows in which it is hidden, on both sides", async () => {
    expect(await ids(clerk, { planned: { _lte: "$FIELD.driven" } })).toBe("2");
    expect(await ids(clerk, { _not: { planned: { _lte: "$FIELD.driven" } } })).toBe("");
    expect(await ids(clerk, { driven: { _gte: "$FIELD.planned" } })).toBe("2");
    // The driver of trip 1 is hidden.
    expect(await ids(clerk, { alias: { _neq: "$FIELD.driver.name" } })).toBe("2");
    expect(await ids(clerk, { alias: { _eq: "$FIELD.driver.name" } })).toBe("");
    expect(await ids(clerk, { alias: { _eq: "$FIELD.driver.boss.name" } })).toBe("");
  });
});

describe("a grant", () => {
  let number = 0;
  const create = async (input: Partial<Parameters<typeof grant>[4]>, name = "trips") => {
    number += 1;
    const role = await createRole(test.database, `Role ${number}`);
    const user = await createUser(test.database, `user-${number}@example.com`, `Role ${number}`);
    await grant(test.database, client.snapshots, role, `public/${name}`, {
      action: "READ",
      ...input,
    });
    return { role, user };
  };

  it("compares fields in its row filter, and follows a renamed column", async () => {
    const { user } = await create({
      rowFilter: {
        planned: { _lt: "$FIELD.driven" },
        "driver.name": { _neq: "$FIELD.alias" },
        stops: { _some: { arrived: { _gte: "$FIELD.left_at" } } },
      },
    });
    expect(await ids(user, {})).toBe("2");
    await test.database.query("alter table trips rename driven to kilometers");
    expect(await ids(user, {})).toBe("2");
    await test.database.query("alter table trips rename kilometers to driven");
  });

  it("compares the new values in its check", async () => {
    const { role, user } = await create({});
    await grant(test.database, client.snapshots, role, "public/trips", {
      action: "CREATE",
      check: { planned: { _lte: "$FIELD.driven" }, alias: { _eq: "$FIELD.driver.name" } },
    });
    const row = { id: 90, planned: 5, driven: 6, driver_id: 1, alias: "Ada" };
    expect(await client.create(user, "public/trips", { ...row, planned: 7 })).toMatchObject({
      status: 403,
    });
    expect(await client.create(user, "public/trips", { ...row, alias: "Bo" })).toMatchObject({
      status: 403,
    });
    expect(await client.create(user, "public/trips", row)).toMatchObject({ status: 201 });
    await test.database.query("delete from trips where id = 90");
  });

  it.each([
    [{ alias: { _eq: "$FIELD.planned" } }, "BODY_INVALID", "/data/rowFilter/alias/_eq"],
    [{ alias: { _eq: "$FIELD.none" } }, "FIELD_UNKNOWN", "/data/rowFilter/alias/_eq"],
    [{ id: { _eq: "$FIELD.stops.arrived" } }, "BODY_INVALID", "/data/rowFilter/id/_eq"],
  ])("%j is refused", async (rowFilter, code, path) => {
    await expect(create({ rowFilter })).rejects.toMatchObject({ faults: [{ code, path }] });
  });

  it("grants nothing after the column that it compares with is dropped", async () => {
    await test.database.query("alter table trips add column extra int");
    await test.database.query("update trips set extra = planned");
    const { user } = await create({ rowFilter: { planned: { _eq: "$FIELD.extra" } } });
    expect(await ids(user, {})).toBe("1,2,3,4");
    await test.database.query("alter table trips drop column extra");
    expect(await list(user, {})).toMatchObject({ status: 404 });
  });
});
