export { activeAdministratorSql } from "./administrator-sql.ts";
export { advisoryLocks } from "./advisory-locks.ts";
export { createBatch, sqlForEach, valuesSql } from "./batch.ts";
export { busy } from "./busy.ts";
export type { Catalogue } from "./catalogue/catalogue.ts";
export type { ColumnPair } from "./catalogue/column-pairs.ts";
export { isUnique } from "./catalogue/column-pairs.ts";
export {
  type DirectEdge,
  type Edge,
  type Edges,
  isSoleReference,
  type JunctionEdge,
  keyOfEdge,
  ownColumns,
  referenceOf,
} from "./catalogue/edges.ts";
export { junctionKeys } from "./catalogue/junctions.ts";
export {
  type Attributes,
  type CheckConstraint,
  type Column,
  type ColumnType,
  type ComparisonOperator,
  checkMessagePrefix,
  type ForeignKey,
  type Method,
  type Relation,
  type RelationKind,
  type Resource,
  type UniqueKey,
} from "./catalogue/relation.ts";
export { rulesSql } from "./catalogue/rules-sql.ts";
export { isChangedAgain } from "./changed-again.ts";
export { type ColumnSource, loadColumnSources } from "./column-sources.ts";
export {
  comparedSql,
  comparedType,
  compareSql,
  convertAllSql,
  isAmongArraysSql,
  isAmongSql,
  isSameSql,
  joinSql,
} from "./compare-sql.ts";
export { connectDatabase } from "./connect-database.ts";
export {
  type ConnectionReport,
  type OtherUses,
  spareConnections,
} from "./connection-budget.ts";
export { openDatabase } from "./database.ts";
export { deletePiecewise } from "./delete-piecewise.ts";
export { derivePassword, passwordVerifier } from "./derived-password.ts";
export { findRelation, requireRelation } from "./find-relation.ts";
export {
  callKeys,
  isExpiredKey,
  type KeyedRequest,
  parseIdempotencyKey,
  purgeIdempotencyKeys,
  releaseExpiredKey,
  requestFingerprintOf,
  requireRepetition,
} from "./idempotency-keys.ts";
export type { ItemGate, ItemProof } from "./item-gate.ts";
export { authProviderKind } from "./kinds/auth-provider.ts";
export { exactObject, roundedObject } from "./kinds/exact-objects.ts";
export {
  type DocumentField,
  type Fields,
  isChangeable,
  isGivenOnce,
  type KindField,
  type ValueOf,
} from "./kinds/field.ts";
export {
  type CarriedOf,
  type ChangesOf,
  type Conflict,
  type DocumentedOf,
  defineKind,
  fieldSql,
  type InputOf,
  type Kind,
  type StoredOf,
} from "./kinds/kind.ts";
export { type KindName, kinds, type SimplyDescribed, simpleKinds } from "./kinds/kinds.ts";
export {
  documentSchema,
  givenShapeOf,
  type RecordSchemas,
  recordSchemasOf,
  storedShapeOf,
} from "./kinds/record-schemas.ts";
export { roleKind } from "./kinds/role.ts";
export { documentTemplateKind, mailTemplateKind } from "./kinds/template.ts";
export { hasAccessSql, userKind } from "./kinds/user.ts";
export { isReferredTable, type ReferredTable, requireHarmlessDeletion } from "./logins/cascades.ts";
export { connectLogins, poolOf, togetherWith } from "./logins/connect-logins.ts";
export {
  admitLogins,
  handOver,
  isServiceClosed,
  ownersPathSql,
  recorderOf,
  type ServingLogins,
} from "./logins/service-login.ts";
export { hasEventTriggers, installEventTriggers, migrate } from "./migrate.ts";
export { nestedDatabase } from "./nested-database.ts";
export type { Orm } from "./orm.ts";
export {
  builtInType,
  heldTextSql,
  listType,
  type ParameterType,
  parameterSql,
  sentType,
  textAsSql,
} from "./parameter-type.ts";
export type {
  Database,
  DatabaseOptions,
  LoginsOptions,
  OwnTransaction,
  Parameter,
  Permit,
  PoolLoad,
  Queryable,
  QueryOptions,
  StagingOptions,
  StagingTransaction,
  Transaction,
  TransactionOptions,
} from "./queryable.ts";
export {
  arrayLiteral,
  quoteIdentifier,
  quoteLiteral,
  quoteQualified,
} from "./quote-identifier.ts";
export { type AuditAction, auditActions } from "./records/audit-actions.ts";
export {
  type AuditActor,
  type AuditEntry,
  appendAuditEntries,
  appendAuditEntry,
} from "./records/audit-log.ts";
export {
  type AuditedChange,
  actAs,
  actFor,
  makeChange,
  requireFound,
} from "./records/change.ts";
export { entityTagOf, requireEntityTag } from "./records/entity-tag.ts";
export { requireLegibleName } from "./records/legible-name.ts";
export {
  isUuid,
  matchesSearch,
  type Page,
  type PageRequest,
  readCursor,
  toPage,
  writePageCursor,
} from "./records/page.ts";
export {
  createRecord,
  deleteRecord,
  givenFields,
  listRecords,
  lockRecord,
  type RecordFilter,
  type RecordKind,
  type RecordSource,
  readRecord,
  updateRecord,
} from "./records/record.ts";
export { type RecordRules, Records } from "./records/records.ts";
export type { StreamOptions, TextRow } from "./row-stream.ts";
export * as schema from "./schema/index.ts";
export {
  readServerVersion,
  type ServerVersion,
  serverVersionOf,
  testedVersions,
} from "./server-version.ts";
export { sessionOptions } from "./session-settings.ts";
export {
  type BesideMention,
  type ColumnPresentation,
  type ColumnScope,
  type GrantColumnRecord,
  type GrantRecord,
  isCurrent,
  narrowed,
  type ProvenSnapshot,
  proofOf,
  proofQuery,
  type RoleRecord,
  type Snapshot,
} from "./snapshot/snapshot.ts";
export { createSnapshotStore, type SnapshotStore } from "./snapshot/snapshot-store.ts";
export {
  openSqlSession,
  type SqlColumn,
  type SqlNotice,
  type SqlOutcome,
  type SqlSession,
} from "./sql-session.ts";
export {
  codeFailed,
  isOfExpression,
  isOfUserCode,
  isOfUserCodeSql,
  isUserStateSql,
  type PostgresFailure,
  readPostgresFailure,
  toAppError,
} from "./sqlstate.ts";
export { type StartOptions, startDatabase } from "./start-database.ts";
export { syncTriggers } from "./sync-triggers.ts";
export { requireAgainSql } from "./user-code.ts";
