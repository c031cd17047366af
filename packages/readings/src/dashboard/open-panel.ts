import { readName } from "@rowhouse/access";
import {
  type BucketRange,
  isPlainBucket,
  isSmallRange,
  type ShownField,
  type TemporalBase,
  type TimeUnit,
} from "@rowhouse/data";
import type { Relation } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { isMarkable } from "../open/read-rows.ts";
import type { Reader } from "../open/reader.ts";
import {
  ownTitledFields,
  type Titles,
  titledFields,
  valuesInRows,
} from "../open/reference-titles.ts";
import type { Panel } from "../schemas/dashboard-schemas.ts";
import {
  definitionOf,
  groupReadingOf,
  groupTermsOf,
  listReadingOf,
  sparklineBuckets,
  sparklineReadingOf,
} from "../schemas/panel-definition.ts";
import { boundFilters, type FieldFilter, periodOfField } from "./bound-filters.ts";
import { emptyValue, fillGaps } from "./fill-gaps.ts";
import type { OpenParameters } from "./read-parameters.ts";
import type { Groups, Readings, Row } from "./readings.ts";

/** What a panel is read with. */
export interface PanelReader {
  readonly reader: Reader;
  readonly readings: Readings;
  readonly parameters: OpenParameters;
}

/** The content of a panel: members of the response, and a series of buckets that is still to be completed. */
export interface PanelContent {
  readonly members: Readonly<Record<string, unknown>>;
  /** JSON of the rows of a list; null for rows among the members. */
  readonly listed: string | null;
  readonly fields: readonly ShownField[];
  /** Titles of the rows that the values of fields refer to, by the path of the field. */
  readonly titles: ReadonlyMap<string, Titles>;
  readonly asOf: string;
  readonly gap: Gap | null;
}

/** Buckets to complete once the database has generated them. */
export interface Gap {
  readonly range: BucketRange;
  /** Returns the members that replace those of the content. */
  readonly fill: (buckets: readonly string[]) => Readonly<Record<string, unknown>>;
}

/**
 * Reads the content of a panel.
 *
 * @throws AppError ACTION_DENIED if the reader may not see the resource or a field that the panel uses
 */
export async function readPanel(panel: Panel, context: PanelReader): Promise<PanelContent> {
  const { reader, parameters } = context;
  const relation =
    panel.resourceId === null
      ? undefined
      : reader.snapshot.catalogue.relationByResource(panel.resourceId);
  if (relation === undefined) throw createError("ACTION_DENIED");
  const narrowing = boundFilters(panel, relation, parameters, reader);
  switch (panel.kind) {
    case "LIST": {
      const reading = listReadingOf(panel);
      const { fields, rows, more, asOf } = await context.readings.rows(
        reading,
        narrowing,
        relation,
      );
      const members = more.length === 0 ? {} : { more };
      const titled = ownTitledFields(fields, reader);
      const titles = await context.readings.titles(titled, valuesInRows(rows));
      return { members, listed: rows, fields, titles, asOf, gap: null };
    }
    case "FIGURE":
      return readFigure(panel, relation, narrowing, context);
    case "CHART":
      return readChart(panel, relation, narrowing, context);
    case "PIVOT":
      return readPivot(panel, relation, narrowing, context);
    default:
      throw createError("ACTION_DENIED");
  }
}

async function readChart(
  panel: Panel,
  relation: Relation,
  narrowing: readonly FieldFilter[],
  context: PanelReader,
): Promise<PanelContent> {
  const { readings, parameters } = context;
  const groups = await readings.groups(groupReadingOf(panel), narrowing, relation);
  const gap = gapOfChart(panel, groups, parameters);
  return {
    members: {
      ...membersOf(groups),
      rows: groups.rows,
      ...(groups.isCut ? { cut: true } : {}),
      ...(gap === undefined ? {} : { filled: false }),
    },
    listed: null,
    fields: fieldsOf(groups),
    titles: await titlesOf(groups, context),
    asOf: groups.asOf,
    gap: gap ?? null,
  };
}

/** Returns the gap of a chart over time; undefined if its axis is not complete anyway, or has no buckets. */
function gapOfChart(
  panel: Panel,
  { terms, rows, isCut }: Groups,
  parameters: OpenParameters,
): Gap | null | undefined {
  const { fillGaps: isFilled = true, having = null, orderBy = [] } = definitionOf(panel);
  const [axis, series, ...others] = terms.groups;
  if (axis === undefined || axis.unit === null || others.length > 0 || !isFilled) return undefined;
  const [first = ""] = orderBy;
  const isDescending = first.startsWith("-");
  const ordered = readName(first.replace(/^-/, "").replace(/:nulls_(?:first|last)$/, ""));
  // Groups that a limit or a condition left out are no gaps, and in another order there is no place for them.
  if (isCut || having !== null || (first !== "" && ordered !== axis.name)) return null;
  const period = periodOfField(panel, panelFieldOf(panel), parameters);
  const range = rangeOf(
    axis.shown,
    axis.unit,
    rows.map((row) => row[axis.name]),
    period,
  );
  if (range === null || !isSmallRange(range)) return null;
  const { aggregates } = terms;
  return {
    range,
    fill: (buckets) => {
      const seriesName = series?.name ?? null;
      const parts = { axis: axis.name, series: seriesName, aggregates, rows, isDescending };
      const filled = fillGaps(parts, buckets);
      return filled === undefined ? { filled: false } : { rows: filled, filled: true };
    },
  };
}

/** The field of a chart's axis, as written. */
function panelFieldOf(panel: Panel): string {
  const [axis = ""] = groupTermsOf(panel);
  return /^date_trunc\([a-z]+,\s*(\S.*)\)$/s.exec(axis)?.[1] ?? axis;
}

/** The range that buckets cover; null without any. */
function rangeOf(
  { column }: ShownField,
  unit: TimeUnit,
  buckets: readonly unknown[],
  period: BucketRange["period"],
): BucketRange | null {
  const plain = buckets.filter(isPlainBucket).sort();
  const [first = null] = plain;
  if (first === null && period === null) return null;
  const base = column.type.base as TemporalBase;
  return { base, unit, first, last: plain.at(-1) ?? null, period };
}

async function readPivot(
  panel: Panel,
  relation: Relation,
  narrowing: readonly FieldFilter[],
  context: PanelReader,
): Promise<PanelContent> {
  const { readings } = context;
  const reading = groupReadingOf(panel);
  const { rows: rowTerms = [], columns: columnTerms = [] } = definitionOf(panel);
  const totalOf = (groupBy: readonly string[]) =>
    readings.groups({ ...reading, groupBy, limit: null }, narrowing, relation);
  const hasTotals = panel.presentation.totals === true;
  const cells = readings.groups(reading, narrowing, relation);
  const [groups, ofRows, ofColumns, ofAll] = await Promise.all([
    cells,
    ...(hasTotals ? [totalOf(rowTerms), totalOf(columnTerms), totalOf([])] : []),
  ]);
  const names = groups.terms.groups.map(({ name }) => name);
  return {
    members: {
      ...membersOf(groups),
      pivot: { rows: names.slice(0, rowTerms.length), columns: names.slice(rowTerms.length) },
      rows: groups.rows,
      ...(groups.isCut ? { cut: true } : {}),
      ...(hasTotals
        ? {
            totals: {
              rows: ofRows?.rows ?? [],
              columns: columnTerms.length === 0 ? [] : (ofColumns?.rows ?? []),
              all: ofAll?.rows[0] ?? {},
            },
          }
        : {}),
    },
    listed: null,
    fields: fieldsOf(groups),
    titles: await titlesOf(groups, context),
    asOf: groups.asOf,
    gap: null,
  };
}

async function readFigure(
  panel: Panel,
  relation: Relation,
  narrowing: readonly FieldFilter[],
  context: PanelReader,
): Promise<PanelContent> {
  const { reader, readings, parameters } = context;
  const { time, comparison = false, sparkline = false } = definitionOf(panel);
  const reading = groupReadingOf(panel);
  const period = time === undefined ? null : periodOfField(panel, time.field, parameters);
  const isCompared = comparison && time !== undefined && period?.before != null;
  const before = isCompared
    ? boundFilters(panel, relation, parameters, reader, time.field)
    : undefined;
  const spark = sparkline ? time : undefined;
  const [groups, previous, buckets] = await Promise.all([
    readings.groups(reading, narrowing, relation),
    before && readings.groups(reading, before, relation),
    spark && readSparkline(panel, spark, relation, narrowing, context),
  ]);
  const valueIn = (of: Groups): unknown => {
    const [term] = of.terms.aggregates;
    return (term && of.rows[0]?.[term.name]) ?? null;
  };
  return {
    members: {
      ...membersOf(groups),
      rows: groups.rows,
      figure: { value: valueIn(groups), previous: previous ? valueIn(previous) : null },
      ...(buckets === undefined ? {} : { sparkline: buckets.points }),
    },
    listed: null,
    fields: fieldsOf(groups),
    titles: new Map(),
    asOf: groups.asOf,
    gap: buckets?.gap ?? null,
  };
}

interface Sparkline {
  readonly points: readonly Row[];
  readonly gap: Gap | null;
}

async function readSparkline(
  panel: Panel,
  { field, unit }: { readonly field: string; readonly unit?: TimeUnit | undefined },
  relation: Relation,
  narrowing: readonly FieldFilter[],
  { readings, parameters }: PanelReader,
): Promise<Sparkline> {
  const period = periodOfField(panel, field, parameters);
  const used = unit ?? unitOf(period);
  const limit = period === null ? sparklineBuckets : null;
  const present = Object.fromEntries([[field, { _nnull: true }]]);
  const groups = await readings.groups(
    sparklineReadingOf(panel, field, used, limit),
    [...narrowing, present],
    relation,
  );
  const [bucket] = groups.terms.groups;
  const [term] = groups.terms.aggregates;
  if (bucket === undefined || term === undefined) return { points: [], gap: null };
  const rows = [...groups.rows].reverse();
  const pointsOf = (of: readonly Row[]) =>
    of.map((row) => ({ bucket: row[bucket.name], value: row[term.name] ?? emptyValue(term) }));
  const range = rangeOf(
    bucket.shown,
    used,
    rows.map((row) => row[bucket.name]),
    period,
  );
  const points = pointsOf(rows);
  if (range === null || !isSmallRange(range)) return { points, gap: null };
  const fill = (buckets: readonly string[]) => {
    const parts = {
      axis: bucket.name,
      series: null,
      aggregates: [term],
      rows,
      isDescending: false,
    };
    const filled = fillGaps(parts, buckets);
    if (filled === undefined) return {};
    return { sparkline: pointsOf(period === null ? filled.slice(-sparklineBuckets) : filled) };
  };
  return { points, gap: { range, fill } };
}

const dayMs = 86_400_000;

/** The unit in which a sparkline shows a period. */
function unitOf(period: BucketRange["period"]): TimeUnit {
  if (period === null) return "day";
  const days = (Date.parse(period.until.date) - Date.parse(period.from.date)) / dayMs;
  if (days <= 2) return "hour";
  if (days <= 92) return "day";
  return days <= 366 ? "week" : "month";
}

function membersOf({ terms }: Groups): Readonly<Record<string, unknown>> {
  const { groups, aggregates } = terms;
  return {
    names: [...groups, ...aggregates].map(({ name }) => name),
    terms: {
      groups: groups.map(({ name, field, unit }) => ({ name, field, unit })),
      aggregates: aggregates.map(({ name, apply, field }) => ({ name, apply, field })),
    },
    canDrill: groups.every(({ shown }) => isMarkable(shown.column)),
  };
}

/** The titles of the rows that groups stand for; a bucket of time stands for none. */
function titlesOf(
  { terms, rows }: Groups,
  { readings, reader }: PanelReader,
): Promise<PanelContent["titles"]> {
  const groups = terms.groups.filter(({ unit }) => unit === null);
  const nameOf = new Map(groups.map(({ shown, name }) => [shown.path, name]));
  return readings.titles(
    titledFields(
      groups.map(({ shown }) => shown),
      reader,
    ),
    ({ path }) => rows.map((row) => row[nameOf.get(path) ?? ""]),
  );
}

/** The distinct fields of the groups and of the aggregated columns. */
function fieldsOf({ terms: { groups, aggregates } }: Groups): ShownField[] {
  const fields = [...groups, ...aggregates].flatMap(({ shown }) => shown ?? []);
  return [...new Map(fields.map((field) => [field.path, field])).values()];
}
