import { type Queryable, requireAgainSql } from "@rowhouse/db";
import type { CompiledRequest } from "../compile/statement-cache.ts";
import type { WriteRequest } from "../parse/request.ts";
import { type BindingContext, bindParameters } from "./bind-parameters.ts";

/**
 * Begins a transaction in which code of the database's users runs before a statement of the service: PostgreSQL looks up
 * names in the temporary schema last, so that a temporary table `text` is no type of that statement.
 */
export const ownNamesSql = `select pg_catalog.set_config('search_path',
  pg_catalog.concat_ws(', ', nullif(pg_catalog.current_setting('search_path'), ''), 'pg_temp'), true)`;

/** Follows a statement that ran such code, in the same transaction: no setting that it left concerns the next one. */
export const afterCodeSql = `${requireAgainSql}; ${ownNamesSql}`;

/**
 * Replaces the keys in the data of a write by the rows as they are now, after code of the database has changed them.
 *
 * @param compiled the write
 * @param on the transaction of the write
 */
export async function readAgain(
  { again, uses }: Pick<CompiledRequest, "again" | "uses">,
  request: WriteRequest,
  keys: string,
  context: BindingContext,
  on: Queryable,
): Promise<string> {
  const { written, rebuild } = writtenRows(request, keys);
  if (again === null || written.length === 0) return keys;
  const parameters = bindParameters(again, { ...context, written });
  const options = { prepare: uses > 1 };
  const [row] = await on.query<{ data: string }>(again.text, parameters, options);
  const rows = JSON.parse(row?.data ?? "[]") as string[];
  return rebuild((index) => rows[index] ?? "{}");
}

/** The keys in the data of a write, and the same data with other texts in their places. */
function writtenRows(
  request: WriteRequest,
  data: string,
): {
  readonly written: readonly (readonly string[])[];
  readonly rebuild: (rowAt: (index: number) => string) => string;
} {
  if (request.kind === "CREATE" && request.isList) {
    const groups = (JSON.parse(data) as string[]).map((lines) =>
      lines === "" ? [] : lines.split("\n"),
    );
    return {
      written: groups.flat().map((line) => JSON.parse(line) as string[]),
      rebuild: (rowAt) => {
        let index = 0;
        const next = () => rowAt(index++).replaceAll("\n", " ");
        return JSON.stringify(groups.map((lines) => lines.map(next).join("\n")));
      },
    };
  }
  if (request.kind === "UPDATE" && request.selection.by === "FILTER") {
    const written = JSON.parse(data) as string[][];
    return {
      written,
      rebuild: (rowAt) => `[${written.map((_, index) => rowAt(index)).join(",")}]`,
    };
  }
  return { written: [JSON.parse(data) as string[]], rebuild: (rowAt) => rowAt(0) };
}
