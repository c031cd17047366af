export {
  type ColumnChanges,
  updateResourceColumn,
  updateResourceColumns,
} from "./resources/column-changes.ts";
export { type ColumnColors, columnColorsSchema } from "./resources/column-colors.ts";
export { type ColumnFormat, columnFormatSchema } from "./resources/column-format.ts";
export { type ColumnPresenter, loadColumnPresenter } from "./resources/column-presenter.ts";
export { isRelationName, relationNameRule } from "./resources/relation-names.ts";
export {
  listResourceColumns,
  type PresentedColumn,
  readResourceColumn,
} from "./resources/resource-columns.ts";
export { tagOfColumns, tagOfResource } from "./resources/resource-tag.ts";
export {
  listResources,
  methods,
  type ResourceColumn,
  type ResourceDetail,
  type ResourceFilter,
  type ResourceRelation,
  type ResourceSummary,
  readResource,
} from "./resources/resources.ts";
export {
  checkResource,
  type ResourceChanges,
  type ResourceUpdate,
  type UpdatedResource,
  updateResource,
  updateResources,
} from "./resources/update-resources.ts";
export {
  type AuditLogEntry,
  type AuditLogFilter,
  listAuditEntries,
} from "./roles/audit-entries.ts";
export {
  createGrant,
  deleteGrant,
  type Grant,
  type GrantFilter,
  type GrantTerms,
  listGrants,
  type NewGrant,
  readGrant,
  tagOfGrant,
  updateGrant,
} from "./roles/grants.ts";
export {
  addRoleMember,
  listRoleMembers,
  type RoleMember,
  removeRoleMember,
} from "./roles/role-members.ts";
export { type Role, roleRecords } from "./roles/roles.ts";
export { type GrantSetting, setGrants } from "./roles/set-grants.ts";
export {
  type CheckPassword,
  createUser,
  listUsers,
  type User,
  userRecords,
} from "./roles/users.ts";
export type { TitleSource } from "./titles/propose-title.ts";
export { titleFor, writtenTitle } from "./titles/record-title.ts";
export { readTitleSamples } from "./titles/title-samples.ts";
