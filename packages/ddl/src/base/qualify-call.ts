import type { FuncCall } from "libpg-query";

/**
 * Binds a call to PostgreSQL's own function, in place, so that a function of the same name in another schema of the
 * search path cannot replace it.
 */
export function qualifyCall(call: FuncCall, name: string): void {
  call.funcname = [{ String: { sval: "pg_catalog" } }, { String: { sval: name } }];
  // `timezone(zone, time)` is `time at time zone zone`, and the only form of it that the deparser writes.
  if (name === "timezone" && call.args?.length === 2) call.funcformat = "COERCE_SQL_SYNTAX";
}
