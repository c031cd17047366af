import { firstInstantSql } from "@rowhouse/access";
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
  const roleId = await createRole(test.database, "Readers");
  user = await createUser(test.database, "reader@example.com", "Readers");
  await test.database.query(
    "create table public.events (id int primary key, at timestamptz, on_day date)",
  );
  await expose(test.database, "public", "events", "GET");
  await grant(test.database, client.snapshots, roleId, "public/events", { action: "READ" });
});
afterAll(() => test.drop());

const ids = async (query: string, timeZone?: string): Promise<string> => {
  const answer = await client.list(user, "public/events", `${query}&fields=id`, timeZone);
  expect(answer.status).toBe(200);
  return (answer.body as { data: { id: number }[] }).data.map((row) => row.id).join();
};

/**
 * Inserts rows at the limits of today in a time zone: just before its start, at its start, just before its end, at its
 * end.
 */
async function placeEdges(timeZone: string): Promise<void> {
  await test.database.query("truncate public.events");
  await test.database.query(
    `insert into public.events (id, at)
     select n, (date_trunc('day', now() at time zone $1::text) + shift) at time zone $1::text
     from (values (1, interval '-1 microsecond'), (2, interval '0'), (3, interval '1 day' - interval '1 microsecond'), (4, interval '1 day')) v (n, shift)`,
    [timeZone],
  );
}

describe("a period", () => {
  it("a period is half-open, and each operator compares with the whole interval", async () => {
    await placeEdges("UTC");
    expect(await ids("where[at][_eq]=$PERIOD.today")).toBe("2,3");
    expect(await ids("where[at][_neq]=$PERIOD.today")).toBe("1,4");
    expect(await ids("where[at][_lt]=$PERIOD.today")).toBe("1");
    expect(await ids("where[at][_lte]=$PERIOD.today")).toBe("1,2,3");
    expect(await ids("where[at][_gt]=$PERIOD.today")).toBe("4");
    expect(await ids("where[at][_gte]=$PERIOD.today")).toBe("2,3,4");
    expect(await ids("where[at][_eq]=$PERIOD.yesterday")).toBe("1");
    expect(await ids("where[at][_eq]=$PERIOD.tomorrow")).toBe("4");
    expect(await ids("where[at][_lte]=$NOW")).toContain("1,2");
  });

  it("a period uses the user's time zone, else that of the instance, else that of the request", async () => {
    await placeEdges("Pacific/Auckland");
    expect(await ids("where[at][_eq]=$PERIOD.today", "Pacific/Auckland")).toBe("2,3");
    expect(await ids("where[at][_eq]=$PERIOD.today")).not.toBe("2,3");
    await test.database.query(
      `insert into system.settings (key, value) values ('system.timezone', '"Pacific/Auckland"')`,
    );
    expect(await ids("where[at][_eq]=$PERIOD.today", "America/New_York")).toBe("2,3");
    await placeEdges("America/New_York");
    await test.database.query(
      `update system.users set time_zone = 'America/New_York' where id = '${user.id}'`,
    );
    expect(await ids("where[at][_eq]=$PERIOD.today", "Asia/Tokyo")).toBe("2,3");
    await test.database.query("update system.users set time_zone = null");
    await test.database.query("delete from system.settings");
  });

  it("a period applies to dates without a conversion", async () => {
    await test.database.query("truncate public.events");
    await test.database.query(
      `insert into public.events (id, on_day) select 1 + d, (now() at time zone 'UTC')::date - d from generate_series(0, 10) d`,
    );
    expect(await ids("where[on_day][_eq]=$PERIOD.last_7_days")).toBe("1,2,3,4,5,6,7");
    expect(await ids("where[on_day][_eq]=$PERIOD.today")).toBe("1");
  });
});

describe("a day without one midnight", () => {
  /** Hours by which the zones are behind UTC in winter. It is noon there, so that no day ends during a test. */
  const west = new Date().getUTCHours() - 12;
  const today = `date_trunc('day', now() at time zone 'UTC' - interval '${west} hours')`;

  /**
   * A zone whose clocks change today, in the syntax of POSIX. Summer time starts and ends so many days after today, at an
   * hour of the time until then.
   */
  const zoneOf = async (start: [number, number], end: [number, number]): Promise<string> => {
    // POSIX counts no 29 February.
    const [row] = await test.database.query<{ day: number }>(
      `select case to_char(d, 'MMDD') when '0229' then 59
         else extract(doy from to_date('2023' || to_char(d, 'MMDD'), 'YYYYMMDD')) end::int as day from (select ${today} d) t`,
    );
    const rule = ([days, hour]: [number, number]) =>
      `J${(((row?.day ?? 1) + days + 364) % 365) + 1}/${hour}`;
    return `XST${west}XDT${west - 1},${rule(start)},${rule(end)}`;
  };

  beforeAll(async () => {
    await test.database.query("alter table system.users drop constraint users_time_zone_check");
  });
  afterAll(() => test.database.query("update system.users set time_zone = null"));

  it.each([
    // Havana: 1 o'clock becomes 0 o'clock.
    ["midnight occurs twice", [-100, 0], [0, 1], -1],
    // Santiago, Beirut and Cairo in autumn: 0 o'clock becomes 23 o'clock of the day before.
    ["the hour before midnight occurs twice", [-100, 0], [0, 0], 0],
    // Santiago, Beirut and Cairo in spring: 0 o'clock becomes 1 o'clock.
    ["midnight is skipped", [0, 0], [100, 0], 0],
    ["the hour before midnight is skipped", [-1, 23], [100, 0], -1],
  ] as [string, [number, number], [number, number], number][])(
    "begins at its first instant where %s",
    async (_name, start, end, first) => {
      await test.database.query(
        "update system.users set time_zone = $1::text where id = $2::text::uuid",
        [await zoneOf(start, end), user.id],
      );
      await test.database.query("truncate public.events");
      await test.database.query(
        `insert into public.events (id, at)
         select n, (${today} + make_interval(hours => $1::text::int)) at time zone 'UTC' + shift
         from (values (1, interval '-1 microsecond'), (2, interval '0'), (3, interval '1 hour')) v (n, shift)`,
        [String(west + first)],
      );
      expect(await ids("where[at][_eq]=$PERIOD.today")).toBe("2,3");
      expect(await ids("where[at][_gte]=$PERIOD.last_7_days")).toBe("1,2,3");
      expect(await ids("where[at][_eq]=$PERIOD.yesterday")).toBe("1");
      expect(await ids("where[at][_lt]=$PERIOD.today")).toBe("1");
      expect(await ids("where[at][_gte]=$PERIOD.today")).toBe("2,3");
      expect(await ids("where[at][_gt]=$PERIOD.yesterday")).toBe("2,3");
      expect(await ids("where[at][_neq]=$PERIOD.today")).toBe("1");
    },
  );

  it("begins, in every zone and year, when the clocks first show its date or a later one", async () => {
    const zones = [
      "America/Havana",
      "America/Santiago",
      "Asia/Beirut",
      "Africa/Cairo",
      "America/Nuuk",
    ].concat(
      ["Atlantic/Azores", "America/Scoresbysund", "America/Asuncion", "Asia/Gaza", "Asia/Amman"],
      [
        "Australia/Lord_Howe",
        "America/Sao_Paulo",
        "Antarctica/Troll",
        "Africa/Casablanca",
        "Asia/Tehran",
      ],
    );
    const rows = await test.database.query<{ wrong: string }>(
      `select zone || ' ' || day as wrong from (
         select zone, day, ${firstInstantSql("day", "zone")} as found, first
         from unnest($1::text[]) zone,
           generate_series(timestamp '1995-01-01', timestamp '2037-12-31', interval '1 day') day,
           lateral (select min(g) as first from generate_series(
             (day - interval '6 hours') at time zone zone, (day + interval '6 hours') at time zone zone, interval '15 minutes') g
             where g at time zone zone >= day) o
         where (day - interval '1 day') at time zone zone + interval '48 hours' <> (day + interval '1 day') at time zone zone) t
       where found <> first`,
      [`{${zones.join()}}`],
    );
    expect(rows).toEqual([]);
  });
});
