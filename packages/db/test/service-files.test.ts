import { readFile } from "node:fs/promises";
import {
  createTestDatabase,
  serviceLogin,
  systemLogin,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  admitLogins,
  connectDatabase,
  type Database,
  recorderOf,
  startDatabase,
} from "../src/index.ts";
import { serviceFiles } from "./service-files.ts";

const folder = new URL("../../../infra/postgres/", import.meta.url);
const script = (name: keyof typeof serviceFiles) => readFile(new URL(name, folder), "utf8");

/** Every privilege of the two logins in a database, and the owner of the queue. One on a table covers its columns. */
const privilegesSql = `
with logins as (select oid, rolname from pg_roles where rolname in ('${serviceLogin.name}', '${systemLogin.name}')),
granted (object, acl) as (
  select c.oid::regclass::text, c.relacl from pg_class c where c.relnamespace = 'system'::regnamespace
  union all
  select a.attrelid::regclass || '.' || a.attname, a.attacl from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'system'::regnamespace and not has_table_privilege('${serviceLogin.name}', c.oid, 'select')
  union all
  select p.oid::regprocedure::text, p.proacl from pg_proc p where p.pronamespace = 'system'::regnamespace
  union all
  select 'schema ' || nspname, nspacl from pg_namespace where nspname in ('system', 'public')
  union all
  select 'database', datacl from pg_database where datname = current_database())
select l.rolname || ' ' || x.privilege_type || ' ' || g.object as line
from granted g, aclexplode(g.acl) x join logins l on l.oid = x.grantee
union all
select 'queue of ' || pg_get_userbyid(nspowner) from pg_namespace where nspname = 'rowhouse_queue'
order by 1`;

const privilegesOf = async (database: Database) =>
  (await database.query<{ line: string }>(privilegesSql)).map(({ line }) => line);

describe("infra/postgres", () => {
  it.each(Object.entries(serviceFiles))(
    "has %s as `npm run logins` writes it",
    async (name, text) => {
      await expect(text).toMatchFileSnapshot(`../../../infra/postgres/${name}`);
    },
  );
});

describe("close-service.sql and open-service.sql", () => {
  let closed: TestDatabase;
  let open: TestDatabase;
  beforeAll(async () => {
    const logins = { service: serviceLogin.name, system: systemLogin.name };
    closed = await createTestDatabase({ login: "owner" });
    await admitLogins(closed.database, { ...logins, closesService: true });
    open = await createTestDatabase({ login: "owner" });
    await open.database.query("drop schema rowhouse_queue cascade");
    await open.database.query(`create schema rowhouse_queue authorization ${serviceLogin.name}`);
    await admitLogins(open.database, logins);
  });
  afterAll(async () => {
    await closed.drop();
    await open.drop();
  });

  it("leave the privileges that a start gives the logins, run in turn by a superuser", async () => {
    const [asClosed, asOpen] = await Promise.all(
      [closed, open].map((each) => privilegesOf(each.database)),
    );
    expect(asClosed).toContain(`queue of ${systemLogin.name}`);
    expect(asOpen).toContain(`${serviceLogin.name} INSERT system.sessions`);
    expect(asClosed).not.toContain(`${serviceLogin.name} INSERT system.sessions`);
    await open.database.query(await script("close-service.sql"));
    expect(await privilegesOf(open.database)).toEqual(asClosed);
    await open.database.query(await script("open-service.sql"));
    expect(await privilegesOf(open.database)).toEqual(asOpen);
    await closed.database.query(await script("open-service.sql"));
    expect(await privilegesOf(closed.database)).toEqual(asOpen);
    await closed.database.query(await script("close-service.sql"));
    await closed.database.query(await script("close-service.sql"));
    expect(await privilegesOf(closed.database)).toEqual(asClosed);
  });

  it("are refused while another login may call the function of the service's login, until the next start", async () => {
    const { database } = closed;
    const other = `${new URL(closed.ownerUrl).pathname.slice(1)}_other`;
    const execute = "execute on function system.as_service(text, boolean, text[])";
    await database.query(`create role ${other}`);
    try {
      const as = (text: string) =>
        database.transaction(async (transaction) => {
          await transaction.query(`set local role ${serviceLogin.name}`);
          await transaction.query(text);
        });
      for (const text of [
        `grant ${execute} to ${other}`,
        `grant ${execute} to public`,
        `grant ${execute} to ${other}; revoke ${execute} from ${systemLogin.name}`,
      ]) {
        await as(text);
        for (const name of ["close-service.sql", "open-service.sql"] as const) {
          await expect(database.query(await script(name))).rejects.toThrow(
            "Other logins than that of SYSTEM_DATABASE_URL may call system.as_service",
          );
        }
        await admitLogins(database, { service: serviceLogin.name, system: systemLogin.name });
        await database.query(await script("close-service.sql"));
        expect(await privilegesOf(database)).toContain(`queue of ${systemLogin.name}`);
      }
    } finally {
      await database.query(`drop owned by ${other}; drop role ${other}`);
    }
  });

  it("are refused in a database whose schema one login keeps", async () => {
    const one = await createTestDatabase({ login: "owner" });
    try {
      for (const name of ["close-service.sql", "open-service.sql"] as const) {
        await expect(one.database.query(await script(name))).rejects.toThrow(
          "No process has started with MIGRATIONS_DATABASE_URL and SYSTEM_DATABASE_URL",
        );
      }
    } finally {
      await one.drop();
    }
  });
});

describe("with three logins", () => {
  const options = { applicationName: "api", connectionsMax: 7, onConnections: () => {} };
  const place = { name: "", owner: "" };
  let server: TestDatabase;
  const url = (login?: string, password = "owner") => {
    const at = new URL(server.ownerUrl);
    at.pathname = `/${place.name}`;
    if (login !== undefined) [at.username, at.password] = [login, password];
    return at.href;
  };
  const urls = () => ({
    url: url(serviceLogin.name, serviceLogin.password),
    migrationsUrl: url(place.owner),
  });
  const systemUrl = () => url(systemLogin.name, systemLogin.password);
  const asOwner = async (text: string) => {
    const owner = await connectDatabase({
      url: url(place.owner),
      applicationName: "psql",
      connectionsMax: 1,
    });
    try {
      return await owner.query(text);
    } finally {
      await owner.close();
    }
  };
  beforeAll(async () => {
    server = await createTestDatabase({ login: "owner" });
    place.name = `${new URL(server.ownerUrl).pathname.slice(1)}_three`;
    place.owner = `${place.name}_owner`;
    // As in infra/postgres/logins.sql.
    await server.database.query(`create role ${place.owner} login password 'owner'`);
    await server.database.query(
      `grant ${serviceLogin.name}, ${systemLogin.name}, ${recorderOf(serviceLogin.name)} to ${place.owner}`,
    );
    await server.database.query(`create database ${place.name} owner ${place.owner}`);
  });
  afterAll(async () => {
    await server.database.query(`drop database if exists ${place.name} with (force)`);
    await server.database.query(`drop role ${place.owner}`);
    await server.drop();
  });

  it("the start that creates the schema closes the service's login, and the owner opens and closes it", async () => {
    const codes: unknown[] = [];
    const onCodeLogins = (logins: readonly string[]) => codes.push(logins);
    const first = await startDatabase({
      ...options,
      ...urls(),
      systemUrl: systemUrl(),
      onCodeLogins,
    });
    expect(codes).toEqual([]);
    await first.service.query(
      "create table public.mine (id uuid primary key references system.users)",
    );
    await expect(first.service.query("delete from system.sessions")).rejects.toMatchObject({
      code: "42501",
    });
    await expect(startDatabase({ ...options, ...urls() })).rejects.toThrow(
      "SYSTEM_DATABASE_URL is missing",
    );

    await asOwner(await script("open-service.sql"));
    await first.service.query("delete from system.sessions");
    const second = await startDatabase({ ...options, ...urls(), onCodeLogins });
    expect(codes).toHaveLength(1);
    await second.query("delete from system.sessions");
    await expect(asOwner(await script("close-service.sql"))).rejects.toThrow(
      /These processes have no SYSTEM_DATABASE_URL: api [0-9a-f]{6} budget=[0-9]+$/,
    );
    await second.close();
    await expect
      .poll(async () => asOwner(await script("close-service.sql")).then(() => "closed", String))
      .toBe("closed");
    await expect(first.service.query("delete from system.sessions")).rejects.toMatchObject({
      code: "42501",
    });
    await first.query("delete from system.sessions");
    await first.close();
  });
});
