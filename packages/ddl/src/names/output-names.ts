import type { Node, SelectStmt } from "libpg-query";
import { parseOneSelect } from "../base/sql-grammar.ts";

/**
 * Returns the names of the columns of a SELECT, as far as its text says them.
 *
 * @returns undefined for a SELECT whose names only PostgreSQL knows, such as `select *`
 * @throws AppError EXPRESSION_INVALID for a text that is no SELECT
 */
export async function outputNames(text: string): Promise<readonly string[] | undefined> {
  let select: SelectStmt | undefined = await parseOneSelect(text, "");
  while (select?.larg !== undefined) select = select.larg;
  if (select?.targetList === undefined) return undefined;
  const names = select.targetList.map((target) =>
    "ResTarget" in target ? (target.ResTarget.name ?? nameOf(target.ResTarget.val)) : undefined,
  );
  return names.every((name) => name !== undefined) ? names : undefined;
}

function nameOf(value: Node | undefined): string | undefined {
  if (value === undefined) return undefined;
  if ("ColumnRef" in value) return lastOf(value.ColumnRef.fields);
  if ("FuncCall" in value) return lastOf(value.FuncCall.funcname);
  return "TypeCast" in value ? nameOf(value.TypeCast.arg) : undefined;
}

function lastOf(names: readonly Node[] | undefined): string | undefined {
  const last = names?.at(-1);
  return last !== undefined && "String" in last ? last.String.sval : undefined;
}
