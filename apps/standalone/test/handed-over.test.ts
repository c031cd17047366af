// Tier: long. Starts processes on a data directory of an earlier version.
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, migrate, openDatabase } from "@rowhouse/db";
import { startLocalPostgres } from "@rowhouse/local-postgres";
import { signIn, startApp } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "./client.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-handed-over-"));
  // Under root the server runs as another account.
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const environment = () => ({
  ROWHOUSE_DATA_DIR: join(folder, "data"),
  ROWHOUSE_ADMIN_EMAIL: signIn.email,
  ROWHOUSE_ADMIN_PASSWORD: signIn.password,
});

async function on<Result>(url: string, work: (database: Database) => Promise<Result>) {
  const database = openDatabase({ url, applicationName: "test", connectionsMax: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** What the superuser may own in a database of users. */
const objects = [
  "create schema shop",
  "create table shop.items (id int generated always as identity primary key, owner uuid references system.users on delete cascade)",
  "create sequence shop.loose",
  "create type shop.mood as enum ('good')",
  "create domain shop.positive as int check (value > 0)",
  "create type shop.pair as (a int, b shop.mood)",
  "create view shop.seen as select * from shop.items",
  "create materialized view shop.kept as select 1 as a",
  "create function shop.fire() returns trigger language plpgsql as $$ begin return new; end $$",
  "create trigger fire before insert on shop.items for each row execute function shop.fire()",
  "create procedure shop.act() language sql as 'select 1'",
  "create aggregate shop.total (int) (sfunc = int4pl, stype = int)",
  "create function shop.add(point, int) returns point language sql as 'select $1'",
  "create operator shop.### (function = shop.add, leftarg = point, rightarg = int)",
  "create collation shop.folded (locale = 'C')",
  "create statistics shop.both on id, owner from shop.items",
  "create text search configuration shop.words (copy = simple)",
  "create text search dictionary shop.plain (template = simple)",
  "select lo_create(0)",
  // A superuser executes these.
  "create function shop.watch() returns event_trigger language plpgsql as $$ begin end $$",
  "create event trigger mine on ddl_command_end execute function shop.watch()",
];

const ownedSql = `
select k.kind, pg_get_userbyid(k.owner)::text as owner, count(*)::int as objects
from (
  select 'schema' as kind, nspowner as owner, oid from pg_namespace where nspname = 'shop'
  union all select 'relation', relowner, oid from pg_class where relnamespace = 'shop'::regnamespace and relkind in ('r', 'v', 'm', 'S')
  union all select 'routine', proowner, oid from pg_proc where pronamespace = 'shop'::regnamespace
  union all select 'type', typowner, oid from pg_type where typnamespace = 'shop'::regnamespace and typtype in ('c', 'd', 'e')
  union all select 'operator', oprowner, oid from pg_operator where oprnamespace = 'shop'::regnamespace
  union all select 'collation', collowner, oid from pg_collation where collnamespace = 'shop'::regnamespace
  union all select 'statistics', stxowner, oid from pg_statistic_ext where stxnamespace = 'shop'::regnamespace
  union all select 'search', cfgowner, oid from pg_ts_config where cfgnamespace = 'shop'::regnamespace
  union all select 'search', dictowner, oid from pg_ts_dict where dictnamespace = 'shop'::regnamespace
  union all select 'large object', lomowner, oid from pg_largeobject_metadata
  union all select 'system', relowner, oid from pg_class where relnamespace = 'system'::regnamespace and relkind in ('r', 'v')
  union all select 'system', proowner, oid from pg_proc where pronamespace = 'system'::regnamespace and proname <> 'as_service'
  union all select 'event trigger', evtowner, oid from pg_event_trigger
) k group by k.kind, k.owner`;

test("a start hands a data directory of the superuser over to the logins, and serves it", async () => {
  const earlier = await startLocalPostgres({ directory: environment().ROWHOUSE_DATA_DIR });
  const superuserUrl = earlier.url.replace(/\/postgres$/, "/rowhouse");
  try {
    await on(earlier.url, (server) => server.query("create database rowhouse"));
    await on(superuserUrl, async (database) => {
      await migrate(database);
      for (const text of objects) await database.query(text);
    });
  } finally {
    await earlier.stop();
  }

  for (let start = 0; start < 2; start += 1) {
    const app = await startApp("standalone", environment());
    try {
      const shown = await readFile(join(environment().ROWHOUSE_DATA_DIR, "database-url"), "utf8");
      expect(new URL(shown).username).toBe("rowhouse_service");
      const owned = await on(shown, (database) =>
        database.query<{ kind: string; owner: string }>(ownedSql),
      );
      const ownersOf = (kind: string) =>
        owned.flatMap((row) => (row.kind === kind ? [row.owner] : [])).sort();
      for (const kind of [
        "schema",
        "relation",
        "type",
        "operator",
        "collation",
        "statistics",
        "search",
        "large object",
      ])
        expect([kind, ...ownersOf(kind)]).toEqual([kind, "rowhouse_service"]);
      expect(ownersOf("routine")).toEqual(["rowhouse", "rowhouse_service"]);
      expect(ownersOf("system")).toEqual(["rowhouse_owner", "rowhouse_service_recorder"]);
      expect(ownersOf("event trigger")).toEqual(["rowhouse"]);
      const [login] = await on(shown, (database) =>
        database.query(
          "select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = current_user",
        ),
      );
      expect(Object.values(login ?? {})).toEqual([false, false, false, false]);

      const client = createClient(app);
      const as = await client.signIn(signIn);
      const altered = await client.ask("PATCH", "/admin/api/schema/shop/tables/items", {
        as,
        body: {
          data: { changes: [{ kind: "addColumn", name: `added_${start}`, dataType: "text" }] },
        },
      });
      expect(altered.status).toBe(200);
      const console_ = await client.ask("POST", "/admin/api/sql", {
        as,
        body: {
          data: { sql: "insert into shop.items default values returning id", readOnly: false },
        },
      });
      expect(console_.status).toBe(200);
    } finally {
      await app.stop();
    }
  }
});
