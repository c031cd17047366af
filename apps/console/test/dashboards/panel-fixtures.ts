import type {
  AggregateTerm,
  Mark,
  OpenPanel,
  PanelField,
} from "../../src/dashboards/model/open-panel.ts";
import type { PanelWays } from "../../src/dashboards/model/panel-ways.ts";
import type { Say } from "../../src/records/values/ways.ts";

const say = ((key: string) => key) as unknown as Say;

/** Values as a person in Oslo reads them in English. */
export const ways: PanelWays = {
  ...{ locale: "en", timeZone: "Europe/Oslo", none: "none", emptyText: "empty text" },
  values: { locale: "en", timeZone: "Europe/Oslo", say },
  quarter: (quarter, year) => `Q${quarter} ${year}`,
  week: (start) => `Week of ${start}`,
  aggregate: (apply, name) => (name === null ? "Count" : `${apply} of ${name}`),
};

const plain = { values: null, label: null, format: null, colors: null };
const placedAt: PanelField = {
  ...{ ...plain, name: "placed_at", dataType: "timestamp with time zone", label: "Placed" },
};
const status: PanelField = {
  ...{ ...plain, name: "status", dataType: "text" },
  colors: [{ value: "OPEN", color: "amber" }],
};
export const price: PanelField = {
  ...{ ...plain, name: "price", dataType: "numeric(20,2)", label: "Price" },
};
export const byMonth = { name: "placed_at_month", field: "placed_at", unit: "month" } as const;
export const byStatus = { name: "status", field: "status", unit: null } as const;
export const count: AggregateTerm = { name: "count", apply: "count", field: null };
export const sum: AggregateTerm = { name: "sum_price", apply: "sum", field: "price" };

/** A panel of groups. */
export function panelOf(
  groups: readonly (typeof byMonth | typeof byStatus)[],
  aggregates: readonly AggregateTerm[],
  rows: readonly Mark[],
): OpenPanel {
  return {
    ...{ id: "a", title: "Orders", kind: "CHART", layout: { x: 0, y: 0, w: 6, h: 6 } },
    ...{ presentation: {}, terms: { groups, aggregates }, fields: [placedAt, status, price], rows },
    meta: { asOf: "2026-01-31T10:00:00Z" },
  };
}
