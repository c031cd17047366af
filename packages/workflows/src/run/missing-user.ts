/**
 * Whom a run names whose user was deleted: the account of all workflows, because a run names somebody. Such a run has failed
 * before it begins.
 */
export const standInUserSql =
  "(select id from system.users where is_system order by created_at limit 1)";

/** The error of such a run, as JSON. */
export const missingUserErrorSql = `'{"code":"EXECUTE_AS_GONE","message":"The user that this workflow executes as is gone","step":null}'::json`;
