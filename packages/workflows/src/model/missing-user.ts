import type { RunError } from "../base/run-fault.ts";

/** The error of a run whose user was deleted, before or after its acceptance. */
export const executeAsGone: RunError = {
  code: "EXECUTE_AS_GONE",
  message: "The user that this run executes as was deleted",
  step: null,
};

export const executeAsGoneSql = `'${JSON.stringify(executeAsGone)}'::json`;

/** The system account of workflows, as SQL. A failed run references it if even the id of its user is unknown. */
export const standInUserSql =
  "(select id from system.users where is_system order by created_at limit 1)";
