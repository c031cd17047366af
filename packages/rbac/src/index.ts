export { type AuditLogEntry, type AuditLogFilter, listAuditEntries } from "./audit-entries.ts";
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
  tagOfGrant,
  updateGrant,
} from "./grants.ts";
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
  tagOfRole,
  updateRole,
} from "./roles.ts";
export {
  type CheckPassword,
  createUser,
  listUsers,
  type NewUser,
  readUser,
  tagOfUser,
  type User,
  type UserChanges,
  updateUser,
} from "./users.ts";
