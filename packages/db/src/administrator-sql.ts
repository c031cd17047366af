/** SQL for whether a user `u` is an active administrator. */
export const activeAdministratorSql = `(u.active and exists (
  select from system.role_members m join system.roles r on r.id = m.role_id and r.is_administrators where m.user_id = u.id))`;
