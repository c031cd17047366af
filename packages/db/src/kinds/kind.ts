import type { PartName } from "@rowhouse/wire";
import { getTableName } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Carried, Changes, Documented, Fields, New, Stored } from "./field.ts";

/** The error that the caller receives for a violated unique key. */
export interface Conflict {
  readonly path?: string;
  readonly message: string;
}

/** How the records of a simple kind differ. */
export interface SimpleKind {
  /** The folder of their configuration documents. */
  readonly part: PartName;
  /** The field that names a record in documents and messages; it never changes. */
  readonly key: string;
}

/** What is said of a kind of record once; SQL, schemas, routes, audit entries, documents and pages follow from it. */
export interface KindDescription<All extends Fields = Fields> {
  /** The target kind in the audit log, and the prefix of its actions: `role.create`. */
  readonly name: string;
  /** What messages call one. */
  readonly noun: string;
  /** What the OpenAPI document calls its schema. */
  readonly schema: string;
  /** The path of its list in the Admin API: `/roles`. */
  readonly path: `/${string}`;
  /** The path of its page in the console; `{id}` stands for the id of a record. */
  readonly page: `/${string}`;
  readonly table: PgTable & { readonly id: PgColumn };
  /** The name of a row in the SQL expressions of the kind. */
  readonly alias: string;
  /** A text, as an SQL expression, that lists are sorted by, before the id. */
  readonly sortKey: string;
  /** The text, as an SQL expression, that `search` matches without case. */
  readonly searched: string;
  /** What people call a record, as an SQL expression. */
  readonly title: string;
  /** The error for a record that exists already. */
  readonly conflict?: Conflict;
  /** `LIST` for a kind whose entity tags are those of a list of values; by default those of an object. */
  readonly tag?: "LIST";
  /** Of a kind whose routes, documents and page follow from its description alone. */
  readonly simple?: SimpleKind;
  /** In the order of responses. */
  readonly fields: All;
}

/** A kind of record, with the SQL that follows from its description. */
export type Kind<All extends Fields = Fields> = KindDescription<All> & {
  /** In the schema `system`. */
  readonly tableName: string;
  readonly from: string;
  readonly id: string;
  /** The record as a JSON object, without its secrets. */
  readonly json: string;
};

export type StoredOf<K extends Kind> = Stored<K["fields"]>;
export type InputOf<K extends Kind> = New<K["fields"]>;
export type ChangesOf<K extends Kind> = Changes<K["fields"]>;
export type DocumentedOf<K extends Kind> = Documented<K["fields"]>;
export type CarriedOf<K extends Kind> = Carried<K["fields"]>;

/** Completes the description of a kind. @throws TypeError for a field without a column and without an expression */
export function defineKind<const All extends Fields, const Name extends string>(
  kind: KindDescription<All> & { readonly name: Name; readonly from?: string },
): Kind<All> & { readonly name: Name } {
  const { alias, fields } = kind;
  const members = Object.entries(fields).flatMap(([name, { secret }]) =>
    secret === true ? [] : [`'${name}', ${fieldSql(kind, name)}`],
  );
  const tableName = getTableName(kind.table);
  return {
    tableName,
    from: `system.${tableName} ${alias}`,
    ...kind,
    id: `${alias}.id`,
    json: `pg_catalog.json_build_object(${members.join(", ")})`,
  };
}

/** Returns the SQL expression of a field. @throws TypeError for a field without a column and without an expression */
export function fieldSql(
  kind: Pick<KindDescription, "alias" | "fields" | "name" | "table">,
  name: string,
): string {
  const { sql, column = name } = kind.fields[name] ?? {};
  return sql ?? `${kind.alias}.${columnOf(kind, column).name}`;
}

/** Returns the values of a new or changed record that its table has a column for, by column. */
export function storedColumnsOf(
  { table, fields }: Pick<Kind, "table" | "fields">,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const column = fields[name]?.column ?? name;
      return fields[name]?.secret !== true && column in table ? [[column, value]] : [];
    }),
  );
}

function columnOf(
  { name: kind, table }: Pick<KindDescription, "name" | "table">,
  name: string,
): PgColumn {
  const column = (table as unknown as Readonly<Record<string, PgColumn | undefined>>)[name];
  if (column === undefined) throw new TypeError(`${kind}.${name} has no column`);
  return column;
}
