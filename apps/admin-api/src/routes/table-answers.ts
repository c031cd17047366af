import { z } from "@hono/zod-openapi";
import {
  lockModes,
  onDeleteActions,
  tableAlterationSchema,
  tableDefinitionSchema,
  workKinds,
} from "@rowhouse/ddl";
import { describable } from "@rowhouse/http";

/** A body that its package parses, so that faults of form and of expressions are reported together. */
const readByPackage = (name: string, schema: z.ZodType) => {
  const { $schema: _, ...document } = z.toJSONSchema(schema);
  return z
    .unknown()
    .refine((data) => data !== undefined, "This field is required")
    .openapi(name, document as object);
};
export const tableDefinition = readByPackage("TableDefinition", tableDefinitionSchema);
export const tableAlteration = readByPackage("TableAlteration", tableAlterationSchema);

const size = z.int().nullable().openapi({
  description: "Bytes on disk; null while another transaction holds an exclusive lock on the table",
});
const rowEstimate = z.int().nullable().openapi({
  description: "The row estimate of the last ANALYZE; null before the first",
});
const names = z.array(z.string()).readonly();
const action = z.enum(onDeleteActions);

/** A table in a list. */
export const tableSummary = z
  .object({
    resourceId: z.string().nullable(),
    schema: z.string(),
    name: z.string(),
    comment: z.string().nullable(),
    columns: z.int(),
    rowEstimate,
    tableBytes: size,
    indexBytes: size,
  })
  .openapi("TableSummary");

/** A foreign key in a list. */
export const foreignKeySummary = z
  .object({
    name: z.string(),
    schema: z.string(),
    table: z.string(),
    columns: names,
    targetSchema: z.string(),
    targetTable: z.string(),
    targetColumns: names,
    onDelete: action,
  })
  .openapi("ForeignKeySummary");

const key = z.object({ name: z.string(), columns: names });

/** One table with its definition. */
export const tableDescription = z
  .object({
    resourceId: z.string(),
    schema: z.string(),
    name: z.string(),
    kind: z.enum(["TABLE", "PARTITIONED_TABLE", "FOREIGN_TABLE"]),
    comment: z.string().nullable(),
    definition: describable(tableDefinitionSchema).openapi({
      description: "In the form that creating a table accepts",
    }),
    columns: z
      .array(
        z.object({
          name: z.string(),
          dataType: z.string(),
          nullable: z.boolean(),
          default: z.string().nullable(),
          identity: z.enum(["ALWAYS", "BY_DEFAULT"]).nullable(),
          generatedAs: z.string().nullable(),
          comment: z.string().nullable(),
        }),
      )
      .readonly(),
    primaryKey: key.nullable(),
    uniques: z.array(key).readonly(),
    exclusions: z.array(z.object({ name: z.string(), definition: z.string() })).readonly(),
    checks: z
      .array(
        z.object({
          name: z.string(),
          columns: names,
          expression: z.string(),
          message: z.string().nullable(),
          validated: z.boolean(),
        }),
      )
      .readonly(),
    foreignKeys: z
      .array(
        z.object({
          name: z.string(),
          columns: names,
          targetSchema: z.string(),
          targetTable: z.string(),
          targetColumns: names,
          onDelete: action,
          onUpdate: action,
          validated: z.boolean(),
        }),
      )
      .readonly(),
    referencedBy: z
      .array(
        z.object({
          name: z.string(),
          schema: z.string(),
          table: z.string(),
          columns: names,
          targetColumns: names,
        }),
      )
      .readonly(),
    indexes: z
      .array(
        z.object({
          name: z.string(),
          unique: z.boolean(),
          method: z.string(),
          keys: names,
          columns: names,
          where: z.string().nullable(),
          definition: z.string(),
          valid: z.boolean(),
          bytes: size,
        }),
      )
      .readonly(),
    textSearch: z
      .array(
        z.object({
          column: z.string(),
          indexes: z
            .array(
              z.object({
                name: z.string(),
                configuration: z.string().nullable().openapi({
                  description:
                    "The config that a search must name to use the index; null for a tsvector, where any does",
                }),
              }),
            )
            .readonly(),
          createIndex: z.string().nullable().openapi({
            description:
              "The statement that creates an index, with the default configuration of the database; null if PostgreSQL cannot index the column",
          }),
        }),
      )
      .readonly()
      .openapi({
        description:
          "The columns of a text type (not enums) and of tsvector, each with the valid indexes of all rows that serve _search",
      }),
    rowEstimate,
    tableBytes: size,
    indexBytes: size,
  })
  .openapi("Table");

/** The effects of a change. */
export const changePreview = z
  .object({
    sql: z.array(z.string()).readonly().openapi({ description: "The statements in order" }),
    locks: z
      .array(
        z.object({
          schema: z.string(),
          table: z.string(),
          mode: z.enum(lockModes),
          blocks: z.enum(["READS_AND_WRITES", "WRITES", "SCHEMA_CHANGES"]),
          work: z.enum(workKinds),
          rowEstimate,
          bytes: size,
        }),
      )
      .readonly(),
    failingRows: z
      .array(
        z.object({
          path: z.string(),
          code: z.string(),
          message: z.string(),
          rows: z
            .int()
            .nullable()
            .openapi({ description: "Null if the count exceeded its time limit" }),
          keys: z.array(names).readonly().openapi({
            description: "Primary keys of up to 100 of these rows, each with its values as texts",
          }),
        }),
      )
      .readonly(),
    losses: z
      .array(
        z.object({
          path: z.string(),
          object: z.string(),
          name: z.string(),
          note: z.string().nullable(),
        }),
      )
      .readonly(),
    confirmations: z.array(z.object({ path: z.string(), confirm: z.string() })).readonly(),
    notes: z.array(z.string()).readonly(),
  })
  .openapi("ChangePreview");
