import { writeName } from "@rowhouse/access";
import {
  parseJsonParameter,
  readBucketBounds,
  requestLimitsOf,
  requestOfReading,
  type Terms,
  termsInSight,
} from "@rowhouse/data";
import type { Relation } from "@rowhouse/db";
import { AppError, createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { isExactNumber } from "@rowhouse/wire";
import type { OpenView } from "../open/open-view.ts";
import { isMarkable } from "../open/read-rows.ts";
import type { Reader } from "../open/reader.ts";
import { plainTable } from "../presentation/presentation.ts";
import type { Panel } from "../schemas/dashboard-schemas.ts";
import { definitionOf, groupReadingOf } from "../schemas/panel-definition.ts";
import { boundFilters, type FieldFilter } from "./bound-filters.ts";
import { lostIn, type OpenedDashboard } from "./open-dashboard.ts";
import { isInfinite, isScalarOf, operandOf } from "./parameter-value.ts";

/** Values of some of a panel's groups, by the names of the groups. */
export type Mark = ReadonlyMap<string, unknown>;

/**
 * Reads the query parameter `mark`.
 *
 * @throws AppError QUERY_INVALID for anything but a JSON object
 */
export function parseMark(text: string | undefined): Mark {
  if (text === undefined || text === "") return new Map();
  const value = parseJsonParameter("mark", text);
  if (typeof value !== "object" || value === null || Array.isArray(value) || isExactNumber(value)) {
    const message = "mark must be a JSON object of the names and values of groups";
    throw createError("QUERY_INVALID", { path: "mark", message });
  }
  return new Map(Object.entries(value));
}

/**
 * Returns the rows behind a mark of a panel as a DataView that is not stored: the panel's filter, that of its parameters and
 * the mark narrow it.
 *
 * @throws AppError ACTION_DENIED if the panel is not the reader's; QUERY_INVALID at `mark[name]` for a name that is no group
 * of the panel, and for a value that the group cannot have
 */
export async function viewOfMark(
  panel: Panel,
  mark: Mark,
  opened: OpenedDashboard,
): Promise<OpenView> {
  const { reader, parameters } = opened;
  const relation = reader.snapshot.catalogue.relationByResource(panel.resourceId ?? "");
  if (relation === undefined || panel.resourceId === null) throw createError("ACTION_DENIED");
  const isList = panel.kind === "LIST";
  const terms = isList ? { groups: [], aggregates: [] } : termsOf(panel, relation, reader);
  const filters = [
    ...boundFilters(panel, relation, parameters, reader),
    ...(await markFilters(mark, terms, opened)),
  ];
  const { where = null } = definitionOf(panel);
  return {
    id: panel.id,
    name: panel.title,
    description: "",
    icon: null,
    resourceId: panel.resourceId,
    fields: null,
    where: where as OpenView["where"],
    narrowing: filters,
    lost: lostIn(opened.dashboard, panel),
    orderBy: [],
    limit: null,
    presentation: plainTable,
  };
}

/** @throws AppError ACTION_DENIED if the reader may not read a field of the panel */
function termsOf(panel: Panel, relation: Relation, reader: Reader): Terms {
  const { snapshot, principal } = reader;
  const limits = requestLimitsOf(settingsOf(snapshot));
  let terms: Terms | undefined;
  try {
    const reading = { ...groupReadingOf(panel), where: null, limit: null };
    const request = requestOfReading(relation, reading, limits);
    terms =
      request.kind === "AGGREGATE"
        ? termsInSight(request, relation, snapshot, principal)
        : undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  if (terms === undefined) throw createError("ACTION_DENIED");
  return terms;
}

/** Splits ` BC` from the text of a date or a timestamp. */
function splitEra(text: string): readonly [time: string, era: string] {
  return text.endsWith(" BC") ? [text.slice(0, -3), " BC"] : [text, ""];
}

async function markFilters(
  mark: Mark,
  { groups }: Terms,
  { reader, timeZone }: OpenedDashboard,
): Promise<FieldFilter[]> {
  const faults: Fault[] = [];
  const filters: FieldFilter[] = [];
  for (const [name, value] of mark) {
    const path = `mark[${name}]`;
    const group = groups.find((term) => term.name === name);
    const refuse = (message: string) =>
      faults.push(createFault("QUERY_INVALID", { path, message }));
    if (group === undefined) {
      refuse("The panel has no such group");
      continue;
    }
    const { shown, unit, field } = group;
    const on = (condition: FieldFilter) =>
      filters.push(Object.fromEntries([[writeName(field), condition]]));
    const { base } = shown.column.type;
    if (value === null) on({ _null: true });
    else if (!isMarkable(shown.column) || !isScalarOf(shown.column, value)) {
      refuse("Must be a value of the group");
    } else if (unit === null || isInfinite(value)) on({ _eq: operandOf(value) });
    else {
      const [time, era] = splitEra(String(value));
      const isZoned = base === "timestamp with time zone";
      if (isZoned && !/(?:Z|[+-][0-9:]{2,6})$/.test(time.slice(10))) {
        refuse("Must be a timestamp with its offset");
        continue;
      }
      const moment = isZoned ? time : base === "date" ? `${time}T00:00:00Z` : `${time}Z`;
      const zone = isZoned ? timeZone : "UTC";
      const bounds = await readBucketBounds(reader.database, zone, unit, moment + era);
      const written = (bound: string): string => {
        const [start, ofStart] = splitEra(bound);
        if (isZoned) return bound;
        return (
          (base === "date" ? start.slice(0, start.indexOf("T")) : start.slice(0, -1)) + ofStart
        );
      };
      on({ _gte: written(bounds.from), _lt: written(bounds.until) });
    }
  }
  throwFaults(faults);
  return filters;
}
