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

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  await test.database.query(
    `create table kinds (id int primary key);
     create table events (id int generated always as identity primary key, kind int references kinds default 1,
       at timestamptz, local timestamp, day date)`,
  );
  // Each half hour around the changes of clocks and of years, and days over three years.
  await test.database.query(
    `insert into kinds values (1), (2);
     insert into events (at)
       select i from generate_series('2025-10-25 20:00Z'::timestamptz, '2025-10-26 04:00Z', '30 minutes') i
       union all select i from generate_series('2026-03-28 22:00Z'::timestamptz, '2026-03-29 04:00Z', '30 minutes') i
       union all select i from generate_series('2026-10-31 22:00Z'::timestamptz, '2026-11-01 08:00Z', '30 minutes') i
       union all select i from generate_series('2024-12-25 23:30Z'::timestamptz, '2027-01-08 23:30Z', '1 day') i;
     update events set local = at at time zone 'UTC', day = (at at time zone 'UTC')::date;
     insert into events (at, local, day) values ('infinity', 'infinity', 'infinity'), (null, null, null),
       ('0044-03-15 12:00Z BC', '0044-03-15 12:00 BC', '0044-03-15 BC'), ('0044-03-15 12:00Z', '0044-03-15', '0044-03-15')`,
  );
  for (const name of ["kinds", "events"]) {
    await expose(test.database, "public", name, "GET");
    await grant(test.database, client.snapshots, roleId, `public/${name}`, { action: "READ" });
  }
});
afterAll(() => test.drop());

const ask = async (query: string, timeZone = "Europe/Oslo", table = "events") => {
  const { status, body } = await client.list(user, `public/${table}`, query, timeZone);
  expect([status, body]).toMatchObject([200, { data: expect.anything() }]);
  return (body as { data: Record<string, unknown>[] }).data;
};

const units = ["year", "quarter", "month", "week", "day", "hour", "minute"] as const;
const zones = ["Europe/Oslo", "America/Havana", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"];

describe("the name of a period", () => {
  it.each(["at", "local", "day"])("selects the rows of its group, for %s", async (field) => {
    for (const zone of field === "at" ? zones : ["Europe/Oslo"]) {
      for (const unit of units) {
        const group = `group_by=date_trunc(${unit},${field})&aggregate=count&limit=1000`;
        const named = await ask(`${group}&labels=local`, zone);
        const instants = await ask(group, zone);
        expect(named.map(({ count }) => count)).toEqual(instants.map(({ count }) => count));
        const names = named.map((row) => row[`${field}_${unit}`]);
        expect(new Set(names).size).toBe(names.length);
        // Every name, or some of many.
        const step = Math.max(1, Math.floor(names.length / 24));
        for (const [index, name] of names.entries()) {
          if (typeof name !== "string" || name === "infinity" || name.endsWith("BC")) continue;
          if (index % step > 0) continue;
          const condition = encodeURIComponent(`$PERIOD.${name}`);
          const [found] = await ask(`where[${field}][_eq]=${condition}&aggregate=count`, zone);
          expect([zone, name, found?.count]).toEqual([zone, name, named[index]?.count]);
        }
      }
    }
  });

  it("names a month, a quarter, a week and the hour that occurs twice in the zone of the caller", async () => {
    const month = "where[at][_between]=2026-01-31T22:00Z,2026-02-28T22:30Z&group_by=date_trunc";
    expect(await ask(`${month}(month,at)&labels=local`)).toMatchObject([
      { at_month: "2026-02", count: 28 },
    ]);
    expect(await ask(`${month}(quarter,at)&labels=local`)).toMatchObject([
      { at_quarter: "2026-Q1" },
    ]);
    const week = "where[at][_eq]=$PERIOD.2027-01-01&group_by=date_trunc(week,at)&labels=local";
    expect(await ask(week)).toMatchObject([{ at_week: "2026-W53", count: 1 }]);
    const hours = await ask(
      "where[at][_eq]=$PERIOD.2025-10-26&group_by=date_trunc(hour,at)&labels=local",
    );
    expect(hours.slice(1, 5).map(({ at_hour }) => at_hour)).toEqual([
      ...[
        "2025-10-26T01+02:00",
        "2025-10-26T02+02:00",
        "2025-10-26T02+01:00",
        "2025-10-26T03+01:00",
      ],
    ]);
    const ancient = await ask(
      "where[local][_lt]=1000-01-01&group_by=date_trunc(year,local)&labels=local",
    );
    expect(ancient.map(({ local_year }) => local_year)).toEqual(["0044-01-01 00:00:00 BC", "0044"]);
  });

  it("bounds a range: from its start on, or up to its end", async () => {
    const count = async (condition: string) =>
      (await ask(`${condition}&aggregate=count`))[0]?.count as number;
    const inside = await count("where[at][_eq]=$PERIOD.2026-02");
    const from = await count("where[at][_gte]=$PERIOD.2026-02");
    const after = await count("where[at][_gt]=$PERIOD.2026-02");
    expect(from - after).toBe(inside);
    expect(await count("where[at][_gte]=$PERIOD.2026-02&where[at][_lte]=$PERIOD.2026-02-28")).toBe(
      inside,
    );
    expect(await count("where[at][_gte]=2026-01-31T23:00Z&where[at][_lt]=2026-02-28T23:00Z")).toBe(
      inside,
    );
  });

  it("is returned for the groups of related rows", async () => {
    const deep =
      "deep[events][group_by]=date_trunc(year,at)&deep[events][where][at][_eq]=$PERIOD.2026&deep[events][labels]=local";
    const kinds = await ask(`fields=id,events.count&${deep}&where[id][_eq]=1`, undefined, "kinds");
    expect(kinds).toMatchObject([{ events: [{ at_year: "2026" }] }]);
  });

  it.each([
    ["2026-13"],
    ["2026-02-30"],
    ["2026-Q5"],
    ["2026-W00"],
    ["2027-W53"],
    ["0000"],
    ["26"],
    ["2026-2"],
    ["2026-02-01T24"],
    ["2026-02-01T10:60"],
    ["2026-02-01T10:00:00"],
    ["2026-02-01T10+99:00"],
    ["2026-02-01'; drop table events; --"],
  ])("is refused if there is no such period: %s", async (name) => {
    const query = `where[at][_eq]=${encodeURIComponent(`$PERIOD.${name}`)}`;
    const { status, body } = await client.list(user, "public/events", query);
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ code: "QUERY_INVALID", path: "where[at][_eq]" }] },
    ]);
  });

  it.each([
    ["group_by=date_trunc(month,at)&labels=utc", "labels"],
    ["group_by=kind&labels=local", "labels"],
    ["aggregate=count&labels=local", "labels"],
    ["labels=local", "labels"],
  ])("needs a truncated date: %s", async (query, path) => {
    const { status, body } = await client.list(user, "public/events", query);
    expect([status, body]).toMatchObject([400, { errors: [{ code: "QUERY_INVALID", path }] }]);
  });
});
