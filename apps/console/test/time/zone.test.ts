import { createTestDatabase, generatedRuns, type TestDatabase } from "@rowhouse/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  dayAt,
  dayStart,
  instantOfWall,
  offsetOfWall,
  parseTime,
  utcOf,
  wallAt,
  writeFull,
  writeInstantOfWall,
  writeOffset,
} from "../../src/shell/time/zone.ts";

const zones = [
  ...["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe"],
  ...["UTC", "America/Sao_Paulo"],
];
let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const minuteMs = 60_000;
const anyMinute = fc
  .integer({ min: Date.UTC(1975, 0) / minuteMs, max: Date.UTC(2037, 0) / minuteMs })
  .map((minute) => minute * minuteMs);

/** Instants around the changes of a zone's clocks, of each half an hour for two days. */
async function nearChanges(zone: string): Promise<readonly number[]> {
  const rows = await test.database.query<{ readonly ms: string }>(
    `with days as (
       select t, (t at time zone $1) - (t at time zone 'UTC') as ahead
       from generate_series('2009-01-01Z'::timestamptz, '2026-12-31Z', '1 day') t),
     changes as (select t, lag(ahead) over (order by t) is distinct from ahead as is_change from days)
     select (extract(epoch from c.t + half * interval '30 minutes') * 1000)::bigint::text as ms
     from changes c, generate_series(-48, 48) half where c.is_change order by 1 limit 3000`,
    [zone],
  );
  return rows.map(({ ms }) => Number(ms));
}

/** What PostgreSQL says of instants: the wall clock in a zone. */
async function wallsOf(instants: readonly number[], zone: string): Promise<readonly string[]> {
  const rows = await test.database.query<{ readonly wall: string }>(
    `select to_char(to_timestamp(ms / 1000.0) at time zone $2, 'YYYY-MM-DD"T"HH24:MI:SS') as wall
     from unnest($1::bigint[]) with ordinality as given (ms, place) order by place`,
    [`{${instants.join()}}`, zone],
  );
  return rows.map(({ wall }) => wall);
}

const randomInstants = (): readonly number[] => fc.sample(anyMinute, generatedRuns(400));

it.each(zones)(
  "a wall clock of %s is that of PostgreSQL, and leads back to the first instant that has it",
  async (zone) => {
    const instants = [...randomInstants(), ...(await nearChanges(zone))];
    const walls = await wallsOf(instants, zone);
    expect(instants.map((ms) => writeFull(wallAt(ms, 0, zone)))).toEqual(walls);
    expect(instants.map((ms) => dayAt(ms, zone))).toEqual(walls.map((wall) => wall.slice(0, 10)));
    const back = instants.map((ms) => instantOfWall(wallAt(ms, 0, zone), zone));
    // The same wall clock at an instant that is not later.
    expect(await wallsOf(back, zone)).toEqual(walls);
    expect(back.filter((ms, index) => ms > (instants[index] ?? 0))).toEqual([]);
    const earlier = back.flatMap((ms) => [ms - 30 * minuteMs, ms - 60 * minuteMs]);
    const wallsBefore = await wallsOf(earlier, zone);
    expect(wallsBefore.filter((wall, index) => wall === walls[index >> 1])).toEqual([]);
  },
);

it.each(zones)(
  "a time that clocks of %s skip is known, and moved by what they skip",
  async (zone) => {
    const typed = (await nearChanges(zone)).map((ms) => wallAt(ms, 0, "UTC"));
    const written = typed.map((wall) => writeInstantOfWall(wall, zone));
    const rows = await test.database.query<{ readonly wall: string; readonly forward: string }>(
      `select to_char(written::timestamptz at time zone $3, 'YYYY-MM-DD"T"HH24:MI:SS') as wall,
       to_char((typed::timestamp at time zone $3) at time zone $3, 'YYYY-MM-DD"T"HH24:MI:SS') as forward
     from unnest($1::text[], $2::text[]) with ordinality as given (written, typed, place) order by place`,
      [`{${written.join()}}`, `{${typed.map(writeFull).join()}}`, zone],
    );
    for (const [index, wall] of typed.entries()) {
      const text = writeFull(wall);
      const { wall: stored, forward } = rows[index] ?? {};
      // PostgreSQL moves a skipped time in the same way.
      expect(stored, text).toBe(forward);
      expect(offsetOfWall(wall, zone) === undefined, text).toBe(forward !== text);
    }
  },
);

it.each(zones)("a day of %s begins where PostgreSQL cuts it", async (zone) => {
  const days = [...randomInstants(), ...(await nearChanges(zone))].map((ms) => dayAt(ms, zone));
  const rows = await test.database.query<{ readonly ms: string }>(
    `select (extract(epoch from day::date::timestamp at time zone $2) * 1000)::bigint::text as ms
     from unnest($1::text[]) with ordinality as given (day, place) order by place`,
    [`{${days.join()}}`, zone],
  );
  expect(days.map((day) => dayStart(day, zone))).toEqual(rows.map(({ ms }) => Number(ms)));
});

it("what is written is read as the same instant, with every digit", () => {
  const fraction = fc.integer({ min: 0, max: 999_999 });
  fc.assert(
    fc.property(anyMinute, fraction, fc.constantFrom(...zones), (ms, microsecond, zone) => {
      const wall = wallAt(ms, microsecond, zone);
      const offset = offsetOfWall(wall, zone) ?? 0;
      const read = parseTime(`${writeFull(wall)}${writeOffset(offset)}`);
      expect(read).toEqual({ ...wall, offsetS: offset });
      expect(utcOf(wall) - offset * 1000).toBe(Math.floor(instantOfWall(wall, zone)));
    }),
    { numRuns: generatedRuns(400) },
  );
});
