import { z } from "zod";
import {
  checkMessage,
  columnDefinitionSchema,
  identifierSchema,
  identitySchema,
  onDeleteActions,
  text,
} from "../definition.ts";

const changesMax = 100;
const keyColumnsMax = 32;
const commentLengthMax = 5000;

const columns = z
  .array(identifierSchema)
  .min(1)
  .max(keyColumnsMax, { error: `A key has at most ${keyColumnsMax} columns` })
  .refine((names) => new Set(names).size === names.length, {
    error: "A column may be named only once",
  });
const comment = text
  .refine((words) => words !== "" && words.length <= commentLengthMax, {
    error: `A comment has 1 to ${commentLengthMax} characters`,
  })
  .nullable();
/** The name of the object that is lost, repeated as a confirmation. */
const confirm = text.optional();
/** Whether dependent objects are dropped as well. */
const cascade = z.boolean().optional();

const addColumn = columnDefinitionSchema
  .omit({ primaryKey: true })
  .extend({ kind: z.literal("addColumn"), comment: comment.optional() });

const replaceColumn = addColumn.extend({ kind: z.literal("replaceColumn"), confirm });

const changeColumn = z.strictObject({
  kind: z.literal("changeColumn"),
  column: identifierSchema,
  dataType: text.optional(),
  using: text.optional(),
  nullable: z.boolean().optional(),
  default: text.nullable().optional(),
  identity: identitySchema.nullable().optional(),
  /** Another expression of a generated column; null makes it a stored one that keeps its values. */
  generated: text.nullable().optional(),
  comment: comment.optional(),
  confirm,
});

const renameColumn = z.strictObject({
  kind: z.literal("renameColumn"),
  column: identifierSchema,
  name: identifierSchema,
});

const dropColumn = z.strictObject({
  kind: z.literal("dropColumn"),
  column: identifierSchema,
  cascade,
  confirm,
});

const addPrimaryKey = z.strictObject({ kind: z.literal("addPrimaryKey"), columns });

const addUnique = z.strictObject({
  kind: z.literal("addUnique"),
  name: identifierSchema.optional(),
  columns,
  nullsNotDistinct: z.boolean().optional(),
});

const addCheck = z.strictObject({
  kind: z.literal("addCheck"),
  name: identifierSchema.optional(),
  check: text,
  checkMessage: checkMessage.optional(),
});

const changeCheck = z.strictObject({
  kind: z.literal("changeCheck"),
  constraint: identifierSchema,
  checkMessage: checkMessage.nullable(),
});

const addForeignKey = z.strictObject({
  kind: z.literal("addForeignKey"),
  name: identifierSchema.optional(),
  columns,
  targetSchema: identifierSchema,
  targetTable: identifierSchema,
  targetColumns: columns,
  onDelete: z.enum(onDeleteActions).optional(),
});

const dropConstraint = z.strictObject({
  kind: z.literal("dropConstraint"),
  constraint: identifierSchema,
  cascade,
  confirm,
});

const order = { descending: z.boolean().optional(), nulls: z.enum(["FIRST", "LAST"]).optional() };
export const indexMethods = ["btree", "hash", "gin", "gist", "spgist", "brin"] as const;

const addIndex = z.strictObject({
  kind: z.literal("addIndex"),
  name: identifierSchema.optional(),
  keys: z
    .array(
      z.union([
        z.strictObject({ column: identifierSchema, ...order }),
        z.strictObject({ expression: text, ...order }),
      ]),
    )
    .min(1)
    .max(keyColumnsMax),
  unique: z.boolean().optional(),
  method: z.enum(indexMethods).optional(),
  where: text.optional(),
});

const dropIndex = z.strictObject({ kind: z.literal("dropIndex"), index: identifierSchema });
const changeComment = z.strictObject({ kind: z.literal("changeComment"), comment });
const rename = z.strictObject({ kind: z.literal("rename"), name: identifierSchema });
const move = z.strictObject({ kind: z.literal("move"), schema: identifierSchema });

export const changeSchema = z.discriminatedUnion("kind", [
  addColumn,
  replaceColumn,
  changeColumn,
  renameColumn,
  dropColumn,
  addPrimaryKey,
  addUnique,
  addCheck,
  changeCheck,
  addForeignKey,
  dropConstraint,
  addIndex,
  dropIndex,
  changeComment,
  rename,
  move,
]);

/**
 * The body of `PATCH /admin/api/schema/{schema}/tables/{table}`: an ordered list of changes, each applied to the
 * result of the changes before it.
 */
export const tableAlterationSchema = z.strictObject({
  changes: z
    .array(changeSchema)
    .min(1, { error: "At least one change is required" })
    .max(changesMax, { error: `At most ${changesMax} changes` }),
});

export type TableChange = z.output<typeof changeSchema>;
export type TableChangeOf<Kind extends TableChange["kind"]> = Extract<TableChange, { kind: Kind }>;
