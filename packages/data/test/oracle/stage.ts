import { bindGrant } from "@rowhouse/access";
import {
  createSession,
  createTestDatabase,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { createClient } from "../engine.ts";
import { nextIdentity } from "./evaluate-write.ts";
import type { Grant, Operand, Request, Row, Table, TypeName, Value, World } from "./model.ts";
import { quoteText, sqlOf, types } from "./values.ts";
import { filterJson, writeBody, writeKey, writeQuery } from "./write-request.ts";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const qualified = (table: Pick<Table, "name">): string => `public.${quote(table.name)}`;

/** A world as SQL, for the database and for whoever reads of a failure. */
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

/** A world in a database of its own, and the engine over it. */
export class Stage {
  readonly #world: World;
  readonly #test: TestDatabase;
  readonly #client: ReturnType<typeof createClient>;
  readonly #users: readonly TestUser[];

  private constructor(
    world: World,
    test: TestDatabase,
    client: ReturnType<typeof createClient>,
    users: readonly TestUser[],
  ) {
    this.#world = world;
    this.#test = test;
    this.#client = client;
    this.#users = users;
  }

  static async open(world: World): Promise<Stage> {
    const test = await createTestDatabase();
    try {
      const client = createClient(test.database);
      await test.database.query(schemaSql(world));
      await test.database.query(rowsSql(world) || "select");
      await test.database.query(peopleSql(world));
      const users: TestUser[] = [];
      for (const { id, email } of world.users) {
        users.push({ id, email, secret: await createSession(test.database, id) });
      }
      const stage = new Stage(world, test, client, users);
      await stage.#grantAll();
      return stage;
    } catch (error) {
      await test.drop();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#test.drop();
  }

  async #grantAll(): Promise<void> {
    const { catalogue } = await this.#client.snapshots.fresh();
    const statements: string[] = [];
    for (const [index, role] of this.#world.roles.entries()) {
      for (const grant of role.grants) {
        const relation = catalogue.relationByName("public", grant.table);
        if (relation === undefined) throw new Error(`${grant.table} is no resource`);
        const bound = await bindGrant(this.#test.database, catalogue, relation, inputOf(grant));
        const json = (value: unknown): string =>
          value === null ? "null" : `${quoteText(JSON.stringify(value))}::jsonb`;
        const columns = bound.columns.map(
          (column) =>
            `(${[quoteText(column.usage), column.attributeNumber, quoteText(column.mention), quoteText(column.columnName)].join()})`,
        );
        statements.push(
          `with g as (insert into system.grants (role_id, resource_id, action, all_fields, row_filter, row_check, presets)
           values ('${roleId(index)}', '${relation.resource.id}', '${bound.action}', ${bound.allFields},
             ${json(bound.rowFilter)}, ${json(bound.rowCheck)}, ${json(bound.presets)}) returning id)
           insert into system.grant_columns (grant_id, usage, attribute_number, mention, column_name)
           select g.id, c.* from g, (values ${columns.join() || "('', 0, '', '')"}) c (usage, number, mention, name) where c.number > 0`,
        );
      }
    }
    if (statements.length > 0) await this.#test.database.query(statements.join(";\n"));
  }

  /** Asks the engine; with a cursor, for the page that it leads to. */
  ask(request: Request, cursor?: string): Promise<Answer> {
    const user = this.#users[request.user];
    if (user === undefined) throw new RangeError("No such user");
    const name = `public/${request.table}`;
    const table = this.#world.tables.find((its) => its.name === request.table);
    switch (request.kind) {
      case "LIST":
        return this.#client.list(user, name, writeQuery(request, cursor));
      case "READ":
        return this.#client.read(user, name, writeKey(request.key), writeQuery(request));
      case "CREATE":
        return this.#client.create(user, name, writeBody(table, request.values));
      case "UPDATE":
        return this.#client.update(
          user,
          name,
          writeKey(request.key),
          writeBody(table, request.values),
        );
      case "DELETE":
        return this.#client.remove(user, name, writeKey(request.key));
      default:
        return request satisfies never;
    }
  }

  /** The rows of every table, as canonical texts. */
  async rows(): Promise<ReadonlyMap<string, readonly Row[]>> {
    const queries = this.#world.tables.map((table) => {
      const columns = table.columns.map(({ name, type }) => canonicalSql(quote(name), type));
      return `select ${quoteText(table.name)} as name, array[${columns.join()}] as values from ${qualified(table)}`;
    });
    const found = await this.#test.database.query<{ name: string; values: string }>(
      `select name, pg_catalog.array_to_json(values)::text as values from (${queries.join(" union all ")}) t`,
    );
    const rows = new Map<string, Row[]>(this.#world.tables.map(({ name }) => [name, []]));
    for (const { name, values } of found) {
      const texts = JSON.parse(values) as Value[];
      const table = this.#world.tables.find((its) => its.name === name);
      const entries = table?.columns.map((column, at) => [column.name, texts[at] ?? null] as const);
      rows.get(name)?.push(new Map(entries));
    }
    return rows;
  }

  /** Makes the world what it was. */
  async reset(): Promise<void> {
    await this.#test.database.transaction(async (transaction) => {
      const deletes = this.#world.tables.map((table) => `delete from ${qualified(table)};\n`);
      await transaction.query(
        `set local session_replication_role = replica;\n${deletes.join("")}${rowsSql(this.#world)}`,
      );
    });
    await this.resetIdentities();
  }

  /** Lets every identity column give `nextIdentity` next. */
  async resetIdentities(): Promise<void> {
    const calls = this.#world.tables.flatMap((table) =>
      table.columns
        .filter(({ identity }) => identity)
        .map(
          ({ name }) =>
            `pg_catalog.setval(pg_catalog.pg_get_serial_sequence(${quoteText(qualified(table))}, ${quoteText(name)}), ${nextIdentity}, false)`,
        ),
    );
    if (calls.length > 0) await this.#test.database.query(`select ${calls.join()}`);
  }
}

const roleId = (index: number): string => `10000000-0000-4000-8000-00000000000${index}`;

/** Roles, members, user columns and exposure. */
function peopleSql(world: World): string {
  const statements: string[] = [];
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
    const names = ["name", "time_zone", "language", "last_sign_in_at"];
    statements.push(
      `insert into system.users (id, email, email_verified_at, ${names.join()})
       values ('${id}', ${quoteText(email)}, now(), ${names.map(text).join()})`,
      ...roles.map(
        (index) =>
          `insert into system.role_members (role_id, user_id) values ('${roleId(index)}', '${id}')`,
      ),
      ...(administrator
        ? [
            `insert into system.role_members (role_id, user_id) select id, '${id}' from system.roles where is_administrators`,
          ]
        : []),
    );
  }
  for (const { name, exposed } of world.tables) {
    statements.push(
      `update system.resources set exposed_methods = '{${exposed.join()}}' where schema_name = 'public' and relation_name = ${quoteText(name)}`,
    );
  }
  return statements.join(";\n");
}

/** A grant as an administrator writes it. */
export function inputOf(grant: Grant) {
  const write = (operand: Operand | null): string | null =>
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

function canonicalSql(column: string, type: TypeName): string {
  if (type === "timestamptz") {
    return `pg_catalog.to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  }
  return type === "text[]" ? `pg_catalog.to_json(${column})::text` : `${column}::text`;
}
