import type { Queryable } from "@rowhouse/db";
import { guessOwner } from "./constraint-name.ts";
import type { ColumnDefinition, TableDefinition } from "./definition.ts";
import type { CheckState, ColumnState, TableState } from "./table-state.ts";
import { loadTextSearch, type TextSearch } from "./text-search.ts";

/** A table as the Admin API shows it. */
export interface TableDescription
  extends Omit<TableState, "oid" | "columns" | "keys" | "checks" | "referencedBy"> {
  /**
   * The definition in the form that creating a table accepts. Properties that a definition cannot express are separate
   * fields.
   */
  readonly definition: TableDefinition;
  readonly columns: readonly Omit<ColumnState, "attributeNumber">[];
  readonly primaryKey: ConstraintDescription | null;
  readonly uniques: readonly ConstraintDescription[];
  readonly exclusions: readonly { readonly name: string; readonly definition: string }[];
  readonly checks: readonly CheckState[];
  readonly referencedBy: TableState["referencedBy"];
  readonly textSearch: readonly TextSearch[];
}

export interface ConstraintDescription {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Converts the state of a table to its description, and reads which indexes serve its full-text searches. */
export async function describeTable(
  database: Queryable,
  state: TableState,
): Promise<TableDescription> {
  const { oid, keys, columns, ...rest } = state;
  const describe = (key: ConstraintDescription) => ({ name: key.name, columns: key.columns });
  const primaryKey = keys.find((key) => key.kind === "PRIMARY_KEY");
  return {
    ...rest,
    definition: defineTable(state),
    columns: columns.map(({ attributeNumber, ...column }) => column),
    primaryKey: primaryKey === undefined ? null : describe(primaryKey),
    uniques: keys.filter((key) => key.kind === "UNIQUE").map(describe),
    exclusions: keys
      .filter((key) => key.kind === "EXCLUSION")
      .map(({ name, definition }) => ({ name, definition })),
    textSearch: await loadTextSearch(database, oid),
  };
}

function defineTable(state: TableState): TableDefinition {
  const keyColumns = state.keys.find((key) => key.kind === "PRIMARY_KEY")?.columns ?? [];
  const checks = new Map<string, CheckState>();
  for (const check of state.checks) {
    const owner = ownerOf(check, state);
    if (owner !== undefined && !checks.has(owner)) checks.set(owner, check);
  }
  return {
    name: state.name,
    columns: state.columns.map((column) =>
      defineColumn(column, keyColumns.includes(column.name), checks.get(column.name), state),
    ),
  };
}

/** Assigns a check to the column in its name, otherwise to the only column that it mentions. */
function ownerOf(check: CheckState, state: TableState): string | undefined {
  const names = state.columns.map((column) => column.name);
  return guessOwner(check.name, state.name, names, "check") ?? onlyOne(check.columns);
}

function defineColumn(
  column: ColumnState,
  primaryKey: boolean,
  check: CheckState | undefined,
  { foreignKeys }: TableState,
): ColumnDefinition {
  const identity = column.identity === "ALWAYS";
  const foreignKey = foreignKeys.find((key) => onlyOne(key.columns) === column.name);
  const targetColumn = foreignKey === undefined ? undefined : onlyOne(foreignKey.targetColumns);
  return {
    name: column.name,
    dataType: column.dataType,
    ...(primaryKey && { primaryKey }),
    ...(identity && { identity: "ALWAYS" as const }),
    ...(column.nullable || primaryKey || identity ? {} : { nullable: false }),
    ...(column.default !== null && { default: column.default }),
    ...(check !== undefined && { check: check.expression }),
    ...(check?.message != null && { checkMessage: check.message }),
    ...(foreignKey !== undefined &&
      targetColumn !== undefined && {
        foreignKey: {
          targetSchema: foreignKey.targetSchema,
          targetTable: foreignKey.targetTable,
          targetColumn,
          onDelete: foreignKey.onDelete,
        },
      }),
  };
}

function onlyOne(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}
