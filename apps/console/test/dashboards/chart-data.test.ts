import { expect, it } from "vitest";
import { readChart } from "../../src/dashboards/model/chart-data.ts";
import {
  besideIn,
  chartFacts,
  drawnChart,
  steppedIndex,
} from "../../src/dashboards/model/drawn-chart.ts";
import type { OpenPanel } from "../../src/dashboards/model/open-panel.ts";
import { amountText } from "../../src/dashboards/model/panel-ways.ts";
import { byMonth, byStatus, count, panelOf, sum, ways } from "./panel-fixtures.ts";

function chartOf(panel: OpenPanel) {
  const data = readChart(panel, ways);
  if (data === undefined) throw new Error("The panel is no chart");
  return data;
}

const months = ["2026-01-31T23:00:00Z", "2026-02-28T23:00:00Z", "2026-03-31T22:00:00Z"];

it("the facts of a chart are the highest, the lowest and the total, without a lost digit", () => {
  const rows = [
    { placed_at_month: months[0], sum_price: "90071992547409930.01" },
    { placed_at_month: months[1], sum_price: "90071992547409930.02" },
    { placed_at_month: months[2], sum_price: "-0.01" },
  ];
  const [facts, ...others] = chartFacts(chartOf(panelOf([byMonth], [sum], rows)));
  expect(others).toEqual([]);
  expect(facts).toMatchObject({
    highest: { where: "March 2026", value: "90071992547409930.02" },
    lowest: { where: "April 2026", value: "-0.01" },
    total: "180143985094819860.02",
  });
  expect(facts && amountText(facts.column, facts.total, ways)).toBe("180,143,985,094,819,860.02");
});

it("an average has no total, and a bucket without a value is neither highest nor lowest", () => {
  const average = { name: "avg_price", apply: "avg", field: "price" } as const;
  const rows = [
    { placed_at_month: months[0], avg_price: null },
    { placed_at_month: months[1], avg_price: "3" },
    { placed_at_month: months[2], avg_price: "7" },
  ];
  expect(chartFacts(chartOf(panelOf([byMonth], [average], rows)))).toMatchObject([
    { count: 2, total: undefined, lowest: { value: "3" }, highest: { value: "7" } },
  ]);
  const none = rows.map((row) => ({ ...row, avg_price: null }));
  expect(chartFacts(chartOf(panelOf([byMonth], [average], none)))).toEqual([]);
});

it("a second group makes a series of each of its values, in the color of its column", () => {
  const rows = [
    { placed_at_month: months[0], status: "OPEN", count: 2 },
    { placed_at_month: months[0], status: null, count: 1 },
    { placed_at_month: months[1], status: "OPEN", count: 4 },
  ];
  const data = chartOf(panelOf([byMonth, byStatus], [count], rows));
  expect(data.points.map(({ text }) => text)).toEqual(["February 2026", "March 2026"]);
  expect(data.series.map(({ text, color }) => [text, color])).toEqual([
    ["OPEN", "amber"],
    ["none", "orange"],
  ]);
  expect(data.cells[1]?.[1]).toBe(undefined);
  expect(data.cells[0]?.[1]?.mark).toEqual({ placed_at_month: months[0], status: null });
  expect(chartFacts(data)[0]?.highest).toEqual({ where: "March 2026, OPEN", value: 4 });
});

it("more series than colors are not drawn, and the chart says how many", () => {
  const rows = Array.from({ length: 20 }, (_, index) => ({
    ...{ placed_at_month: months[0], status: `s${index}`, count: index },
  }));
  const drawn = drawnChart(chartOf(panelOf([byMonth, byStatus], [count], rows)), "line");
  expect(drawn.leftOut).toEqual({ what: "series", shown: 13, count: 20 });
  expect(drawn.legend.map(({ text }) => text)).toEqual(
    Array.from({ length: 13 }, (_, index) => `s${index + 7}`),
  );
});

it("a donut draws the values above zero and says that others are missing", () => {
  const rows = [
    { status: "a", count: 3 },
    { status: "b", count: 0 },
    { status: "c", count: -2 },
  ];
  const drawn = drawnChart(chartOf(panelOf([byStatus], [count], rows)), "donut");
  expect(drawn.cells.map(({ mark }) => mark)).toEqual([{ status: "a" }]);
  expect([drawn.hasNegative, drawn.leftOut]).toEqual([true, null]);
});

it("values that are no numbers are not drawn", () => {
  const rows = [{ status: "a", max_placed_at: "2026-01-01T00:00:00Z" }];
  const latest = { name: "max_placed_at", apply: "max", field: "placed_at" } as const;
  const data = chartOf(panelOf([byStatus], [latest], rows));
  expect(drawnChart(data, "bar").cells).toEqual([]);
  expect(chartFacts(data)).toEqual([]);
});

it("arrow keys reach every value of a chart with gaps", () => {
  const rows = [
    { status: "a", placed_at_month: months[0], count: 1 },
    { status: "a", placed_at_month: months[1], count: 2 },
    { status: "b", placed_at_month: months[1], count: 3 },
    { status: "c", placed_at_month: months[0], count: 4 },
  ];
  const { cells } = drawnChart(chartOf(panelOf([byStatus, byMonth], [count], rows)), "bar");
  expect(cells.map(({ value }) => value)).toEqual([1, 2, 3, 4]);
  const seen = [0];
  for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"]) {
    seen.push(besideIn(key, cells, seen.at(-1) ?? 0) ?? -1);
  }
  expect(seen).toEqual([0, 1, 2, 3, 3, 2]);
  expect(["Home", "End", "PageDown", "x"].map((key) => steppedIndex(key, 1, 4))).toEqual([
    ...[0, 3, 3, undefined],
  ]);
});
