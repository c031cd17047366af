import { writeName } from "@rowhouse/access/written-name";
import type { TimeUnit } from "../model/open-panel.ts";
import type { ChartForm, PanelContentParts } from "./draft.ts";
import type { Field } from "./fields.ts";
import { aggregateName, writeAggregate, writeGroup } from "./terms.ts";

/** A panel that fits the chosen fields; the title is made of its parts, in the person's language. */
export interface Proposal {
  readonly content: PanelContentParts;
  /** What it measures: a number of the resource, or its rows. */
  readonly measured: Field | undefined;
  readonly by: readonly { readonly field: Field; readonly unit: TimeUnit | null }[];
}

/** Bars below each other, of the greatest groups. */
const barsMax = 12;

interface Parts {
  readonly measured: Field | undefined;
  readonly aggregate: readonly string[];
}

function termsOf(by: Proposal["by"]): readonly string[] {
  return by.map(({ field, unit }) => writeGroup({ field: field.path, unit }));
}

/** Proposes a chart. */
export function chartOf(
  chart: ChartForm,
  parts: Parts & { readonly by: Proposal["by"]; readonly isLong?: boolean },
): Proposal {
  const { measured, aggregate, by, isLong: isSideways = false } = parts;
  const groupBy = termsOf(by);
  const isTime = by[0]?.unit !== null;
  const name = aggregateName(aggregate[0] ?? "");
  const greatestFirst =
    by.length === 1 && !isTime && name !== undefined && (isSideways || chart === "donut")
      ? { orderBy: [`-${writeName(name)}`] }
      : {};
  return {
    content: {
      kind: "CHART",
      definition: {
        aggregate,
        groupBy,
        ...greatestFirst,
        ...(isSideways ? { limit: barsMax } : {}),
      },
      presentation: { version: 1, chart, ...(isSideways ? { horizontal: true } : {}) },
    },
    measured,
    by,
  };
}

/** Proposes a table of groups by groups. */
export function pivotOf(
  parts: Parts & { readonly rows: Proposal["by"]; readonly columns: Proposal["by"] },
): Proposal {
  const { measured, aggregate, rows, columns } = parts;
  return {
    content: {
      kind: "PIVOT",
      definition: { aggregate, rows: termsOf(rows), columns: termsOf(columns) },
      presentation: { version: 1, totals: true },
    },
    measured,
    by: [...rows, ...columns],
  };
}

/** Proposes a single figure. */
export function figureOf(
  measured: Field | undefined,
  apply: "sum" | "avg" | "max",
  time: Field | undefined,
): Proposal {
  const term =
    measured === undefined
      ? ({ apply: "count", field: null } as const)
      : { apply, field: measured.path };
  return {
    content: {
      kind: "FIGURE",
      definition: {
        aggregate: [writeAggregate(term)],
        ...(time === undefined
          ? {}
          : { time: { field: writeName(time.path) }, comparison: true, sparkline: true }),
      },
      presentation: { version: 1 },
    },
    measured,
    by: [],
  };
}

/** Proposes the rows themselves, the latest first. */
export function listOf(fields: readonly Field[], time: Field | undefined): Proposal {
  return {
    content: {
      kind: "LIST",
      definition: {
        fields: fields.map(({ path }) => writeName(path)),
        ...(time === undefined ? {} : { orderBy: [`-${writeName(time.path)}`] }),
        limit: 20,
      },
      presentation: { version: 1, layout: "table", columns: [] },
    },
    measured: undefined,
    by: [],
  };
}
