import { distinctFields } from "@rowhouse/access/distinct-fields";
import { csvCell } from "@rowhouse/wire";
import { namesOfPath } from "../../records/readings/written-path.ts";
import { plainText } from "../../records/values/show-value.ts";
import { isNumeric, type ValueColumn } from "../../records/values/value-kind.ts";
import { exactBucket } from "./bucket-text.ts";
import { labelOfAggregate, labelOfField, labelOfGroup } from "./labels.ts";
import type { Mark, OpenPanel } from "./open-panel.ts";
import { columnOfAggregate, columnOfField, columnOfGroup } from "./panel-columns.ts";
import { amountText, groupText, type PanelWays } from "./panel-ways.ts";

/** A column of the rows of a panel. */
export interface TableColumn {
  readonly name: string;
  readonly label: string;
  readonly column: ValueColumn;
  readonly isGroup: boolean;
  /** The value. */
  readonly read: (row: Mark) => unknown;
  /** The text for people. */
  readonly textOf: (row: Mark) => string;
  /** The text for a file: every digit, dates as ISO 8601; null for none. */
  readonly exactOf: (row: Mark) => string | null;
}

/** Returns the columns of a panel's rows: groups, then aggregates, or the fields of a list. */
export function tableColumns(panel: OpenPanel, ways: PanelWays): readonly TableColumn[] {
  const { terms, fields = [] } = panel;
  if (terms === undefined) {
    const paths = distinctFields(fields.map(({ name }) => namesOfPath(name)));
    return fields.map((field, index) => {
      const column = columnOfField(field);
      const members = paths[index]?.members ?? [];
      const read = (row: Mark) => valueAt(row, field.name, members);
      return {
        ...{ name: field.name, label: labelOfField(field), column, isGroup: false, read },
        textOf: (row: Mark) => amountText(column, read(row), ways),
        exactOf: (row: Mark) => exactText(column, read(row)),
      };
    });
  }
  const groups = terms.groups.map((term): TableColumn => {
    const column = columnOfGroup(term, fields);
    const { unit } = term;
    return {
      ...{ name: term.name, label: labelOfGroup(term, fields), column, isGroup: true },
      read: (row) => row[term.name],
      textOf: (row) => groupText(term, column, row[term.name], ways),
      exactOf: (row) =>
        unit === null
          ? exactText(column, row[term.name])
          : exactBucket(row[term.name], unit, ways.timeZone),
    };
  });
  const aggregates = terms.aggregates.map((term): TableColumn => {
    const column = columnOfAggregate(term, fields);
    return {
      ...{ name: term.name, label: labelOfAggregate(term, fields, ways), column, isGroup: false },
      read: (row) => row[term.name],
      textOf: (row) => amountText(column, row[term.name], ways),
      exactOf: (row) => exactText(column, row[term.name]),
    };
  });
  return [...groups, ...aggregates];
}

/** Writes the rows of a panel as a CSV file that spreadsheets open without executing a cell. */
export function panelCsv(panel: OpenPanel, ways: PanelWays): string {
  const columns = tableColumns(panel, ways);
  const lines = [
    columns.map(({ label }) => csvCell(label, true)),
    ...(panel.rows ?? []).map((row) =>
      columns.map(({ column, exactOf }) => csvCell(exactOf(row), !isNumeric(column))),
    ),
  ];
  return lines.map((cells) => `${cells.join()}\r\n`).join("");
}

/** Returns the value of a field of a list; related rows are nested. */
function valueAt(row: Mark, name: string, members: readonly string[]): unknown {
  if (Object.hasOwn(row, name)) return row[name];
  return members.reduce<unknown>((at, member) => {
    if (Array.isArray(at)) return at.map((one: Mark | null) => one?.[member] ?? null);
    return typeof at === "object" && at !== null ? (at as Mark)[member] : undefined;
  }, row);
}

function exactText(column: ValueColumn, value: unknown): string | null {
  return value === null || value === undefined ? null : plainText(column, value);
}
