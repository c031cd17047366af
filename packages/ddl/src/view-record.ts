import {
  type Catalogue,
  type Database,
  type Relation,
  readPostgresFailure,
  toAppError,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { plainViewIndexSql } from "./base/documented-table-sql.ts";
import { isReservedSchema } from "./type-name.ts";

export interface ViewTarget {
  readonly oid: string;
  readonly resourceId: string;
  readonly schema: string;
  readonly name: string;
  readonly materialized: boolean;
}

/** Properties of a view in the system catalog, without its columns. */
export interface ViewRecord {
  /** The SELECT of the view, with every relation and type qualified. */
  readonly definition: string;
  readonly comment: string | null;
  /** False for a materialized view that no refresh has filled yet. */
  readonly populated: boolean;
  /** `name=value`, as in `with (security_barrier=true)`. */
  readonly options: readonly string[];
  readonly owner: string;
  /** Whether the service's login is the owner. */
  readonly own: boolean;
  readonly indexes: readonly IndexRecord[];
  /** Its columns, in their order. */
  readonly columns: readonly string[];
  /** Statements that give a new view of this name the rest: triggers, rules, statistics, and what its columns have. */
  readonly attached: readonly AttachedStatement[];
  /** Privileges of other database logins. */
  readonly privileges: readonly {
    readonly grantee: string;
    readonly privilege: string;
    readonly grantable: boolean;
  }[];
}

export interface AttachedStatement {
  /** The column that it is about; null for the view. */
  readonly column: string | null;
  readonly sql: string;
}

export interface IndexRecord {
  readonly name: string;
  /** Null for an index over expressions. */
  readonly columns: string[] | null;
  readonly unique: boolean;
  /** Whether a concurrent refresh can use the index. */
  readonly serves: boolean;
  readonly sql: string;
  readonly comment: string | null;
  /** Whether a list of columns describes it. */
  readonly isPlain: boolean;
}

/**
 * Returns the view with this name in a schema.
 *
 * @throws AppError NOT_FOUND, also for a table
 */
export function requireView(
  catalogue: Pick<Catalogue, "relationByName">,
  schema: string,
  name: string,
): Relation {
  const relation = catalogue.relationByName(schema, name);
  if (relation?.resource.kind !== "VIEW" || isReservedSchema(schema)) {
    throw createError("NOT_FOUND", { message: "No such view" });
  }
  return relation;
}

/** Converts a relation of the catalogue to the argument of this package's functions. */
export function targetOf(relation: Relation): ViewTarget {
  return {
    oid: String(relation.oid),
    resourceId: relation.resource.id,
    schema: relation.schema,
    name: relation.name,
    materialized: relation.kind === "MATERIALIZED_VIEW",
  };
}

/**
 * Returns the resource id of a materialized view.
 *
 * @throws AppError CONFLICT for a plain view
 */
export function requireMaterialized(target: ViewTarget): string {
  if (!target.materialized) {
    throw createError("CONFLICT", { message: "Only a materialized view can be refreshed" });
  }
  return target.resourceId;
}

/**
 * Reads a view.
 *
 * @throws AppError NOT_FOUND if it was dropped, CONFLICT while it is locked: Postgres locks the relations that a
 * definition mentions before it writes the definition
 */
export async function readViewRecord(database: Database, oid: string): Promise<ViewRecord> {
  const row = await database
    .transaction(
      async (transaction) => {
        // With an empty search path, Postgres qualifies every name of the definition.
        await transaction.query("set local search_path = pg_catalog, pg_temp");
        await transaction.query("set local lock_timeout = '1s'");
        const rows = await transaction.query<{ record: ViewRecord }>(recordSql, [oid]);
        return rows[0];
      },
      { readOnly: true },
    )
    .catch((error: unknown) => {
      if (readPostgresFailure(error)?.code !== "55P03") throw toAppError(error);
      const message = "The view, or a table that it reads, is locked; a refresh may be running";
      throw createError("CONFLICT", { message, cause: error });
    });
  if (row === undefined) throw createError("NOT_FOUND", { message: "No such view" });
  // The final semicolon is not part of the SELECT.
  return { ...row.record, definition: row.record.definition.replace(/;\s*$/, "").trim() };
}

const nameSql = "c.oid::regclass";

const attachedSql = `
      select 1 as place, a.attnum, a.attname, format('alter view %s alter column %I set default %s', ${nameSql}, a.attname,
          pg_get_expr(d.adbin, d.adrelid)) as sql
        from pg_catalog.pg_attrdef d join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
        where d.adrelid = c.oid and c.relkind = 'v'
      union all select 1, a.attnum, a.attname, format('comment on column %s.%I is %L', ${nameSql}, a.attname, col_description(c.oid, a.attnum))
        from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and col_description(c.oid, a.attnum) is not null
      union all select 1, a.attnum, a.attname, format('grant %s (%I) on %s to %s%s', lower(x.privilege_type), a.attname, ${nameSql},
          case when x.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(x.grantee)) end,
          case when x.is_grantable then ' with grant option' end)
        from pg_catalog.pg_attribute a cross join lateral aclexplode(a.attacl) x
        where a.attrelid = c.oid and a.attnum > 0 and x.grantee <> c.relowner
      union all select 2, 0, null, pg_get_triggerdef(t.oid) from pg_catalog.pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal
      union all select 3, 0, null, format('comment on trigger %I on %s is %L', t.tgname, ${nameSql}, obj_description(t.oid, 'pg_trigger'))
        from pg_catalog.pg_trigger t where t.tgrelid = c.oid and obj_description(t.oid, 'pg_trigger') is not null
      union all select 2, 0, null, rtrim(pg_get_ruledef(r.oid), ';') from pg_catalog.pg_rewrite r
        where r.ev_class = c.oid and r.rulename <> '_RETURN'
      union all select 3, 0, null, format('comment on rule %I on %s is %L', r.rulename, ${nameSql}, obj_description(r.oid, 'pg_rewrite'))
        from pg_catalog.pg_rewrite r where r.ev_class = c.oid and obj_description(r.oid, 'pg_rewrite') is not null
      union all select 2, 0, null, pg_get_statisticsobjdef(s.oid) from pg_catalog.pg_statistic_ext s where s.stxrelid = c.oid`;

const recordSql = `
  select pg_catalog.json_build_object(
    'definition', pg_get_viewdef(c.oid, true),
    'comment', obj_description(c.oid, 'pg_class'),
    'populated', c.relispopulated,
    'options', coalesce(pg_catalog.to_json(c.reloptions), '[]'),
    'owner', pg_get_userbyid(c.relowner),
    'own', pg_get_userbyid(c.relowner) = system.service_login(),
    'columns', (select coalesce(pg_catalog.json_agg(a.attname order by a.attnum), '[]')
      from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0),
    'attached', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('column', s.attname, 'sql', s.sql)
        order by s.place, s.attnum, s.sql), '[]')
      from (${attachedSql}) s),
    'privileges', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
        'grantee', case when x.grantee = 0 then '' else pg_get_userbyid(x.grantee) end,
        'privilege', x.privilege_type, 'grantable', x.is_grantable)
        order by x.grantee, x.privilege_type), '[]')
      from aclexplode(c.relacl) x where x.grantee <> c.relowner),
    'indexes', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('name', i.relname,
        'columns', case when x.indexprs is null and x.indpred is null then
          (select pg_catalog.json_agg(a.attname order by k.position) from pg_catalog.unnest(x.indkey) with ordinality k (number, position)
           join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.number) end,
        'unique', x.indisunique,
        'serves', x.indisunique and x.indisvalid and x.indimmediate and x.indexprs is null and x.indpred is null,
        'isPlain', ${plainViewIndexSql}, 'sql', pg_get_indexdef(i.oid),
        'comment', obj_description(i.oid, 'pg_class')) order by i.relname), '[]')
      from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid where x.indrelid = c.oid)
  ) as record
  from pg_catalog.pg_class c where c.oid = $1::text::oid and c.relkind in ('v', 'm')`;
