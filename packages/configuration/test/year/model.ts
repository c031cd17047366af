import type { Files } from "../../src/index.ts";

/** What a year changes, as the files say it; names are read where they are written, so that a rename reaches them all. */
export interface Model {
  month: number;
  readonly tables: OwnTable[];
  readonly others: OtherTable[];
  readonly roles: Role[];
  readonly flows: { readonly slug: string; value: number; role: Role }[];
  readonly moods: string[];
}

export interface Named {
  name: string;
  /** The name before this month's apply. */
  former: string | null;
  /** Whether no apply has made it yet. */
  isNew?: boolean;
}

export interface OwnTable extends Named {
  readonly columns: Column[];
  label: string | null;
  exposed: boolean;
  hasView: boolean;
  readonly index: string | null;
}

export interface Column extends Named {
  type: string;
  label: string | null;
}

/** A table of other tools. */
export interface OtherTable {
  name: string;
  readonly schema: "fly" | "public";
  readonly columns: string[];
  readonly isPartitioned?: boolean;
  /** Whether the table has a file, which exposes it and labels its columns. */
  hasFile: boolean;
  readonly labels: Map<string, string>;
}

export interface Role extends Named {
  readonly grants: Grant[];
}

export interface Grant {
  readonly table: OwnTable | OtherTable;
  readonly action: "READ" | "UPDATE";
  /** Null for all. */
  readonly fields: (Column | string)[] | null;
}

function isOwn(table: OwnTable | OtherTable): table is OwnTable {
  return "hasView" in table;
}

export function keyOf(table: OwnTable | OtherTable): string {
  return `${isOwn(table) ? "own" : table.schema}.${table.name}`;
}

export function pathOf(table: OwnTable | OtherTable): string {
  return `tables/${keyOf(table).replace(".", "/")}.yaml`;
}

/** Returns the files of a model. JSON is YAML. */
export function filesOf({ tables, others, roles, flows, moods }: Model): Files {
  const files: [string, unknown][] = [
    [
      "rowhouse.yaml",
      {
        version: 1,
        parts: ["types", "tables", "views", "roles", "workflows"],
        elsewhere: ["fly.*"],
      },
    ],
    ["types/own/mood.yaml", { values: moods }],
  ];
  for (const table of tables) {
    files.push([pathOf(table), tableOf(table)]);
    if (!table.hasView) continue;
    files.push([`views/own/of_${table.name}.yaml`, { exposed: ["GET"] }]);
  }
  for (const table of others.filter(({ hasFile }) => hasFile)) {
    const columns = Object.fromEntries([...table.labels].map(([name, label]) => [name, { label }]));
    files.push([pathOf(table), { managed: "elsewhere", exposed: ["GET"], columns }]);
  }
  for (const { name, former, grants } of roles) {
    const by: Record<string, Record<string, unknown>> = {};
    for (const { table, action, fields } of grants) {
      const names = fields?.map((field) => (typeof field === "string" ? field : field.name));
      by[keyOf(table)] = { ...by[keyOf(table)], [action]: names ? { fields: names } : {} };
    }
    files.push([
      `roles/${name}.yaml`,
      { ...(former && { renamedFrom: former }), apiAccess: true, grants: by },
    ]);
  }
  for (const { slug, value, role } of flows) {
    const definition = {
      trigger: { kind: "webhook", access: "AUTHENTICATED" },
      steps: [
        { id: "values", kind: "setValues", values: { value: String(value) } },
        { id: "end", kind: "finish" },
      ],
    };
    files.push([`workflows/${slug}.yaml`, { name: slug, invoke: [role.name], definition }]);
  }
  const sql = tables
    .filter(({ hasView }) => hasView)
    .map(({ name }) => [`views/own/of_${name}.sql`, `select id from own.${name}\n`]);
  return Object.fromEntries([
    ...files.map(([path, value]) => [path, `${JSON.stringify(value)}\n`]),
    ...sql,
  ]);
}

function tableOf({ former, columns, label, exposed, index }: OwnTable): unknown {
  const described = columns.map(({ name, former: before, type, label: shown }) => [
    name,
    { type, ...(before && { renamedFrom: before }), ...(shown && { label: shown }) },
  ]);
  return {
    ...(former && { renamedFrom: `own.${former}` }),
    ...(label && { label }),
    exposed: exposed ? ["GET", "PATCH"] : [],
    columns: Object.fromEntries(described),
    primaryKey: ["id"],
    ...(index && { indexes: { [index]: { keys: [{ column: "n" }] } } }),
  };
}

/** What a database has of the model, as lines: grants, labels and exposure. */
export function shownOf({ tables, others, roles }: Model): string[] {
  return [
    ...roles.flatMap(({ name, grants }) =>
      grants.map(({ table, action, fields }) => {
        const names = fields?.map((field) => (typeof field === "string" ? field : field.name));
        return `grant ${name} ${action} ${keyOf(table)} ${names?.toSorted().join(",") ?? "all"}`;
      }),
    ),
    ...tables.flatMap((table) => [
      ...(table.exposed ? [`exposed ${keyOf(table)}`] : []),
      ...(table.hasView ? [`exposed own.of_${table.name}`] : []),
      ...(table.label ? [`label ${keyOf(table)} ${table.label}`] : []),
      ...table.columns.flatMap(({ name, label }) =>
        label ? [`label ${keyOf(table)}.${name} ${label}`] : [],
      ),
    ]),
    ...others
      .filter(({ hasFile }) => hasFile)
      .flatMap((table) => [
        `exposed ${keyOf(table)}`,
        ...[...table.labels].map(([column, label]) => `label ${keyOf(table)}.${column} ${label}`),
      ]),
  ].toSorted();
}

/** Returns the same lines of a database. */
export const shownSql = `
  with named as (
    select r.id, r.exposed_methods, r.label, r.relation_oid, n.nspname || '.' || c.relname as key
    from system.resources r join pg_catalog.pg_class c on c.oid = r.relation_oid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace)
  select 'exposed ' || key as line from named where exposed_methods <> '{}'
  union all select 'label ' || key || ' ' || label from named where label is not null
  union all select 'label ' || n.key || '.' || a.attname || ' ' || c.label from named n
    join system.resource_columns c on c.resource_id = n.id
    join pg_catalog.pg_attribute a on a.attrelid = n.relation_oid and a.attnum = c.attribute_number
    where c.label is not null
  union all select 'grant ' || o.name || ' ' || g.action || ' ' || n.key || ' ' || coalesce(
      (select pg_catalog.string_agg(a.attname, ',' order by a.attname collate "C") from system.grant_columns m
       join pg_catalog.pg_attribute a on a.attrelid = n.relation_oid and a.attnum = m.attribute_number
       where m.grant_id = g.id and m.usage = 'FIELD'), 'all')
    from system.grants g join system.roles o on o.id = g.role_id join named n on n.id = g.resource_id
    where not o.is_administrators`;
