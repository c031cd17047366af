import { type DocumentedTable, indexMethods, onDeleteActions } from "@rowhouse/ddl";
import { z } from "zod";
import { namesOfRelation, readRelationKey, relationPath } from "../../documents/document-name.ts";
import type { Unwritten } from "../../model/part.ts";
import { columnPresentationSchema, presentationSchema } from "../presentation.ts";

const nameSchema = z.string().min(1);
const names = z.array(nameSchema).min(1);
const order = {
  descending: z.boolean().default(false),
  nulls: z.enum(["FIRST", "LAST"]).optional(),
};

export const columnSchema = z.strictObject({
  /** Empty in a table that is managed elsewhere. */
  type: z.string().default(""),
  nullable: z.boolean().default(true),
  default: z.string().nullable().default(null),
  identity: z.enum(["ALWAYS", "BY_DEFAULT"]).nullable().default(null),
  generated: z.string().nullable().default(null),
  comment: z.string().nullable().default(null),
  /** The name that it has until this document is applied. */
  renamedFrom: z.string().nullable().default(null),
  /** The conversion of its values, while it has another type. */
  using: z.string().nullable().default(null),
  ...columnPresentationSchema,
});

const indexSchema = z.strictObject({
  keys: z
    .array(
      z.union([
        z.strictObject({ column: nameSchema, ...order }),
        z.strictObject({ expression: z.string(), ...order }),
      ]),
    )
    .min(1),
  unique: z.boolean().default(false),
  method: z.enum(indexMethods).default("btree"),
  where: z.string().nullable().default(null),
});

const written = z.strictObject({
  /**
   * The document only exposes and shows the table: another tool creates and changes it, or the file of `sql` with its name,
   * because no document can say what it is.
   */
  managed: z.enum(["elsewhere", "sql"]).nullable().default(null),
  /** The table (`schema.table`) that gets this name. */
  renamedFrom: z
    .string()
    .refine((key) => readRelationKey(key) !== undefined, {
      error: "A former name is that of a table: schema.table",
    })
    .nullable()
    .default(null),
  comment: z.string().nullable().default(null),
  ...presentationSchema,
  history: z.boolean().default(false),
  junction: z.boolean().default(false),
  columns: z.record(nameSchema, columnSchema).default({}),
  primaryKey: z.array(nameSchema).default([]),
  unique: z
    .record(
      nameSchema,
      z.strictObject({ columns: names, nullsNotDistinct: z.boolean().default(false) }),
    )
    .default({}),
  checks: z
    .record(
      nameSchema,
      z.strictObject({ check: z.string(), message: z.string().nullable().default(null) }),
    )
    .default({}),
  foreignKeys: z
    .record(
      nameSchema,
      z.strictObject({
        columns: names,
        references: z.strictObject({ schema: nameSchema, table: nameSchema, columns: names }),
        onDelete: z.enum(onDeleteActions).default("NO ACTION"),
      }),
    )
    .default({}),
  indexes: z.record(nameSchema, indexSchema).default({}),
  /** Objects of the table that documents do not describe; they stay as they are. */
  elsewhere: z.array(z.string()).default([]),
});

export const tableSchema = written
  .superRefine((table, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", path, message });
    if (table.managed !== null) {
      for (const path of structuralPlaces(table)) {
        if (table.managed === "sql" && path[0] === "elsewhere") continue;
        refuse(path, "The structure of a table that is managed elsewhere has no place here");
      }
      for (const path of formerNames(table)) {
        refuse(path, "The tool that manages this table renames it; remove renamedFrom");
      }
      return;
    }
    for (const [column, { type }] of Object.entries(table.columns)) {
      if (type === "") refuse(["columns", column], "A column has a type");
    }
    for (const [path, columns] of namedColumns(table)) {
      for (const [index, column] of columns.entries()) {
        if (table.columns[column] === undefined) {
          refuse([...path, index], `The table has no column ${column}`);
        }
      }
    }
  })
  .transform((table) => ({
    ...table,
    columns: Object.fromEntries(
      Object.entries(table.columns).map(([key, column]): [string, ColumnDocument] => {
        const isRequired = column.identity !== null || table.primaryKey.includes(key);
        return [key, isRequired ? { ...column, nullable: false } : column];
      }),
    ),
  }));

/** The places at which a document says something of the table itself. */
function* structuralPlaces(table: z.output<typeof written>): Generator<(string | number)[]> {
  for (const part of ["comment", ...structuralParts] as const) {
    if (Object.keys(table[part] ?? {}).length > 0) yield [part];
  }
  for (const [column, one] of Object.entries(table.columns)) {
    const { type, nullable, default: standard, identity, generated, comment } = one;
    const texts = [standard, identity, generated, comment];
    if (type !== "" || !nullable || texts.some((text) => text !== null)) {
      yield ["columns", column];
    }
  }
}

function formerNames({ renamedFrom, columns }: z.output<typeof written>): string[][] {
  const renamed = Object.entries(columns).filter(([, column]) => column.renamedFrom !== null);
  return [
    ...(renamedFrom === null ? [] : [["renamedFrom"]]),
    ...renamed.map(([column]) => ["columns", column, "renamedFrom"]),
  ];
}

const structuralParts = [
  "primaryKey",
  "unique",
  "checks",
  "foreignKeys",
  "indexes",
  "elsewhere",
] as const;

/** The lists of a document that name columns of the table, with their places. */
function* namedColumns(
  table: z.output<typeof written>,
): Generator<readonly [path: (string | number)[], columns: readonly string[]]> {
  yield [["primaryKey"], table.primaryKey];
  for (const [key, { columns }] of Object.entries(table.unique)) {
    yield [["unique", key, "columns"], columns];
  }
  for (const [key, { columns }] of Object.entries(table.foreignKeys)) {
    yield [["foreignKeys", key, "columns"], columns];
  }
  for (const [key, { keys }] of Object.entries(table.indexes)) {
    for (const [index, term] of keys.entries()) {
      if ("column" in term) yield [["indexes", key, "keys", index], [term.column]];
    }
  }
}

export type TableDocument = z.output<typeof written>;

/** The document of a table in its present state. */
export interface PresentTable extends TableDocument, Unwritten {
  /** What the table is, also if other tools manage it; undefined for one that does not exist. */
  readonly actual?: ActualTable | undefined;
}

export interface ActualTable extends TableStructure, Pick<DocumentedTable, "codedDefaults"> {
  readonly primaryKeyName: string | null;
}

/** The document of a table of other tools that is neither exposed nor shown in its own way. */
export const elsewhereTable: TableDocument = written.parse({ managed: "elsewhere" });

export type ColumnDocument = z.output<typeof columnSchema>;
export type IndexDocument = z.output<typeof indexSchema>;

export function pathOfTable(table: { readonly schema: string; readonly name: string }): string {
  return relationPath("tables", table);
}

/** Returns the schema and the name of a table by the path of its document. */
export function namesOfTable(path: string): readonly string[] | undefined {
  return namesOfRelation("tables", path);
}

export type TableStructure = Omit<
  TableDocument,
  "managed" | "renamedFrom" | "exposed" | "label" | "description" | "title" | "history" | "junction"
>;

/** Leaves how the columns are shown, and what no file of `sql` carries. */
export function withoutStructure(
  { columns, elsewhere }: TableStructure,
  managed: "elsewhere" | "sql" = "elsewhere",
): TableStructure & Pick<TableDocument, "managed"> {
  return {
    managed,
    comment: null,
    columns: Object.fromEntries(
      Object.entries(columns).flatMap(([name, { label, format, colors, relationName }]) => {
        const look = { label, format, colors, relationName };
        if (Object.values(look).every((value) => value === null)) return [];
        return [[name, columnSchema.parse(look)]];
      }),
    ),
    ...{ primaryKey: [], unique: {}, checks: {}, foreignKeys: {}, indexes: {} },
    elsewhere: managed === "sql" ? elsewhere : [],
  };
}
