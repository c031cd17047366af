import { describe, expect, it } from "vitest";
import {
  bucketText,
  exactBucket,
  shortBucketText,
} from "../../src/dashboards/model/bucket-text.ts";

const oslo = {
  locale: "en-GB",
  timeZone: "Europe/Oslo",
  quarter: (quarter: number, year: string) => `Q${quarter} ${year}`,
  week: (start: string) => `Week of ${start}`,
};
const german = { ...oslo, locale: "de-DE", week: (start: string) => `Woche ab ${start}` };

describe("buckets of instants", () => {
  it("a month begins in the zone of the board, before and after the change of its clocks", () => {
    // Midnight of 1 March is 23:00 UTC in winter, that of 1 April 22:00 UTC in summer.
    expect(bucketText("2026-02-28T23:00:00Z", "month", oslo)).toBe("March 2026");
    expect(bucketText("2026-03-31T22:00:00Z", "month", oslo)).toBe("April 2026");
    expect(exactBucket("2026-03-31T22:00:00Z", "month", "Europe/Oslo")).toBe("2026-04-01");
    expect(bucketText("2026-03-31T22:00:00Z", "month", { ...oslo, timeZone: "UTC" })).toBe(
      "March 2026",
    );
  });

  it("the hour that comes twice has two names, each with its offset", () => {
    const names = ["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"].map((value) =>
      bucketText(value, "hour", oslo),
    );
    expect(names).toEqual(["25 Oct 2026, 02:00 (+02:00)", "25 Oct 2026, 02:00 (+01:00)"]);
    expect(bucketText("2026-10-24T10:00:00Z", "hour", oslo)).toBe("24 Oct 2026, 12:00");
    expect(exactBucket("2026-10-25T01:00:00Z", "hour", "Europe/Oslo")).toBe(
      "2026-10-25T02:00+01:00",
    );
  });

  it("after the hour that clocks skip comes the next one", () => {
    const names = ["2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z"].map((value) =>
      exactBucket(value, "hour", "Europe/Oslo"),
    );
    expect(names).toEqual(["2026-03-29T01:00+01:00", "2026-03-29T03:00+02:00"]);
  });

  it("a day of 23 hours and one of 25 are named by their dates", () => {
    expect(bucketText("2026-03-28T23:00:00Z", "day", oslo)).toBe("29 Mar 2026");
    expect(bucketText("2026-03-29T22:00:00Z", "day", oslo)).toBe("30 Mar 2026");
    expect(bucketText("2026-10-24T22:00:00Z", "day", oslo)).toBe("25 Oct 2026");
    expect(bucketText("2026-10-25T23:00:00Z", "day", oslo)).toBe("26 Oct 2026");
  });
});

describe("buckets of dates and local times", () => {
  it("no zone moves them", () => {
    const far = { ...oslo, timeZone: "Pacific/Kiritimati" };
    expect(bucketText("2026-01-01", "year", far)).toBe("2026");
    expect(bucketText("2026-07-01", "quarter", far)).toBe("Q3 2026");
    expect(bucketText("2026-03-02", "week", far)).toBe("Week of 2 Mar 2026");
    expect(bucketText("2026-03-02T14:00:00", "hour", far)).toBe("2 Mar 2026, 14:00");
    expect(exactBucket("2026-03-02T14:00:00", "hour", "UTC")).toBe("2026-03-02T14:00");
  });

  it("names follow the language", () => {
    expect(bucketText("2026-03-01", "month", german)).toBe("März 2026");
    expect(bucketText("2026-03-02", "week", german)).toBe("Woche ab 02.03.2026");
    expect(shortBucketText("2026-03-01", "month", german)).toBe("März 2026");
  });
});

it("a value that is no time has no name as a bucket, and stays as it is in a file", () => {
  expect(bucketText(null, "month", oslo)).toBe(undefined);
  expect(bucketText("infinity", "month", oslo)).toBe(undefined);
  expect(exactBucket("infinity", "month", "UTC")).toBe("infinity");
  expect(exactBucket(null, "month", "UTC")).toBe(null);
});
