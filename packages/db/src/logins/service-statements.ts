import type { Parameter, Queryable } from "../queryable.ts";
import { arrayLiteral } from "../quote-identifier.ts";
import { requireAgain } from "../user-code.ts";

/** What a transaction of the system's login knows of its statements. */
export interface ServiceUse {
  /** Whether some were executed as the service's login, so that the session has to be cleared at the end. */
  wereUsed: boolean;
}

const parametersMax = 3;
const returnsRows = /^\s*(?:select|with|table|values|explain)\s/i;

/** What the service says of itself for the triggers of the schema `system`, which code of users must not change. */
const originNames = ["actor", "origin", "writer", "run", "trial"].map((name) => `rowhouse.${name}`);

const keepSql = `select pg_catalog.json_build_array(${originNames
  .map((name) => `pg_catalog.current_setting('${name}', true)`)
  .join(", ")})::text as kept`;

const restoreSql = `select ${originNames
  .map(
    (name, index) =>
      `pg_catalog.set_config('${name}', coalesce($1::text::pg_catalog.json ->> ${index}, ''), true)`,
  )
  .join(", ")}`;

/**
 * Executes statements of a transaction of the system's login as the service's login: the function that does so belongs to
 * the service's login, so whatever code of the database's users they run, it has no more rights than in a request for
 * rows. Constraints are checked at once, and cursors closed, because what is left for the commit would run as the
 * system's login.
 *
 * @param send sends a statement of the transaction, which must not be a prepared one
 */
export function serviceStatements(
  { use, searchPath }: { readonly use: ServiceUse; readonly searchPath: string | undefined },
  send: <Row extends object>(text: string, parameters?: readonly Parameter[]) => Promise<Row[]>,
): Queryable {
  const againSql = requireAgain(searchPath);
  return {
    query: async <Row extends object>(text: string, parameters: readonly Parameter[] = []) => {
      if (parameters.length > parametersMax) {
        throw new TypeError(`A statement as the service has at most ${parametersMax} parameters`);
      }
      use.wereUsed = true;
      const hasRows = returnsRows.test(text);
      const [origin] = await send<{ kept: string }>(keepSql);
      const rows = await send<{ item: string }>(
        "select item from system.as_service($1::text, $2::text::boolean, $3::text::text[]) item",
        [text, String(hasRows), arrayLiteral(parameters)],
      ).catch((error: unknown) => {
        throw placed(error, text);
      });
      await send(againSql);
      await send(restoreSql, [origin?.kept ?? "[]"]);
      return hasRows ? rows.map(({ item }) => JSON.parse(item) as Row) : [];
    },
  };
}

/** Returns an error of the executed text with its position in this text, as if the text had been sent. */
function placed(error: unknown, text: string): unknown {
  if (!(error instanceof Error) || !("internal_query" in error)) return error;
  const { internal_query: executed, internal_position: position } = error as InternalError;
  const start = executed?.lastIndexOf(text) ?? -1;
  if (start === -1 || position === undefined) return error;
  return Object.assign(error, { position: String(Number(position) - start) });
}

type InternalError = { readonly internal_query?: string; readonly internal_position?: string };

/**
 * Creates the function that executes a text as its owner, the service's login. Only the system's login may call it. Its owner
 * may not replace it, because it may create nothing in the schema `system`, and a call refuses if its owner has altered
 * it: as a function of its caller, code of users would run with the rights of the system's login.
 */
export const asServiceSql = `create or replace function system.as_service(statement text, has_rows boolean, parameters text[]) returns setof text
language plpgsql security definer as $function$
begin
  if not exists (
      select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) p.pronamespace
      where p.oid operator(pg_catalog.=) pg_catalog.to_regprocedure('system.as_service(text,boolean,text[])')::pg_catalog.oid
        and p.prosecdef and p.proconfig is null
        and pg_catalog.pg_get_userbyid(p.proowner) operator(pg_catalog.=) current_user
        and p.proowner operator(pg_catalog.<>) n.nspowner and current_user operator(pg_catalog.<>) session_user) then
    raise exception using errcode = '42501', message = 'The function system.as_service has been altered; start a process with MIGRATIONS_DATABASE_URL';
  end if;
  if has_rows then
    return query execute pg_catalog.concat('select pg_catalog.to_json(item)::pg_catalog.text from (', statement, ') item')
      using parameters[1], parameters[2], parameters[3];
  else
    execute statement using parameters[1], parameters[2], parameters[3];
  end if;
  set constraints all immediate;
  execute 'close all';
end $function$`;
