export {
  type ExpressionKind,
  type ParsedExpression,
  parseColumnExpression,
} from "./column-expression.ts";
export { compileCreateTable, type TableStatement } from "./compile-create-table.ts";
export {
  type CreatedTable,
  type CreateTableInput,
  createTable,
  previewCreateTable,
} from "./create-table.ts";
export {
  type ColumnDefinition,
  onDeleteActions,
  schemaDefinitionSchema,
  type TableDefinition,
  tableDefinitionSchema,
} from "./definition.ts";
export { describeTable, type TableDescription } from "./describe-table.ts";
export type {
  ForeignKeyTarget,
  GuardedColumn,
  GuardedTable,
  TypeReference,
} from "./guarded-table.ts";
export { listTables, type TableSummary } from "./list-tables.ts";
export { parseTableDefinition } from "./parse-definition.ts";
export { createSchema, dropSchema, listSchemas, type SchemaSummary } from "./schemas.ts";
export { readTableState } from "./table-state.ts";
export { isReservedSchema, type ParsedType, parseColumnType } from "./type-name.ts";
