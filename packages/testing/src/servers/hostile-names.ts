import type { Database } from "@rowhouse/db";

/** Where the schema is on the search path: `LAST`, as usual, or before everything else, `pg_catalog` included. */
export type HostilePlace = "FIRST" | "LAST";

/**
 * Fills a schema with operators, functions and types of the names of PostgreSQL's own. PostgreSQL prefers one whose parameter
 * types are exactly those of a call, from any schema of the path, to one of `pg_catalog` whose types are others: polymorphic,
 * or reached by a conversion. No login except a superuser may execute these functions, so each statement of the service that
 * resolves to one of them fails as soon as it starts.
 *
 * @param login the name of the service's login
 */
export async function addHostileNames(database: Database, login: string): Promise<void> {
  await database.transaction(async (transaction) => {
    // Event triggers of the service would run for each of some thousand objects.
    await transaction.query("set local session_replication_role = replica");
    for (const statement of [
      "create schema hostile",
      `grant usage on schema hostile to ${login}`,
      "alter default privileges revoke execute on functions from public",
      ...[operatorsSql, functionsSql, ownTypesSql],
      "alter default privileges grant execute on functions to public",
    ]) {
      await transaction.query(statement);
    }
  });
}

/** Puts the schema of `addHostileNames` on the search path of a login in this database. */
export async function useHostileNames(
  database: Database,
  login: string,
  place: HostilePlace,
): Promise<void> {
  const path = place === "LAST" ? `"$user", public, hostile` : "hostile, public, pg_catalog";
  await database.query(`do $$ begin
    execute format('alter role ${login} in database %I set search_path = ${path}', current_database());
  end $$`);
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Types of values that the service's statements have. */
const typeNames = words(`
  text varchar bpchar name int2 int4 int8 oid numeric float8 bool uuid bytea date timestamp timestamptz interval inet
  json jsonb regclass int2vector tstzrange`);

const operatorNames = words(`
  = <> < > <= >= || @> <@ && ~ !~ ~~ !~~ ~~* -> ->> #> #>> #- ? ?| ?& - + * / % & @@ -|-`);

/** Functions of one value. */
const functionNames = words(`
  array_agg array_to_json avg bit_or cardinality concat count json_agg json_build_array json_each json_array_elements
  jsonb_agg jsonb_build_array jsonb_each left length lower max md5 min octet_length pg_column_size quote_ident
  quote_literal round row_to_json sum to_json to_jsonb to_regclass unnest upper jsonb_array_elements_text jsonb_typeof
  bool_or`);

/** Functions of two values. */
const pairFunctionNames = words(`
  array_append array_cat array_length array_position array_remove array_to_string concat concat_ws decode encode format
  format_type json_build_array json_build_object json_object_agg json_populate_record jsonb_build_array
  jsonb_build_object jsonb_object_agg num_nonnulls left round string_agg string_to_array strpos substr substring to_char`);

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(", ");

const typesSql = `select t.oid, t.typarray from pg_catalog.pg_type t
  where t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace and t.typname in (${quoted(typeNames)})`;
const allTypesSql = `select t.oid from (${typesSql}) t union all select t.typarray from (${typesSql}) t where t.typarray <> 0`;

/** Operators of which `pg_catalog` has none with exactly these operands. */
const operatorsSql = `do $do$
declare
  made record;
begin
  for made in
    with pairs as (
      select t.oid as l, t.oid as r, null as sign from (${allTypesSql}) t
      union all select t.typarray, t.oid, '||' from (${typesSql}) t where t.typarray <> 0
      union all select t.oid, t.typarray, '||' from (${typesSql}) t where t.typarray <> 0
      union all select t.oid, 'pg_catalog.text'::pg_catalog.regtype, '||' from (${typesSql}) t
      union all select 'pg_catalog.text'::pg_catalog.regtype, t.oid, '||' from (${typesSql}) t
    )
    select distinct n.name, p.l, p.r, case when n.name ~ '[=<>~@&?]' and n.name !~ '^->|#>' then 'pg_catalog.bool' else 'pg_catalog.text' end as result
    from pg_catalog.unnest(array[${quoted(operatorNames)}]) n (name)
    join pairs p on p.sign is null or p.sign = n.name
    where not exists (select from pg_catalog.pg_operator o where o.oprname = n.name and o.oprleft = p.l and o.oprright = p.r)
  loop
    execute pg_catalog.format('create function hostile.%I (%s, %s) returns %s language sql as $$ select null::%4$s $$',
      'op ' || made.name, made.l::pg_catalog.regtype, made.r::pg_catalog.regtype, made.result);
    execute pg_catalog.format('create operator hostile.%s (leftarg = %s, rightarg = %s, function = hostile.%I)',
      made.name, made.l::pg_catalog.regtype, made.r::pg_catalog.regtype, 'op ' || made.name);
  end loop;
end $do$`;

/** Functions of which \`pg_catalog\` has none with exactly these parameters. */
const functionsSql = `do $do$
declare
  made record;
begin
  for made in
    with types as (${allTypesSql}), calls as (
      select n.name, array[t.oid] as oids from pg_catalog.unnest(array[${quoted(functionNames)}]) n (name) cross join types t
      union
      select n.name, p.oids from pg_catalog.unnest(array[${quoted(pairFunctionNames)}]) n (name)
      cross join (
        select array[t.oid, t.oid] as oids from types t
        union select array[t.oid, 'pg_catalog.text'::pg_catalog.regtype::pg_catalog.oid] from types t
        union select array['pg_catalog.text'::pg_catalog.regtype::pg_catalog.oid, t.oid] from types t) p
    )
    select c.name, (select pg_catalog.string_agg(o.oid::pg_catalog.regtype::pg_catalog.text, ', ' order by o.at) from pg_catalog.unnest(c.oids) with ordinality o (oid, at)) as arguments
    from calls c
    where not exists (select from pg_catalog.pg_proc p where p.proname = c.name
      and p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace and p.proargtypes::pg_catalog.oid[] = c.oids)
  loop
    execute pg_catalog.format('create function hostile.%I (%s) returns pg_catalog.text language sql as $$ select null::pg_catalog.text $$',
      made.name, made.arguments);
  end loop;
end $do$`;

const ownTypesSql = `
create domain hostile.text as pg_catalog.int4;
create domain hostile.uuid as pg_catalog.int4;
create domain hostile.jsonb as pg_catalog.int4;
create domain hostile.int4 as pg_catalog.text;
create domain hostile.numeric as pg_catalog.text;
create type hostile.users as (a pg_catalog.int4);
`;
