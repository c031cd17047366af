import { bindGrant } from "@rowhouse/access";
import {
  createSession,
  createTestDatabase,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { type Answer, createClient } from "../engine.ts";
import { nextIdentity, type WriteRequest } from "./evaluate-write.ts";
import type { Request, Row, Value, World } from "./model.ts";
import { quoteText } from "./values.ts";
import {
  canonicalSql,
  grantSql,
  inputOf,
  peopleSql,
  qualified,
  quote,
  rowsSql,
  schemaSql,
} from "./world-sql.ts";
import { writeBody, writeKey, writeQuery, writeSelection } from "./write-request.ts";

export type { Answer };

/** A world in a database of its own, with the engine on it. */
export class TestEnvironment {
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

  /** @param copies how often each read is sent; of three copies, two share a statement, as the first one of a shape has its own */
  static async open(world: World, copies = 3): Promise<TestEnvironment> {
    const test = await createTestDatabase();
    try {
      const client = createClient(test.database, { copies });
      await test.database.query(schemaSql(world));
      await test.database.query(rowsSql(world) || "select");
      await test.database.query(peopleSql(world));
      const users: TestUser[] = [];
      for (const { id, email } of world.users) {
        users.push({ id, email, secret: await createSession(test.database, id) });
      }
      const environment = new TestEnvironment(world, test, client, users);
      await environment.#grantAll();
      return environment;
    } catch (error) {
      await test.drop();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#test.drop();
  }

  async #grantAll(): Promise<void> {
    const { database } = this.#test;
    const { catalogue } = await this.#client.snapshots.fresh();
    const bound = this.#world.roles.flatMap(({ grants }, index) =>
      grants.map(async (grant) => {
        const relation = catalogue.relationByName("public", grant.table);
        if (relation === undefined) throw new Error(`${grant.table} is no resource`);
        const its = await bindGrant(database, catalogue, relation, inputOf(grant));
        return grantSql(index, relation.resource.id, its);
      }),
    );
    await database.query((await Promise.all(bound)).join(";\n") || "select");
  }

  /** Sends a request to the engine; with a cursor, for the page at that cursor. */
  ask(request: Request, cursor?: string): Promise<Answer> {
    const user = this.#users[request.user];
    if (user === undefined) throw new RangeError("No such user");
    const name = `public/${request.table}`;
    const table = this.#world.tables.find((its) => its.name === request.table);
    switch (request.kind) {
      case "LIST":
      case "AGGREGATE":
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
          writeBody(table, request.values, request.changes),
        );
      case "DELETE_MANY":
        return this.#client.removeMany(user, name, writeSelection(request), {
          representation: request.representation,
        });
      case "DELETE":
        return this.#client.remove(user, name, writeKey(request.key), {
          representation: request.representation,
        });
      default:
        return request satisfies never;
    }
  }

  /** Sends writes of one user as a batch. */
  batch(writes: readonly WriteRequest[]): Promise<Answer> {
    const user = this.#users[writes[0]?.user ?? -1];
    if (user === undefined) throw new RangeError("No such user");
    const data = writes.map((write) => {
      const table = this.#world.tables.find((its) => its.name === write.table);
      const path = `/api/public/table/${encodeURIComponent(write.table)}`;
      if (write.kind === "CREATE") {
        return { method: "POST", path, data: writeBody(table, write.values) };
      }
      if (write.kind === "DELETE_MANY") {
        return { method: "DELETE", path: `${path}?${writeSelection(write)}` };
      }
      const row = `${path}/${writeKey(write.key)}`;
      return write.kind === "DELETE"
        ? { method: "DELETE", path: row }
        : { method: "PATCH", path: row, data: writeBody(table, write.values, write.changes) };
    });
    return this.#client.batch(user, data);
  }

  /** Returns the rows of every table as canonical texts. */
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

  /** Restores the original rows of the world. */
  async reset(): Promise<void> {
    const deletes = this.#world.tables.map((table) => `delete from ${qualified(table)};\n`);
    const parts = [...deletes, rowsSql(this.#world), this.#identitySql()];
    // Statements that are sent together are one transaction.
    await this.#test.database.query(
      `set local session_replication_role = replica;\n${parts.join("")}`,
    );
  }

  /** Makes `nextIdentity` the next value of every identity column. */
  async resetIdentities(): Promise<void> {
    const sql = this.#identitySql();
    if (sql !== "") await this.#test.database.query(sql);
  }

  #identitySql(): string {
    const calls = this.#world.tables.flatMap((table) =>
      table.columns
        .filter(({ identity }) => identity)
        .map(
          ({ name }) =>
            `pg_catalog.setval(pg_catalog.pg_get_serial_sequence(${quoteText(qualified(table))}, ${quoteText(name)}), ${nextIdentity}, false)`,
        ),
    );
    return calls.length > 0 ? `select ${calls.join()}` : "";
  }
}
