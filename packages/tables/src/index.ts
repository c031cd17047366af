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
  type TableDefinition,
  tableDefinitionSchema,
} from "./definition.ts";
export type {
  ForeignKeyTarget,
  GuardedColumn,
  GuardedTable,
  TypeReference,
} from "./guarded-table.ts";
export { parseTableDefinition } from "./parse-definition.ts";
export { isReservedSchema, type ParsedType, parseColumnType } from "./type-name.ts";
