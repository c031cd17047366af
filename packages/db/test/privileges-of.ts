import type { Queryable } from "../src/index.ts";

/** The privileges of a login on the tables of the schema `system`, a line for each. */
export async function privilegesOf(database: Queryable, login: string): Promise<string[]> {
  const rows = await database.query<{ line: string }>(
    `select c.relname || ': ' || string_agg(p.privilege || case
         when has_table_privilege('${login}', c.oid, p.privilege) then ''
         else ' (' || (select string_agg(a.attname, ', ' order by a.attname) from pg_attribute a where a.attrelid = c.oid
           and a.attnum > 0 and not a.attisdropped and has_column_privilege('${login}', c.oid, a.attnum, p.privilege)) || ')' end,
       ', ' order by p.position) as line
     from pg_class c, unnest('{select,insert,update,delete,truncate,references,trigger,maintain}'::text[]) with ordinality p (privilege, position)
     where c.relnamespace = 'system'::regnamespace and c.relkind in ('r', 'v', 'm', 'p')
       and case when p.privilege in ('select', 'insert', 'update', 'references')
         then has_any_column_privilege('${login}', c.oid, p.privilege) else has_table_privilege('${login}', c.oid, p.privilege) end
     group by c.relname order by c.relname`,
  );
  return rows.map(({ line }) => line);
}

/** The functions of the schema `system` that run with their owner's privileges and that a login may call. */
export async function functionsOf(database: Queryable, login: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace = 'system'::regnamespace and p.prosecdef and p.prorettype <> 'trigger'::regtype
       and has_function_privilege('${login}', p.oid, 'execute') order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** The SQLSTATE with which a statement fails. */
export function refusalOf(database: Queryable, text: string): Promise<string | undefined> {
  return database.query(text).then(
    () => "allowed",
    (error: { code?: string }) => error.code,
  );
}
