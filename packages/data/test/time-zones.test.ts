import { isTimeZone, postgresTimeZone } from "@rowhouse/settings";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inTimeZone } from "../src/index.ts";
import { createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let names: readonly string[];

// Middays of one year, so that every zone with daylight saving changes its offset twice.
const middays =
  "generate_series(timestamptz '2026-01-15T12:00Z', timestamptz '2026-12-15T12:00Z', interval '1 month')";

/** Names of no IANA zone that JavaScript, ICU or PostgreSQL nevertheless accepts. */
const refused = [
  ...["+05:00", "-0500", "+05", "05:00", "UTC+5", "GMT+5", "Etc/GMT+15", "Etc/GMT+05"],
  ...["Europe/Berlin+5", "Europe/Berlin5", "Foo/Bar5", "SystemV/EST5", "<X>5", "US/Pacific-New"],
  ...[
    "PST",
    "IST",
    "JST",
    "BST",
    "CEST",
    "ACT",
    "Factory",
    "localtime",
    "posixrules",
    "Etc/Unknown",
  ],
  ...["posix/Europe/Oslo", "right/UTC", "../UTC", "Europe/../UTC", "Europe/Nowhere", "Mars/Base"],
  ...["", " ", "UTC ", "Europe/Oslo\n", "Europe", "Europe/", "a".repeat(65)],
];

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  const roleId = await createRole(test.database, "Readers");
  user = await createUser(test.database, "reader@example.com", "Readers");
  await test.database.query(
    `create table public.events as
     select row_number() over () as id, at from ${middays} at; alter table public.events add primary key (id)`,
  );
  await expose(test.database, "public", "events", "GET");
  await grant(test.database, client.snapshots, roleId, "public/events", { action: "READ" });
  const rows = await test.database.query<{ name: string }>(
    "select name from pg_timezone_names where name not in ('Factory', 'localtime', 'posixrules') order by name",
  );
  names = rows.map(({ name }) => name);
});
afterAll(() => test.drop());

describe("a time zone", () => {
  it("every name that both PostgreSQL and IANA define is valid, by one rule in JavaScript and in the database", async () => {
    expect(names.length).toBeGreaterThan(480);
    expect(names).toEqual(
      expect.arrayContaining(["Asia/Kolkata", "Europe/Kyiv", "Etc/UTC", "GMT", "Asia/Calcutta"]),
    );
    expect(names.filter((name) => !isTimeZone(name))).toEqual([]);
    expect(isTimeZone("europe/oslo")).toBe(true);
    const known = await test.database.query<{ name: string }>(
      "select name from unnest($1::text[]) name where not system.is_time_zone(name)",
      [`{${names.map((name) => `"${name}"`).join()}}`],
    );
    expect(known).toEqual([]);
  });

  it.each(refused)(
    "an offset, an abbreviation or an invented name is invalid: %j",
    async (name) => {
      expect(isTimeZone(name)).toBe(false);
      const [row] = await test.database.query<{ known: boolean }>(
        "select system.is_time_zone($1::text) as known",
        [name],
      );
      expect(row?.known).toBe(false);
      await expect(
        test.database.query("update system.users set time_zone = $1::text", [name]),
      ).rejects.toThrow();
    },
  );

  it("the header accepts valid names and rejects others, whether or not the request uses a date", async () => {
    for (const name of names) {
      expect(inTimeZone({ kind: "LIST" } as never, name)).toMatchObject({ timeZone: name });
    }
    for (const name of refused) {
      expect(() => inTimeZone({ kind: "LIST" } as never, name)).toThrow("IANA time zone name");
    }
  });

  it("a name has the offsets of its IANA zone, also if PostgreSQL has a fixed abbreviation of that name", async () => {
    // PostgreSQL never reads a session's own time zone as an abbreviation.
    const other = await test.database.transaction(async (transaction) => {
      const found: string[] = [];
      for (const name of names) {
        await transaction.query("select set_config('TimeZone', $1::text, true)", [name]);
        const [row] = await transaction.query<{ differs: boolean }>(
          `select bool_or(m::timestamp <> m at time zone $1::text) as differs from ${middays} m`,
          [postgresTimeZone(name)],
        );
        if (row?.differs !== false) found.push(name);
      }
      return found;
    });
    expect(other).toEqual([]);
  });

  it.each([
    ["CET", "Europe/Brussels"],
    ["met", "Europe/Brussels"],
    ["EET", "Europe/Athens"],
    ["WET", "Europe/Lisbon"],
  ])(
    "a header, a setting and a preference begin days at the same time: %s as %s",
    async (name, same) => {
      const days = async (zone?: string) => {
        const query = "aggregate=count&group_by=date_trunc(day,at)";
        return (await client.list(user, "public/events", query, zone)).body;
      };
      const expected = await days(same);
      expect(expected).not.toEqual(await days("UTC"));
      expect(await days(name)).toEqual(expected);
      await test.database.query(
        "insert into system.settings (key, value) values ('system.timezone', to_json($1::text))",
        [name],
      );
      expect(await days("Asia/Tokyo")).toEqual(expected);
      await test.database.query(
        "update system.settings set value = '\"Asia/Tokyo\"' where key = 'system.timezone'",
      );
      await test.database.query(
        "update system.users set time_zone = $1::text where id = $2::uuid",
        [name, user.id],
      );
      expect(await days()).toEqual(expected);
      await test.database.query("update system.users set time_zone = null");
      await test.database.query("delete from system.settings");
    },
  );
});
