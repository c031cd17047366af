import { expect, it } from "vitest";
import { figureChange } from "../../src/dashboards/model/figure-change.ts";
import { panelCsv, tableColumns } from "../../src/dashboards/model/panel-table.ts";
import { daysOf, periodOf } from "../../src/dashboards/model/period-days.ts";
import { readPivot } from "../../src/dashboards/model/pivot.ts";
import { byMonth, byStatus, count, panelOf, price, sum, ways } from "./panel-fixtures.ts";

const march = "2026-02-28T23:00:00Z";

it("a file has every digit, dates of the board's zone, and no formula", () => {
  const rows = [
    {
      status: '=HYPERLINK("http://x")',
      placed_at_month: march,
      sum_price: "-12345678901234567.89",
    },
    { status: null, placed_at_month: null, sum_price: null },
  ];
  const panel = panelOf([byStatus, byMonth], [sum], rows);
  expect(panelCsv(panel, ways)).toBe(
    [
      "Status,Placed,sum of Price",
      `"'=HYPERLINK(""http://x"")",2026-03-01,-12345678901234567.89`,
      ",,",
      "",
    ].join("\r\n"),
  );
});

it("a label that is a formula is none in a file", () => {
  const panel = panelOf([byStatus], [count], [{ status: "x", count: 1 }]);
  const fields = [{ ...price, name: "status", dataType: "text", label: "@SUM(A1)" }];
  expect(panelCsv({ ...panel, fields }, ways)).toBe(`"'@SUM(A1)",Count\r\nx,1\r\n`);
});

it("a list has values of related rows by their paths", () => {
  const { terms: _, ...panel } = panelOf(
    [],
    [],
    [{ driver: { name: "Ada" }, trips: [{ to: "Oslo" }] }],
  );
  const fields = ["driver.name", "trips.to", "gone.name"].map((name) => ({
    ...{ ...price, name, dataType: name === "trips.to" ? "text[]" : "text" },
  }));
  const columns = tableColumns({ ...panel, kind: "LIST", fields }, ways);
  const texts = columns.map(({ textOf }) => textOf(panel.rows?.[0] ?? {}));
  expect(texts).toEqual(["Ada", "Oslo", "none"]);
});

it("the totals of a pivot are those of the service, and its columns of time are in order", () => {
  const early = "2026-01-31T23:00:00Z";
  const rows = [
    { status: "a", placed_at_month: march, sum_price: "0.1" },
    { status: "b", placed_at_month: march, sum_price: "0.2" },
    { status: "a", placed_at_month: early, sum_price: "3" },
  ];
  const totals = {
    rows: [{ status: "a", sum_price: "3.1" }],
    columns: [{ placed_at_month: march, sum_price: "0.3" }],
    all: { sum_price: "3.3" },
  };
  const pivot = { rows: ["status"], columns: ["placed_at_month"] };
  const read = readPivot({ ...panelOf([byStatus, byMonth], [sum], rows), pivot, totals });
  expect(read.rows.map(({ values }) => values.status)).toEqual(["a", "b"]);
  expect(read.columns.map(({ values }) => values.placed_at_month)).toEqual([early, march]);
  const [a = null, b = null] = read.rows;
  const [first = null, second = null] = read.columns;
  const sums = [
    ...[read.valuesOf(a, first), read.valuesOf(b, first), read.valuesOf(a, null)],
    ...[read.valuesOf(b, null), read.valuesOf(null, second), read.valuesOf(null, null)],
  ].map((values) => values?.sum_price);
  expect(sums).toEqual(["3", undefined, "3.1", undefined, "0.3", "3.3"]);
});

it("a change is exact, and none of a figure that is no number", () => {
  expect(figureChange("90071992547409931.5", "90071992547409930")).toMatchObject({
    ...{ direction: "UP", amount: "1.5" },
  });
  expect(figureChange(3, 4)).toEqual({ direction: "DOWN", amount: "1", part: 0.25 });
  expect(figureChange("-1", "-1")).toMatchObject({ direction: "SAME" });
  expect(figureChange(3, 0)).toMatchObject({ direction: "UP", part: undefined });
  expect(figureChange(null, 4)).toBe(undefined);
  expect(figureChange("P1D", 4)).toBe(undefined);
});

it("a period ends before the day that the link names", () => {
  const period = { from: "2026-03-01", until: "2026-04-01" };
  expect(daysOf(period)).toEqual({ first: "2026-03-01", last: "2026-03-31" });
  expect(periodOf("2026-03-01", "2026-03-31")).toEqual(period);
  expect(periodOf("2026-03-02", "2026-03-01")).toBe(undefined);
  expect(periodOf("", "2026-03-01")).toBe(undefined);
});
