import type { RunError } from "../base/run-fault.ts";

/** How a run fails whose user was deleted, before or after it was accepted. */
export const executeAsGone: RunError = {
  code: "EXECUTE_AS_GONE",
  message: "The user that this run executes as was deleted",
  step: null,
};

/** The same as SQL. */
export const executeAsGoneSql = `'${JSON.stringify(executeAsGone)}'::json`;

/** The account of all workflows: for a run that has failed because not even the user's id is known. */
export const standInUserSql =
  "(select id from system.users where is_system order by created_at limit 1)";
