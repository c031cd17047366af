export { type AuditLogEntry, type AuditLogFilter, listAuditEntries } from "./audit-entries.ts";
export { type ColumnColors, columnColorsSchema } from "./column-colors.ts";
export { type ColumnFormat, columnFormatSchema } from "./column-format.ts";
export { type ColumnPresenter, loadColumnPresenter } from "./column-presenter.ts";
export {
  createDashboard,
  type Dashboard,
  type DashboardChanges,
  type DashboardInput,
  deleteDashboard,
  listDashboards,
  type Panel,
  readDashboard,
  updateDashboard,
} from "./dashboards.ts";
export {
  createDataView,
  type DataViewChanges,
  type DataViewInput,
  type DataViewRecord,
  deleteDataView,
  listDataViews,
  readDataView,
  updateDataView,
} from "./data-views.ts";
export { keepDigits } from "./exact-terms.ts";
export {
  createGrant,
  deleteGrant,
  type Grant,
  type GrantFilter,
  type GrantTerms,
  listGrants,
  type NewGrant,
  readGrant,
  updateGrant,
} from "./grants.ts";
export {
  type ColumnChanges,
  listResourceColumns,
  type PresentedColumn,
  readResourceColumn,
  updateResourceColumn,
} from "./resource-columns.ts";
export {
  listResources,
  methods,
  type ResourceColumn,
  type ResourceDetail,
  type ResourceFilter,
  type ResourceRelation,
  type ResourceSummary,
  readResource,
} from "./resources.ts";
export {
  addRoleMember,
  listRoleMembers,
  type RoleMember,
  removeRoleMember,
} from "./role-members.ts";
export {
  createRole,
  deleteRole,
  listRoles,
  type Role,
  type RoleChanges,
  type RoleInput,
  readRole,
  updateRole,
} from "./roles.ts";
export {
  resealValues,
  type SealedDeps,
  type SealedSummary,
  type SealedValue,
  surveySealedValues,
} from "./sealed-values.ts";
export {
  changeSettings,
  listSettings,
  type SettingChanges,
  type SettingSummary,
} from "./settings.ts";
export {
  type ResourceChanges,
  type ResourceUpdate,
  type UpdatedResource,
  updateResource,
  updateResources,
} from "./update-resources.ts";
export {
  type CheckPassword,
  createUser,
  listUsers,
  type NewUser,
  readUser,
  type User,
  type UserChanges,
  updateUser,
} from "./users.ts";
