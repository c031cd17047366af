import { averageFormat } from "../../records/values/show-number.ts";
import { isNumeric, type ValueColumn } from "../../records/values/value-kind.ts";
import type { AggregateTerm, GroupTerm, OpenPanel, PanelField } from "./open-panel.ts";

const plainNumber = { type: "number", grouping: true } as const;

/** Returns the properties of a field's values; those of an unknown field are texts. */
export function columnOfField(field: PanelField | undefined): ValueColumn {
  const dataType = field?.dataType ?? "text";
  const array = dataType.endsWith("[]");
  return {
    dataType,
    // `numeric(12,2)` and `timestamp(3) with time zone` have the kind of their type without its modifier.
    baseType: dataType.replace(/\[\]$/, "").replace(/\([^)]*\)/, ""),
    array,
    values: field?.values ?? null,
    format: field?.format ?? null,
    colors: field?.colors ?? null,
    scale: field?.scale,
    titles: field?.titles,
    nullable: true,
  };
}

/** Returns the properties of the values of a group. */
export function columnOfGroup(term: GroupTerm, fields: readonly PanelField[]): ValueColumn {
  return columnOfField(fields.find(({ name }) => name === term.field));
}

/** Returns the properties of what an aggregate computes: the digits of a sum are those of `numeric`. */
export function columnOfAggregate(term: AggregateTerm, fields: readonly PanelField[]): ValueColumn {
  if (term.field === null || term.apply === "count" || term.apply === "count_distinct") {
    return { ...columnOfField(undefined), ...count };
  }
  const field = fields.find(({ name }) => name === term.field);
  // A computed number refers to no row.
  const column = { ...columnOfField(field), titles: undefined };
  if (!isNumeric(column)) return column;
  const format = column.format ?? plainNumber;
  const isComputed = term.apply === "sum" || term.apply === "avg";
  if (!isComputed) return { ...column, format, colors: null };
  // An average has few digits, the same in a figure, a chart and a table.
  const shown = term.apply === "avg" ? averageFormat(format, column) : format;
  return { ...column, baseType: "numeric", format: shown, colors: null };
}

const count = { dataType: "bigint", baseType: "bigint", format: plainNumber } as const;

/** Whether the values of an aggregate add up to that of all rows. */
export function isAdditive({ apply }: AggregateTerm): boolean {
  return apply === "count" || apply === "sum";
}

/** Returns the properties of the value of a figure. */
export function figureColumn({ terms, fields = [] }: OpenPanel): ValueColumn {
  const [term] = terms?.aggregates ?? [];
  return term === undefined ? columnOfField(undefined) : columnOfAggregate(term, fields);
}
