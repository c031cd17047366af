import { expect, it } from "vitest";
import { addMonths, daysBetween, shownDays } from "../../src/data-views/layouts/calendar/days.ts";
import { beginOf, eventOf, shifted } from "../../src/data-views/layouts/calendar/event.ts";
import type { GridColumn } from "../../src/records/grid/grid-column.ts";
import { lockedColumn } from "../../src/records/readings/reading-resource.ts";

function item(name: string, dataType: string): GridColumn {
  const field = { name, dataType, values: null, label: null, format: null, colors: null };
  return {
    ...{ name, column: lockedColumn(field), reference: undefined, title: undefined },
    ...{ width: 100, isPinned: false, isNumeric: false },
  };
}

const row = (values: object) => ({ id: "1", key: ["1"], values: { ...values }, etag: undefined });

it("a month is shown in whole weeks, which begin as in the language", () => {
  const german = shownDays("2026-11-15", "month", "de-DE");
  expect([german[0], german.at(-1), german.length]).toEqual(["2026-10-26", "2026-12-06", 42]);
  const american = shownDays("2026-11-15", "month", "en-US");
  expect([american[0], american.at(-1), american.length]).toEqual(["2026-11-01", "2026-12-05", 35]);
  expect(shownDays("2026-11-18", "week", "de-DE")[0]).toBe("2026-11-16");
});

it("days and months are counted without a zone, also over a change of the clocks and of the year", () => {
  expect(daysBetween("2026-03-28", "2026-03-30")).toBe(2);
  expect(addMonths("2026-12-31", 1)).toBe("2027-01-01");
  expect(addMonths("2026-03-31", -1)).toBe("2026-02-01");
});

it("a date is on its day in every zone", () => {
  const start = item("due", "date");
  for (const zone of ["Pacific/Kiritimati", "America/Los_Angeles", "UTC"]) {
    const found = eventOf(row({ due: "2026-03-29" }), { start, end: undefined }, zone);
    expect(found).toMatchObject({ first: "2026-03-29", last: "2026-03-29", clock: null });
    expect(shifted(row({ due: "2026-03-29" }), { start, end: undefined }, 1, zone)).toEqual({
      due: "2026-03-30",
    });
  }
});

it("an instant is on its day in the person's zone, and an end at midnight belongs to the day before", () => {
  const fields = {
    start: item("a", "timestamp with time zone"),
    end: item("b", "timestamp with time zone"),
  };
  const values = { a: "2026-10-24T22:30:00+00:00", b: "2026-10-25T23:00:00+00:00" };
  expect(eventOf(row(values), fields, "Europe/Oslo")).toMatchObject({
    ...{ first: "2026-10-25", last: "2026-10-25", clock: "00:30" },
  });
  expect(eventOf(row(values), fields, "UTC")).toMatchObject({
    ...{ first: "2026-10-24", last: "2026-10-25", clock: "22:30" },
  });
});

it("a moved instant keeps its hour of the clock, and an hour that is skipped becomes the next", () => {
  const fields = { start: item("a", "timestamp with time zone"), end: undefined };
  const moved = (text: string, days: number) =>
    shifted(row({ a: text }), fields, days, "Europe/Oslo").a;
  expect(moved("2026-10-24T10:00:00+00:00", 1)).toBe("2026-10-25T12:00:00+01:00");
  expect(moved("2026-03-28T01:30:00+00:00", 1)).toBe("2026-03-29T03:30:00+02:00");
  expect(moved("2026-03-28T11:00:00.25+00:00", 7)).toBe("2026-04-04T12:00:00.25+02:00");
});

it("a time without a zone is moved as it is written", () => {
  const fields = { start: item("a", "timestamp without time zone"), end: undefined };
  expect(shifted(row({ a: "2026-03-28T02:30:00" }), fields, 1, "Europe/Oslo")).toEqual({
    a: "2026-03-29T02:30:00",
  });
});

it("values that no calendar has are on no day", () => {
  const start = item("due", "date");
  for (const due of ["infinity", "0044-03-15 BC", null, undefined]) {
    expect(eventOf(row({ due }), { start, end: undefined }, "UTC")).toBeUndefined();
  }
});

it("a window begins at midnight of the zone for instants, and with the day for dates", () => {
  const instant = item("a", "timestamp with time zone");
  expect(beginOf("2026-10-25", instant, "Europe/Oslo")).toBe("2026-10-25T00:00:00+02:00");
  expect(beginOf("2026-10-26", instant, "Europe/Oslo")).toBe("2026-10-26T00:00:00+01:00");
  expect(beginOf("2026-10-25", item("due", "date"), "Europe/Oslo")).toBe("2026-10-25");
});
