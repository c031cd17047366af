import { readName, readPath } from "@rowhouse/access";
import { type DayPeriod, fieldInSight } from "@rowhouse/data";
import type { Relation } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { Reader } from "../open/reader.ts";
import type { Panel } from "../schemas/dashboard-schemas.ts";
import { operandOf } from "./parameter-value.ts";
import type { OpenParameters } from "./read-parameters.ts";

/** A filter on one field. */
export type FieldFilter = Readonly<Record<string, unknown>>;

type Days = Pick<DayPeriod, "from" | "until">;

/**
 * Returns the filters of the parameters that a panel binds and that have a value. They only narrow the panel's own filter.
 *
 * @param shiftedField a field whose periods are replaced by the ones before them; null for none
 * @throws AppError ACTION_DENIED for a field that the reader may not see
 */
export function boundFilters(
  panel: Pick<Panel, "bindings">,
  relation: Relation,
  parameters: OpenParameters,
  reader: Pick<Reader, "snapshot" | "principal">,
  shiftedField: string | null = null,
): FieldFilter[] {
  return panel.bindings.flatMap(({ parameter: name, field }) => {
    const parameter = parameters.get(name);
    if (parameter === undefined) return [];
    switch (parameter.kind) {
      case "VALUE": {
        if (parameter.values === null) return [];
        const operands = parameter.values.map(operandOf);
        const [only] = operands;
        return filterOn(field, parameter.multiple ? { _in: operands } : { _eq: only });
      }
      case "PERSON":
        return parameter.userId === null ? [] : filterOn(field, { _eq: parameter.userId });
      case "PERIOD": {
        const days = daysOf(parameter.period, field, shiftedField);
        return days === null ? [] : filterOn(field, boundsOf(days, field, relation, reader));
      }
      default:
        return parameter satisfies never;
    }
  });
}

/** The period that a panel binds to a field; null if it binds none, or one without a value. */
export function periodOfField(
  { bindings }: Pick<Panel, "bindings">,
  field: string,
  parameters: OpenParameters,
): DayPeriod | null {
  for (const binding of bindings) {
    const parameter = parameters.get(binding.parameter);
    if (parameter?.kind !== "PERIOD" || readName(binding.field) !== readName(field)) continue;
    if (parameter.period !== null) return parameter.period;
  }
  return null;
}

function filterOn(field: string, condition: FieldFilter): FieldFilter[] {
  return [Object.fromEntries([[field, condition]])];
}

function daysOf(period: DayPeriod | null, field: string, shiftedField: string | null): Days | null {
  if (period === null) return null;
  if (shiftedField === null || readName(shiftedField) !== readName(field)) return period;
  return period.before === null ? null : { from: period.before, until: period.from };
}

function boundsOf(
  { from, until }: Days,
  field: string,
  relation: Relation,
  { snapshot, principal }: Pick<Reader, "snapshot" | "principal">,
): FieldFilter {
  const base = fieldInSight(relation, readPath(field), snapshot, principal)?.column.type.base;
  if (base === undefined) throw createError("ACTION_DENIED");
  return base === "timestamp with time zone"
    ? { _gte: from.instant, _lt: until.instant }
    : { _gte: from.date, _lt: until.date };
}
