export {
  type AlteredTable,
  type AlterTableInput,
  alterTable,
  changeNewTable,
  changeTable,
  previewAlterTable,
} from "./alter-table.ts";
export { indexMethods, type TableChange, tableAlterationSchema } from "./alteration/definition.ts";
export { lockModes, workKinds } from "./alteration/plan.ts";
export { expressionsSince } from "./alteration/plan-change-column.ts";
export { cascadeRemedy } from "./alteration/plan-dependents.ts";
export { loadRelationUses, type StoredUse } from "./alteration/stored-uses.ts";
export { rolledBack } from "./base/attempt.ts";
export { refreshRegistry } from "./base/registry.ts";
export { lockTimeout } from "./base/transaction-settings.ts";
export {
  type ViewDefinition,
  type ViewReplacement,
  viewDefinitionSchema,
  viewReplacementSchema,
} from "./base/view-definition.ts";
export {
  type CatalogueFileStatement,
  type FileObject,
  guardCatalogueFile,
  namesRelation,
  readCatalogueStatement,
} from "./catalogue/guard-file.ts";
export {
  type CatalogueStatement,
  type DatabaseExtension,
  isCreatableExtension,
  readCatalogue,
  readExtensions,
  readUncarried,
  type Uncarried,
} from "./catalogue/read-catalogue.ts";
export { runCatalogueStatement, runCatalogueStatements } from "./catalogue/run-statement.ts";
export { type SettledStatement, settleCatalogueFile } from "./catalogue/settle-file.ts";
export {
  type ObjectReplacement,
  type StatementObject,
  stageOf,
} from "./catalogue/statement-objects.ts";
export { asWritable, isWritableView } from "./catalogue/writable.ts";
export {
  type ChangePreview,
  type FailingRows,
  type LockPreview,
  previewLocks,
} from "./change-effects.ts";
export {
  type ExpressionKind,
  type ParsedExpression,
  parseColumnExpression,
} from "./column-expression.ts";
export { compileCreateTable, type TableStatement } from "./compile-create-table.ts";
export { compileDropView } from "./compile-view.ts";
export {
  type CreatedTable,
  type CreateTableInput,
  createTable,
  previewCreateTable,
} from "./create-table.ts";
export { type CreatedView, createView, previewCreateView } from "./create-view.ts";
export {
  type ColumnDefinition,
  onDeleteActions,
  schemaDefinitionSchema,
  type TableDefinition,
  tableDefinitionSchema,
} from "./definition.ts";
export {
  type CatalogObject,
  type Dependent,
  findDependentsOfAll,
} from "./dependents.ts";
export { describeTable, type TableDescription } from "./describe-table.ts";
export {
  type DocumentedIndex,
  type DocumentedTable,
  type IndexTerm,
  loadDocumentedTables,
  settleTable,
  type WrittenColumn,
  type WrittenIndex,
  type WrittenTable,
} from "./documented-table.ts";
export { type DocumentedView, loadDocumentedViews, settleView } from "./documented-view.ts";
export {
  type DroppedBefore,
  type DropTableInput,
  dropTable,
  previewDropTable,
} from "./drop-table.ts";
export { type DropPreview, dropView, previewDropView, requireNoDependents } from "./drop-view.ts";
export {
  addEnumValueSql,
  addEnumValues,
  createEnumType,
  dropEnumType,
  dropEnumTypeSql,
  type EnumType,
  listEnumTypes,
  renameEnumType,
  withEnumTypes,
} from "./enum-types.ts";
export type {
  ForeignKeyTarget,
  GuardedColumn,
  GuardedTable,
  TypeReference,
} from "./guarded-table.ts";
export { type GuardedView, guardReplacement, guardView } from "./guarded-view.ts";
export { type ForeignKeySummary, listForeignKeys } from "./list-foreign-keys.ts";
export { listTables, listViews, type TableSummary, type ViewSummary } from "./list-relations.ts";
export {
  type NewNames,
  type RenamedType,
  renameInExpression,
  renameInType,
} from "./names/rename-in-expression.ts";
export { renameSql } from "./names/rename-sql.ts";
export { parseTableDefinition } from "./parse-definition.ts";
export { readView, type ViewColumn, type ViewDetail } from "./read-view.ts";
export { previewRedefinition, redefineView } from "./recreation/recreate-view.ts";
export { compileRenameView, renameView } from "./recreation/rename-view.ts";
export { findViewsOf, type ReadPart, withReaders } from "./recreation/view-readers.ts";
export { compileReturn, requireDroppable, ViewsAside } from "./recreation/views-aside.ts";
export { readRefresh, type ViewRefresh } from "./refresh-state.ts";
export { createViewRefresher, fillView, type ViewRefresher } from "./refresh-view.ts";
export { previewReplaceView, replaceView } from "./replace-view.ts";
export { createSchema, dropSchema, listSchemas, type SchemaSummary } from "./schemas.ts";
export { readTableState, tagOfTable } from "./table-state.ts";
export { isReservedSchema, type ParsedType, parseColumnType } from "./type-name.ts";
export {
  readViewRecord,
  requireMaterialized,
  requireView,
  targetOf,
  type ViewTarget,
} from "./view-record.ts";
