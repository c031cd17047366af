export { type Authenticator, createAuthenticator } from "./authenticator.ts";
export { type BoundColumn, type BoundGrant, bindGrant, type GrantInput } from "./bind-grant.ts";
export {
  type Audience,
  type Caller,
  type CallerKind,
  type CallerPart,
  callerKindOf,
  callerPartOf,
  callerRowSql,
} from "./caller.ts";
export {
  type Credential,
  type CredentialKind,
  createSecret,
  digestSecret,
  parseAuthorization,
  parseLinkSecret,
  parseRefreshSecret,
  parseSecret,
  type SecretKind,
} from "./credential.ts";
export { type DatePart, datePartSql, dateParts, isDatePart } from "./filter/language/date-part.ts";
export { type DistinctField, distinctFields } from "./filter/language/distinct-fields.ts";
export {
  type Condition,
  conditionsOf,
  type Filter,
  type Operand,
  type ParsedFilter,
  type Quantified,
  type Slot,
  type SlotValue,
  type Variable,
} from "./filter/language/filter.ts";
export {
  type ConditionOperator,
  conditionOperators,
  type Quantifier,
} from "./filter/language/operator.ts";
export {
  defaultFilterLimits,
  documentKeysMax,
  type FilterLimits,
  type ParseFilterOptions,
  parseFilter,
} from "./filter/language/parse-filter.ts";
export { firstInstantSql, isTemporal, periodLabelSql } from "./filter/language/period.ts";
export { type FilterResolver, resolveFilter } from "./filter/language/resolve-filter.ts";
export {
  escapeVariable,
  parseScalar,
  parseVariable,
  renameFieldOperand,
} from "./filter/language/scalar.ts";
export { searchModes } from "./filter/language/search.ts";
export {
  type FieldNames,
  renameWritten,
  renameWrittenFields,
} from "./filter/language/written-fields.ts";
export {
  argumentEnd,
  documentKeysOf,
  joinPaths,
  looseNames,
  plainPath,
  readName,
  readPath,
  splitTerms,
  wholeName,
  writeName,
} from "./filter/language/written-name.ts";
export {
  bindSlot,
  type Conversion,
  impossibleValue,
  type SlotBinding,
  slotType,
} from "./filter/sql/bind-slot.ts";
export {
  base64ToHex,
  comparedText,
  isComparable,
  isDocument,
  isMap,
  isPossibleValue,
  isTextual,
} from "./filter/sql/column-value.ts";
export { compileFilter, compileRank } from "./filter/sql/compile-filter.ts";
export { isNotNullSql, isNullSql, patternTextSql } from "./filter/sql/compile-operator.ts";
export type { CompileFilterContext, FieldSql, RelationSql } from "./filter/sql/filter-context.ts";
export { insideSql } from "./filter/sql/inside-sql.ts";
export { isRange, rangeValueType } from "./filter/sql/range-type.ts";
export {
  type Access,
  type Action,
  accessTo,
  termsOfGrant,
} from "./grants.ts";
export { holdAdministrator } from "./held-administrator.ts";
export {
  type MentionedColumn,
  parseStoredFilter,
  readFilterMeaning,
  readNamedFilter,
} from "./meaning/filter-meaning.ts";
export {
  type GrantPath,
  isSameEnd,
  resolveGrantEdges,
  resolveGrantPath,
  sharedEdges,
} from "./meaning/grant-path.ts";
export {
  describeLoss,
  type EffectiveGrant,
  type GrantTerms,
  isGone,
  type LossReason,
  type LostMention,
  type Preset,
} from "./meaning/grant-terms.ts";
export { changeOfMeaning, type MeaningChange, type MeaningUse } from "./meaning/meaning.ts";
export { mergedFilters, mergedGrants } from "./meaning/merge-grants.ts";
export {
  isBoundedPath,
  pathLengthMax,
  pathNamesMax,
  type WalkedPath,
  walkPath,
} from "./meaning/walk-path.ts";
export { movedGrants } from "./moved-grants.ts";
export { hashPassword, type PasswordMatch, verifyPassword } from "./password-hash.ts";
export {
  authenticationRequired,
  createPrincipalCache,
  isCredentialGood,
  loadPrincipal,
  type Plane,
  type Principal,
  type PrincipalCache,
  requireSession,
  type Standing,
  standingOf,
  type TokenClient,
} from "./principal.ts";
export type {
  CreateRowInput,
  DeleteRowsInput,
  GetRowInput,
  ListRowsInput,
  RowEngine,
  RowSelection,
  RunActor,
  UpdateRowsInput,
} from "./row-engine.ts";
export { createTokenUseRecorder, type TokenUseRecorder, type TokenUses } from "./token-uses.ts";
