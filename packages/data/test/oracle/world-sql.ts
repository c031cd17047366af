import type { BoundGrant } from "@rowhouse/access";
import type { Grant, PresetOperand, Table, TypeName, World } from "./model.ts";
import { quoteText, sqlOf, types } from "./values.ts";
import { filterJson } from "./write-request.ts";

/** Quotes an identifier. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const qualified = (table: Pick<Table, "name">): string => `public.${quote(table.name)}`;

/** Writes a world as SQL, for the database and for the report of a failure. */
export function schemaSql({ tables }: Pick<World, "tables">): string {
  const statements = tables.flatMap((table) => {
    const columns = table.columns.map((column) => {
      const parts = [quote(column.name), types[column.type].sql];
      if (!column.nullable) parts.push("not null");
      if (column.default !== null) parts.push(`default ${sqlOf(column.type, column.default)}`);
      if (column.identity) parts.push("generated always as identity");
      if (column.unique) parts.push("unique");
      if (column.min !== null) parts.push(`check (${quote(column.name)} >= ${column.min})`);
      return parts.join(" ");
    });
    const list = (names: readonly string[]): string => names.map(quote).join();
    const keys = table.foreignKeys.map(
      ({ columns: own, target, targetColumns, onDelete }) =>
        `foreign key (${list(own)}) references ${qualified({ name: target })} (${list(targetColumns)}) on delete ${onDelete}`,
    );
    const body = [...columns, `primary key (${list(table.primaryKey)})`, ...keys];
    return [`create table ${qualified(table)} (\n  ${body.join(",\n  ")}\n)`];
  });
  return ["create type public.mood as enum ('sad', 'ok', 'happy')", ...statements]
    .map((statement) => `${statement};\n`)
    .join("");
}

export function rowsSql({ tables, rows }: Pick<World, "tables" | "rows">): string {
  return tables
    .map((table) => {
      const list = rows.get(table.name) ?? [];
      if (list.length === 0) return "";
      const names = table.columns.map(({ name }) => quote(name)).join();
      const values = list.map((row) => {
        const items = table.columns.map(({ name, type }) => sqlOf(type, row.get(name) ?? null));
        return `(${items.join()})`;
      });
      return `insert into ${qualified(table)} (${names}) overriding system value values\n  ${values.join(",\n  ")};\n`;
    })
    .join("");
}

const roleId = (index: number): string => `10000000-0000-4000-8000-00000000000${index}`;

/** Writes roles, members, user columns and exposure. */
export function peopleSql(world: World): string {
  // A user column that the installation added, with texts that are also numbers.
  const statements = ["alter table system.users add column level text"];
  for (const index of world.roles.keys()) {
    statements.push(
      `insert into system.roles (id, name) values ('${roleId(index)}', 'Role ${index}')`,
    );
  }
  for (const { id, email, columns, roles, administrator } of world.users) {
    const text = (name: string): string => {
      const value = columns.get(`$USER.${name}`);
      return value == null ? "null" : quoteText(value);
    };
    const names = ["name", "time_zone", "level", "last_sign_in_at"];
    statements.push(
      `insert into system.users (id, email, email_verified_at, ${names.join()})
       values ('${id}', ${quoteText(email)}, now(), ${names.map(text).join()})`,
      ...roles.map(
        (index) =>
          `insert into system.role_members (role_id, user_id) values ('${roleId(index)}', '${id}')`,
      ),
      ...(administrator
        ? [
            // The first user creates the others.
            `select system.act_as(min(user_id::text)::uuid) from system.role_members m
               join system.roles r on r.id = m.role_id and r.is_administrators`,
            `insert into system.role_members (role_id, user_id) select id, '${id}' from system.roles where is_administrators`,
          ]
        : []),
    );
  }
  for (const { name, exposed, marked, foreignKeys } of world.tables) {
    for (const { columns, relationName } of foreignKeys) {
      if (relationName === null) continue;
      statements.push(
        `insert into system.resource_columns (resource_id, attribute_number, column_name, relation_name)
         select r.id, a.attnum, a.attname, ${quoteText(relationName)}
         from system.resources r join pg_catalog.pg_attribute a on a.attrelid = r.relation_oid
         where r.schema_name = 'public' and r.relation_name = ${quoteText(name)} and a.attname = ${quoteText(columns[0] ?? "")}`,
      );
    }
    statements.push(
      `update system.resources set exposed_methods = '{${exposed.join()}}', junction = ${marked} where schema_name = 'public' and relation_name = ${quoteText(name)}`,
    );
  }
  return statements.join(";\n");
}

/** Converts a grant to the form that an administrator writes. */
export function inputOf(grant: Grant) {
  const write = (operand: PresetOperand | null): string | null =>
    operand === null
      ? null
      : operand.kind === "VARIABLE"
        ? operand.name
        : escapeVariable(operand.text);
  return {
    action: grant.action,
    fields: grant.fields,
    rowFilter: grant.rowFilter === null ? null : filterJson(grant.rowFilter),
    check: grant.check === null ? null : filterJson(grant.check),
    presets: Object.fromEntries(
      Array.from(grant.presets, ([name, preset]) => [name, write(preset)]),
    ),
  };
}

function escapeVariable(text: string): string {
  return text.startsWith("$USER.") ? `$${text}` : text;
}

/** Selects a column as canonical text. */
export function canonicalSql(column: string, type: TypeName): string {
  if (type === "timestamptz") {
    return `pg_catalog.to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  }
  return type === "text[]" ? `pg_catalog.to_json(${column})::text` : `${column}::text`;
}

/** Writes a bound grant as the Admin API stores it. */
export function grantSql(role: number, resourceId: string, bound: BoundGrant): string {
  const json = (value: unknown): string =>
    value === null ? "null" : `${quoteText(JSON.stringify(value))}::jsonb`;
  const columns = bound.columns.map((column) => {
    const texts = [column.mention, column.columnName].map(quoteText).join();
    const resource = column.pathResourceId === null ? "null" : `'${column.pathResourceId}'`;
    return `('${column.usage}', ${column.attributeNumber}, ${texts}, ${resource}::uuid)`;
  });
  // A grant that mentions no column stores an empty list.
  const values = columns.length === 0 ? "('', 0, '', '', null::uuid)" : columns.join();
  return `with g as (insert into system.grants (role_id, resource_id, action, all_fields, row_filter, row_check, presets)
    values ('${roleId(role)}', '${resourceId}', '${bound.action}', ${bound.allFields},
      ${json(bound.rowFilter)}, ${json(bound.rowCheck)}, ${json(bound.presets)}) returning id)
    insert into system.grant_columns (grant_id, usage, attribute_number, mention, column_name, path_resource_id)
    select g.id, c.* from g, (values ${values}) c (usage, number, mention, name, resource) where c.number > 0`;
}
