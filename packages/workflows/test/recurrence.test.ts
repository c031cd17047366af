import { isTimeZone } from "@rowhouse/settings";
import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CronSyntaxError, createRecurrence } from "../src/compile/recurrence.ts";
import { planFiring } from "../src/schedule/fire-schedules.ts";

const berlin = "Europe/Berlin";
/** Returns the occurrences between two moments, in UTC. */
function between(cron: string, from: string, to: string, zone = berlin): string[] {
  const recurrence = createRecurrence(cron, zone);
  const found: string[] = [];
  let at = recurrence.after(Date.parse(from) - 1);
  while (at !== null && at < Date.parse(to)) {
    found.push(new Date(at).toISOString().slice(5, 16));
    at = recurrence.after(at);
  }
  return found;
}

describe("a schedule", () => {
  it("a schedule follows the clock of its time zone", () => {
    const [from, to] = ["2026-07-01T00:00Z", "2026-07-02T00:00Z"];
    expect(between("30 9 * * *", from, to)).toEqual(["07-01T07:30"]);
    expect(between("30 9 * * *", from, to, "Asia/Kolkata")).toEqual(["07-01T04:00"]);
    expect(between("30 9 * * *", from, to, "America/New_York")).toEqual(["07-01T13:30"]);
    expect(between("0 0 L * *", "2026-02-01T00:00Z", "2026-04-01T00:00Z", "UTC")).toEqual([
      "02-28T00:00",
      "03-31T00:00",
    ]);
    // The 1st, and every Monday: cron combines two day fields by OR.
    expect(between("0 0 1 * MON", "2026-06-29T00:00Z", "2026-07-14T00:00Z", "UTC")).toEqual([
      "06-29T00:00",
      "07-01T00:00",
      "07-06T00:00",
      "07-13T00:00",
    ]);
  });

  // 2026-03-29: 02:00 becomes 03:00, so 01:00 in UTC is the first moment after the gap.
  it.each([
    ["30 2 * * *", ["03-29T01:00"]],
    ["0 2,3 * * *", ["03-29T01:00", "03-29T01:01"]],
    ["15 1-3 * * *", ["03-29T00:15", "03-29T01:00", "03-29T01:15"]],
    ["15,30 2 * * *", ["03-29T01:00", "03-29T01:01"]],
    ["0,1,30 2,3 * * *", ["00", "01", "02", "03", "04", "30"].map((at) => `03-29T01:${at}`)],
    ["0 2-3 29 3 *", ["03-29T01:00", "03-29T01:01"]],
    ["0 3 * * *", ["03-29T01:00"]],
    ["*/30 2 * * *", []],
    ["0 * * * *", ["03-28T23:00", "03-29T00:00", "03-29T01:00", "03-29T02:00"]],
  ])("%s has its defined occurrences in the skipped hour of spring", (cron, expected) => {
    expect(between(cron, "2026-03-28T23:00Z", "2026-03-29T03:00Z")).toEqual(expected);
  });

  // 2026-10-25: 03:00 becomes 02:00 again, so 00:00 and 01:00 in UTC are both 02:00.
  it.each([
    ["30 2 * * *", ["10-25T00:30"]],
    ["0 2,3 * * *", ["10-25T00:00", "10-25T02:00"]],
    ["*/30 2 * * *", ["10-25T00:00", "10-25T00:30", "10-25T01:00", "10-25T01:30"]],
    ["0 * * * *", ["10-24T23:00", "10-25T00:00", "10-25T01:00", "10-25T02:00"]],
  ])("%s has its defined occurrences in the repeated hour of autumn", (cron, expected) => {
    expect(between(cron, "2026-10-24T23:00Z", "2026-10-25T03:00Z")).toEqual(expected);
  });

  it.each([
    "",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "0 24 * * *",
    "0 0 0 * *",
    "0 0 * 13 *",
    "0 0 * * 8",
    "*/0 * * * *",
    "5/5 * * * *",
    "x * * * *",
  ])("the cron expression %j is rejected", (cron) => {
    expect(() => createRecurrence(cron, "UTC")).toThrow(CronSyntaxError);
  });

  it("a time zone must be an IANA name", () => {
    const known = ["UTC", berlin, "America/Argentina/Buenos_Aires", "Asia/Calcutta", "US/Eastern"];
    const unknown = ["", "+02:00", "GMT+2", "Mars/Olympus", "Europe/Berlin ", "local"];
    expect([...known, ...unknown].filter(isTimeZone)).toEqual(known);
  });
});

describe("the occurrences that get a run", () => {
  const minute = 60_000;
  const crons = [
    "* * * * *",
    "*/7 * * * *",
    "0 * * * *",
    "30 2 * * *",
    "0 */2 * * *",
    "15 1-3 * * 1-6",
  ];
  const zones = ["UTC", berlin, "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"];
  // Around the clock changes of 2026.
  const start = fc
    .constantFrom(
      "2026-03-08",
      "2026-03-29",
      "2026-04-05",
      "2026-10-04",
      "2026-10-25",
      "2026-11-01",
    )
    .chain((day) =>
      fc
        .integer({ min: -24 * 60, max: 24 * 60 })
        .map((minutes) => Date.parse(day) + minutes * minute),
    );
  const world = fc.record({
    cron: fc.constantFrom(...crons),
    zone: fc.constantFrom(...zones),
    start,
    /** Pauses without a worker, with fractions of milliseconds, as the database's clock has. */
    pauses: fc.array(
      fc.oneof(fc.integer({ min: 1, max: 400 }), fc.double({ min: 0.01, max: 90, noNaN: true })),
      {
        minLength: 1,
        maxLength: 12,
      },
    ),
  });
  const all = (cron: string, zone: string, from: number, to: number): number[] => {
    const recurrence = createRecurrence(cron, zone);
    const found: number[] = [];
    for (let at = recurrence.after(from); at !== null && at <= to; at = recurrence.after(at))
      found.push(at);
    return found;
  };
  /** The runs if a worker looks after each pause, until nothing is due. */
  const simulate = (
    {
      cron,
      zone,
      start,
      pauses,
    }: { cron: string; zone: string; start: number; pauses: readonly number[] },
    catchUp: "LATEST" | "ALL" | "NONE",
  ) => {
    const recurrence = createRecurrence(cron, zone);
    let dueAt = recurrence.after(start);
    let now = start;
    const looks: { now: number; fired: number[] }[] = [];
    for (const pause of pauses) {
      now += pause * minute;
      const fired: number[] = [];
      while (dueAt !== null && dueAt <= now) {
        const { scheduledAt, nextAt } = planFiring(recurrence, catchUp, dueAt, now);
        if (scheduledAt !== null) fired.push(scheduledAt);
        expect(nextAt === null || nextAt > dueAt).toBe(true);
        dueAt = nextAt;
      }
      looks.push({ now, fired });
    }
    return looks;
  };

  it("ALL starts each occurrence once and in order", () => {
    fc.assert(
      fc.property(world, (given) => {
        const looks = simulate(given, "ALL");
        const fired = looks.flatMap((look) => look.fired);
        expect(fired).toEqual(all(given.cron, given.zone, given.start, looks.at(-1)?.now ?? 0));
      }),
      { numRuns: generatedRuns(150) },
    );
  });

  it("LATEST starts the last missed occurrence; NONE only if it is less than a minute late", () => {
    fc.assert(
      fc.property(world, (given) => {
        const [latest, none] = [simulate(given, "LATEST"), simulate(given, "NONE")];
        let before = given.start;
        for (const [index, { now, fired }] of latest.entries()) {
          const last = all(given.cron, given.zone, before, now).slice(-1);
          expect(fired).toEqual(last);
          expect(none[index]?.fired).toEqual(last.filter((at) => now - at <= minute));
          before = now;
        }
      }),
      { numRuns: generatedRuns(150) },
    );
  });

  it("ALL catches up one day and no more", () => {
    const given = {
      cron: "0 * * * *",
      zone: "UTC",
      start: Date.parse("2026-01-01"),
      pauses: [10_000],
    };
    const [look] = simulate(given, "ALL");
    expect(look?.fired).toHaveLength(24);
    expect(look?.fired.at(-1)).toBe(Date.parse("2026-01-07T22:00:00Z"));
  });
});
