import fc from "fast-check";
import { expect, it } from "vitest";
import { addMonths, daysBetween, shownDays } from "../../src/data-views/layouts/calendar/days.ts";
import {
  beginOf,
  eventOf,
  shifted,
  valuesAt,
} from "../../src/data-views/layouts/calendar/event.ts";
import { isAllDay, placeEvents, slotBeside } from "../../src/data-views/layouts/calendar/hours.ts";
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

const timed = (id: string, from: string, to: string | null) => {
  const fields = { start: item("a", "timestamp without time zone"), end: undefined };
  const found = eventOf(row({ a: `2026-10-25T${from}:00` }), fields, "UTC");
  if (found === undefined) throw new Error(`${from} is no time`);
  const end = to === null ? null : Date.parse(`2026-10-25T${to}:00Z`) / 60_000;
  return { ...found, row: { ...found.row, id }, end };
};

it("events that overlap stand side by side, and use the whole width again after them", () => {
  const placed = placeEvents("2026-10-25", [
    timed("a", "09:00", "11:00"),
    timed("b", "09:30", "10:00"),
    timed("c", "10:00", "10:30"),
    timed("d", "12:00", null),
    timed("e", "23:50", "23:55"),
  ]);
  expect(
    placed.map(({ event, from, to, lane, lanes }) => [event.row.id, from, to, lane, lanes]),
  ).toEqual([
    ["a", 540, 660, 0, 2],
    ["b", 570, 600, 1, 2],
    ["c", 600, 630, 1, 2],
    ["d", 720, 780, 0, 1],
    ["e", 1410, 1440, 0, 1],
  ]);
});

it("no two events of a lane overlap", () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(minute, fc.integer({ min: 1, max: 600 })), { maxLength: 40 }),
      (spans) => {
        const midnight = Date.parse("2026-10-25T00:00:00Z") / 60_000;
        const events = spans.map(([from, length], index) => ({
          ...timed(String(index), "00:00", null),
          ...{ begin: midnight + from, end: midnight + from + length },
        }));
        const placed = placeEvents("2026-10-25", events);
        expect(placed.length).toBe(events.length);
        for (const one of placed) {
          expect(one.lane).toBeLessThan(one.lanes);
          const others = placed.filter((other) => other !== one && other.lane === one.lane);
          expect(others.every(({ from, to }) => to <= one.from || from >= one.to)).toBe(true);
        }
      },
    ),
  );
});

it("a night shift has its part on each of its days, and an event of a day or longer stands above the hours", () => {
  const night = { ...timed("n", "22:00", null), end: Date.parse("2026-10-26T02:00:00Z") / 60_000 };
  expect(placeEvents("2026-10-25", [night])).toMatchObject([{ from: 1320, to: 1440 }]);
  expect(placeEvents("2026-10-26", [night])).toMatchObject([{ from: 0, to: 120 }]);
  const long = { ...night, end: Date.parse("2026-10-26T22:00:00Z") / 60_000 };
  expect(isAllDay(long)).toBe(true);
  expect(placeEvents("2026-10-25", [long])).toEqual([]);
});

it("arrows lead from a slot to those beside it, over the end of a month but not of a day", () => {
  expect(slotBeside("2026-10-31", "ArrowRight")).toBe("2026-11-01");
  expect(slotBeside("2026-10-31", "ArrowUp")).toBe("2026-10-24");
  expect(slotBeside("2026-10-31T09", "ArrowDown")).toBe("2026-10-31T10");
  expect(slotBeside("2026-10-31T23", "ArrowDown")).toBeUndefined();
  expect(slotBeside("2026-10-31T09", "Enter")).toBeUndefined();
});

it("a new row begins in its slot on the wall clock of the person, and takes an hour", () => {
  const instant = item("a", "timestamp with time zone");
  const fields = { start: instant, end: item("b", "timestamp with time zone") };
  expect(valuesAt(fields, "2026-10-25T23", "Europe/Berlin")).toEqual({
    ...{ a: "2026-10-25T23:00:00+01:00", b: "2026-10-26T00:00:00+01:00" },
  });
  expect(valuesAt(fields, "2026-03-29T02", "Europe/Berlin")).toEqual({
    ...{ a: "2026-03-29T03:00:00+02:00", b: "2026-03-29T03:00:00+02:00" },
  });
  expect(valuesAt({ start: item("a", "date"), end: undefined }, "2026-10-25", "UTC")).toEqual({
    a: "2026-10-25",
  });
});
