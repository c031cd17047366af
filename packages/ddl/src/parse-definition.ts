import {
  AppError,
  createFault,
  escapePointer,
  type Fault,
  faultsMax,
  throwFaults,
} from "@rowhouse/errors";
import type { z } from "zod";
import { parseColumnExpression } from "./column-expression.ts";
import {
  type ColumnDefinition,
  columnDefinitionSchema,
  type TableDefinition,
  tableDefinitionSchema,
} from "./definition.ts";
import { integerTypes } from "./expression-allowlist.ts";
import type { GuardedColumn, GuardedTable, TypeReference } from "./guarded-table.ts";
import { type ParsedType, parseColumnType } from "./type-name.ts";

/** Names that Postgres reserves in every table: https://www.postgresql.org/docs/18/ddl-system-columns.html */
const systemColumns: ReadonlySet<string> = new Set([
  ...["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"],
]);

/**
 * Parses a table definition, guards every type and expression in it, and reports all faults together.
 *
 * @param input the `data` member of the request body
 * @throws AppError with each fault at its JSON pointer (`/data/columns/2/check`)
 */
export async function parseTableDefinition(input: unknown): Promise<GuardedTable> {
  const result = tableDefinitionSchema.safeParse(input);
  const faults = result.success ? [] : formFaults(result.error.issues, "/data");
  const candidates = result.success ? result.data.columns : sensibleColumns(input);
  const names = new Set<string>();
  for (const [index, column] of candidates.entries()) {
    if (column === undefined) continue;
    if (names.has(column.name)) {
      const message = "Another column has this name";
      faults.push(createFault("BODY_INVALID", { path: `/data/columns/${index}/name`, message }));
    }
    names.add(column.name);
  }
  const columns: GuardedColumn[] = [];
  for (const [index, column] of candidates.entries()) {
    if (column === undefined) continue;
    const path = `/data/columns/${index}`;
    faults.push(...contradictions(column, path));
    columns.push(await guardColumn(column, path, names, faults));
  }
  throwFaults(faults);
  const { name } = result.data as TableDefinition;
  // The only place that creates a GuardedTable: everything in it is guarded above.
  return { name, columns } as unknown as GuardedTable;
}

/** The well-formed columns of a malformed definition, so that their faults are reported too. */
function sensibleColumns(input: unknown): (ColumnDefinition | undefined)[] {
  const columns =
    typeof input === "object" && input !== null && "columns" in input ? input.columns : undefined;
  if (!Array.isArray(columns) || columns.length > 500) return [];
  return columns.map((column: unknown) => columnDefinitionSchema.safeParse(column).data);
}

/** Faults of form, each at its JSON pointer below `root`. */
export function formFaults(issues: readonly z.core.$ZodIssue[], root: string): Fault[] {
  return issues.slice(0, faultsMax).flatMap((issue) => {
    const path = [root, ...issue.path.map((part) => escapePointer(String(part)))].join("/");
    if (issue.code !== "unrecognized_keys") {
      return [createFault("BODY_INVALID", { path, message: issue.message })];
    }
    return issue.keys.slice(0, faultsMax).map((key) =>
      createFault("BODY_INVALID", {
        path: `${path}/${escapePointer(key)}`,
        message: "This field is unknown",
      }),
    );
  });
}

export function contradictions(column: ColumnDefinition, path: string): Fault[] {
  const faults: Fault[] = [];
  const refuse = (field: string, message: string): void => {
    faults.push(createFault("BODY_INVALID", { path: `${path}/${field}`, message }));
  };
  const nullable = column.nullable ?? column.primaryKey !== true;
  if (systemColumns.has(column.name)) refuse("name", "Postgres reserves this name");
  if (column.primaryKey === true && column.nullable === true) {
    refuse("nullable", "A primary key cannot be nullable");
  }
  if (column.identity !== undefined) {
    if (column.default !== undefined) refuse("default", "An identity column cannot have a default");
    if (column.nullable === true) refuse("nullable", "An identity column cannot be nullable");
    if (column.foreignKey !== undefined) {
      refuse("foreignKey", "An identity column generates its values and cannot have a foreign key");
    }
  }
  if (column.generated !== undefined) {
    if (column.default !== undefined) refuse("default", "A generated column cannot have a default");
    if (column.identity !== undefined) refuse("identity", "A generated column has no identity");
  }
  if (column.checkMessage !== undefined && column.check === undefined) {
    refuse("checkMessage", "A message requires a check");
  }
  const onDelete = column.foreignKey?.onDelete;
  if (onDelete === "SET NULL" && !nullable) {
    refuse("foreignKey/onDelete", "SET NULL requires a nullable column");
  }
  if (onDelete === "SET DEFAULT" && !nullable && column.default === undefined) {
    refuse("foreignKey/onDelete", "SET DEFAULT requires a default");
  }
  return faults;
}

/** Guards the type and the expressions of a column; adds their faults to `faults`. */
export async function guardColumn(
  column: ColumnDefinition,
  path: string,
  names: ReadonlySet<string>,
  faults: Fault[],
): Promise<GuardedColumn> {
  const pathOf = (field: string): string => `${path}/${field}`;
  const references: TypeReference[] = [];
  const collect = async <Result extends { references: readonly TypeReference[] }>(
    work: () => Promise<Result>,
  ): Promise<Result | undefined> => {
    try {
      const parsed = await work();
      references.push(...parsed.references);
      return parsed;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  };
  const expression = (kind: "default" | "check" | "generated", text: string | undefined) =>
    text === undefined
      ? undefined
      : collect(() => parseColumnExpression(text, kind, names, pathOf(kind)));

  const type = await collect(() => parseColumnType(column.dataType, pathOf("dataType")));
  if (column.identity !== undefined && type !== undefined && !isInteger(type)) {
    const message = "An identity column must be a smallint, integer or bigint";
    faults.push(createFault("BODY_INVALID", { path: pathOf("identity"), message }));
  }
  const defaultExpression = await expression("default", column.default);
  const check = await expression("check", column.check);
  const generated = await expression("generated", column.generated);
  const foreignKey = column.foreignKey;
  return {
    name: column.name,
    path,
    dataType: type?.sql ?? "",
    primaryKey: column.primaryKey ?? false,
    nullable: column.nullable ?? true,
    identity: column.identity ?? null,
    generated: generated?.sql ?? null,
    default: defaultExpression?.sql ?? null,
    check: check?.sql ?? null,
    checkMessage: column.checkMessage ?? null,
    foreignKey:
      foreignKey === undefined
        ? null
        : {
            schema: foreignKey.targetSchema,
            table: foreignKey.targetTable,
            column: foreignKey.targetColumn,
            onDelete: foreignKey.onDelete ?? "NO ACTION",
          },
    typeReferences: references,
  };
}

function isInteger(type: ParsedType): boolean {
  return type.builtIn !== null && integerTypes.has(type.builtIn);
}
