import { createTestDatabase, generatedRuns, type TestDatabase } from "@rowhouse/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  intervalUnits,
  isPart,
  readInterval,
  writeInterval,
} from "../../src/records/values/interval-parts.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it("the parts of PostgreSQL's text are the same interval when they are written", async () => {
  const part = (max: number) => fc.integer({ min: -max, max });
  const texts = fc
    .sample(
      fc.tuple(part(90), part(11), part(400), part(99), part(59), part(59_000_000)),
      generatedRuns(300),
    )
    .map(
      ([years, months, days, hours, minutes, micros]) =>
        `${years} years ${months} mons ${days} days ${hours} hours ${minutes} mins ${micros / 1e6} secs`,
    );
  const stored = await test.database.query<{ readonly text: string }>(
    "select given::interval::text as text from unnest($1::text[]) given",
    [JSON.stringify(texts).replace("[", "{").replace("]", "}")],
  );
  const written = stored.map(({ text }) => {
    const parts = readInterval(text);
    if (parts === undefined) throw new Error(`${text} was not read`);
    expect(
      intervalUnits.every((unit) => isPart(unit, parts[unit])),
      text,
    ).toBe(true);
    return writeInterval(parts) || "0";
  });
  const again = await test.database.query<{ readonly text: string }>(
    "select given::interval::text as text from unnest($1::text[]) given",
    [JSON.stringify(written).replace("[", "{").replace("]", "}")],
  );
  expect(again).toEqual(stored);
});

it("another form stays a text, and letters are no part", () => {
  expect(readInterval("1 year 2 mons")).toBeUndefined();
  expect(readInterval("@ 1 year ago")).toBeUndefined();
  expect(["1", "-3", "", "x", "1.5"].map((text) => isPart("day", text))).toEqual([
    ...[true, true, true, false, false],
  ]);
  expect(isPart("second", "1,5")).toBe(true);
});
