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
let user: TestUser;
let customer: TestUser;

const tables = ["teams", "jobs", "parts", "audited"];

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  const customers = await createRole(test.database, "Customers");
  customer = await createUser(test.database, "customer@example.com", "Customers");
  for (const statement of [
    "create extension if not exists btree_gist",
    "create domain grade as int check (value < 7)",
    "create domain present as text not null",
    "create table teams (id int primary key, code text unique)",
    "insert into teams values (1, 'one'), (2, 'two')",
    `create table jobs (id int primary key, price numeric(6, 2) check (price >= 0), code varchar(3), email text,
       starts timestamptz, ends timestamptz, room int, name text not null default 'x', team int references teams,
       team_code text references teams (code), boss int references jobs, place int, lot int,
       grade grade, said present default 'yes', tenant int default 1, number int,
       constraint in_order check (starts < ends), unique (place, lot), unique (tenant, number),
       exclude using gist (room with =, tstzrange(starts, ends) with &&))`,
    "create unique index on jobs (lower(email)) where price is not null",
    "insert into jobs (id, email, price, room, starts, ends, place, lot, boss, number) values " +
      "(1, 'Taken@example.com', 1, 1, '2026-01-01', '2026-01-09', 1, 1, null, 1), (2, null, 1, 2, null, null, 2, 2, 1, 2)",
    `create table parts (id int, at date, price int check (price >= 0), name text not null default 'x',
       team int references teams, mark text, primary key (id, at), unique (mark, at)) partition by range (at)`,
    "create table parts_2026 partition of parts for values from ('2026-01-01') to ('2027-01-01')",
    "insert into parts values (1, '2026-05-01', 1, 'x', null, 'm')",
    "create table side (id int, price int check (price >= 0))",
    "create table audited (id int primary key, price int)",
    `create function side_too() returns trigger language plpgsql as $$
       begin insert into side values (new.id, new.price); return new; end $$`,
    "create trigger side_too after insert on audited for each row execute function side_too()",
  ]) {
    await test.database.query(statement);
  }
  for (const name of tables) {
    await expose(test.database, "public", name, "GET", "POST", "PATCH");
    for (const action of ["READ", "CREATE", "UPDATE"] as const) {
      await grant(test.database, client.snapshots, roleId, `public/${name}`, { action });
    }
  }
  await grant(test.database, client.snapshots, customers, "public/jobs", {
    ...{ action: "READ", fields: ["id", "email", "number"], rowFilter: { id: { _gt: 100 } } },
  });
  await grant(test.database, client.snapshots, customers, "public/jobs", {
    ...{ action: "CREATE", fields: ["id", "email", "number", "ends", "price", "place"] },
    presets: { starts: "2026-02-01", tenant: 1, lot: 1 },
  });
});
afterAll(() => test.drop());

interface ShownFault {
  readonly code: string;
  readonly path?: string;
  readonly details?: { readonly fields?: readonly string[] };
}

const firstOf = ({ body }: { body: unknown }) => {
  const [fault] = (body as { errors: readonly ShownFault[] }).errors;
  return [fault?.code, fault?.path, fault?.details?.fields];
};

/** A change of a new row or of job 2, the code, the field at fault, and all fields of the constraint if several. */
const faults: readonly [string, object, string, string, (readonly string[])?][] = [
  ["a check", { price: -1 }, "CHECK_VIOLATION", "/price"],
  ["a foreign key", { team: 9 }, "FOREIGN_KEY_VIOLATION", "/team"],
  ["a foreign key to a unique column", { team_code: "no" }, "FOREIGN_KEY_VIOLATION", "/team_code"],
  ["a foreign key to the same table", { boss: 9 }, "FOREIGN_KEY_VIOLATION", "/boss"],
  ["a primary key", { id: 1 }, "UNIQUE_VIOLATION", "/id", ["id"]],
  [
    "a unique index of an expression",
    { email: "taken@EXAMPLE.com", price: 2 },
    "UNIQUE_VIOLATION",
    "/email",
    ["email"],
  ],
  ["a missing value", { name: null }, "REQUIRED_FIELD", "/name"],
  ["a missing value of a domain", { said: null }, "REQUIRED_FIELD", "/said"],
  ["a number out of range", { price: 123456 }, "VALUE_INVALID", "/price"],
  ["a text that is too long", { code: "long" }, "VALUE_INVALID", "/code"],
  ["a check of a domain", { grade: 8 }, "VALUE_INVALID", "/grade"],
  [
    "a check of several columns",
    { starts: "2026-02-02", ends: "2026-02-01" },
    "CHECK_VIOLATION",
    "",
    ["starts", "ends"],
  ],
  [
    "a unique key of several columns",
    { place: 1, lot: 1 },
    "UNIQUE_VIOLATION",
    "",
    ["place", "lot"],
  ],
  [
    "a unique key of which one column is sent",
    { number: 1 },
    "UNIQUE_VIOLATION",
    "/number",
    ["tenant", "number"],
  ],
  [
    "an exclusion",
    { room: 1, starts: "2026-01-03", ends: "2026-01-04" },
    "CONFLICT",
    "",
    ["room", "starts", "ends"],
  ],
];

describe("a write that violates a constraint names its fields", () => {
  it.each(faults)("%s", async (_, change, code, field, fields) => {
    const row = { id: 200, ...change };
    expect(firstOf(await client.create(user, "public/jobs", row))).toEqual([
      ...[code, `/data${field}`, fields],
    ]);
    expect(firstOf(await client.create(user, "public/jobs", [{ id: 201 }, row]))).toEqual([
      ...[code, `/data/1${field}`, fields],
    ]);
    expect(firstOf(await client.update(user, "public/jobs", "2", change))).toEqual([
      ...[code, `/data${field}`, fields],
    ]);
    const query = "where[id][_eq]=2&max_affected=1";
    const many = await client.updateMany(user, "public/jobs", query, change);
    expect(firstOf(many)).toEqual([code, `/data${field}`, fields]);
    const path = "/api/public/table/jobs";
    const batch = await client.batch(user, [
      { method: "POST", path, data: { id: 201 } },
      { method: "PATCH", path: `${path}/2`, data: change },
    ]);
    expect(firstOf(batch)).toEqual([code, `/data/1/data${field}`, fields]);
  });

  it("only one of the fields was changed", async () => {
    const job = { id: 210, starts: "2026-03-01", ends: "2026-03-02" };
    expect((await client.create(user, "public/jobs", job)).status).toBe(201);
    const later = await client.update(user, "public/jobs", "210", { starts: "2026-03-03" });
    expect(firstOf(later)).toEqual(["CHECK_VIOLATION", "/data/starts", ["starts", "ends"]]);
  });

  it("a partition", async () => {
    const row = { id: 2, at: "2026-06-01" };
    const one = async (change: object) =>
      firstOf(await client.create(user, "public/parts", { ...row, ...change }));
    expect(await one({ price: -1 })).toEqual(["CHECK_VIOLATION", "/data/price", undefined]);
    expect(await one({ team: 9 })).toEqual(["FOREIGN_KEY_VIOLATION", "/data/team", undefined]);
    expect(await one({ name: null })).toEqual(["REQUIRED_FIELD", "/data/name", undefined]);
    expect(await one({ mark: "m", at: "2026-05-01" })).toEqual([
      ...["UNIQUE_VIOLATION", "/data", ["mark", "at"]],
    ]);
  });

  it("a key that other rows refer to, of the same table or of another", async () => {
    const team = await client.create(user, "public/jobs", { id: 220, team: 2, boss: 2 });
    expect(team.status).toBe(201);
    const ofTeam = await client.update(user, "public/teams", "2", { id: 3 });
    expect(firstOf(ofTeam)).toEqual(["FOREIGN_KEY_VIOLATION", "/data/id", undefined]);
    const ofJob = await client.update(user, "public/jobs", "2", { id: 3 });
    expect(firstOf(ofJob)).toEqual(["FOREIGN_KEY_VIOLATION", "/data/id", undefined]);
  });

  it("but not those of another table that a trigger writes to", async () => {
    const answer = await client.create(user, "public/audited", { id: 1, price: -1 });
    expect(firstOf(answer)).toEqual(["CHECK_VIOLATION", undefined, undefined]);
  });

  it("but not a field that its caller neither sent nor reads", async () => {
    const create = async (row: object) =>
      firstOf(await client.create(customer, "public/jobs", { id: 230, ...row }));
    expect(await create({ ends: "2026-01-01" })).toEqual([
      ...["CHECK_VIOLATION", "/data/ends", undefined],
    ]);
    expect(await create({ place: 1 })).toEqual(["UNIQUE_VIOLATION", undefined, undefined]);
    expect(await create({ number: 1 })).toEqual(["UNIQUE_VIOLATION", undefined, undefined]);
    // The other row is hidden, the field is not.
    expect(await create({ email: "taken@example.com", price: 2 })).toEqual([
      ...["UNIQUE_VIOLATION", "/data/email", ["email"]],
    ]);
  });
});

describe("an unknown field of a filter is named without its operator", () => {
  it.each([
    ["where[nope][_eq]=1", "where[nope]"],
    ['where={"nope":{"_in":[1]}}', "where[nope]"],
    ["where[team.nope][_null]=true", "where[team.nope]"],
    ["where[_or][1][nope][_eq]=1&where[_or][0][id][_eq]=1", "where[_or][1][nope]"],
    ["where[nope][_path][a][_eq]=1", "where[nope]"],
    ["where[nope][_part][year][_eq]=1", "where[nope]"],
    ["where[nope][_lower][_eq]=1", "where[nope]"],
    ["where[nope][_some][id][_eq]=1", "where[nope]"],
    ["where[nope][_count][_eq]=1", "where[nope]"],
    ["where[nope][_search]=word", "where[nope]"],
    ["where[id][_eq][_field]=nope", "where[id][_eq]"],
    ["aggregate=count(*)&group_by=room&having[nope][_eq]=1", "having[nope]"],
  ])("%s", async (query, path) => {
    expect(firstOf(await client.list(user, "public/jobs", query))[1]).toBe(path);
  });

  it.each([
    ["where[parts][_some][nope][_eq]=1", "where[parts][_some][nope]"],
    [
      "where[parts][_count][_where][nope][_eq]=1&where[parts][_count][_eq]=1",
      "where[parts][_count][_where][nope]",
    ],
    ["fields=id,parts.id&deep[parts][where][nope][_eq]=1", "deep[parts][where][nope]"],
  ])("%s", async (query, path) => {
    expect(firstOf(await client.list(user, "public/teams", query))[1]).toBe(path);
  });
});
