// Tier: all. Starts processes.
import { connectDatabase, type Database } from "@rowhouse/db";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  hasPgBouncer,
  type PgBouncerServer,
  startPgBouncer,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";
import { createExporter } from "./exporter.ts";

/** What a function of the database does to its session, beside what it is for. */
const deeds = [
  "set time zone 'Europe/Berlin'",
  "select set_config('statement_timeout', '61234', false)",
  "set default_transaction_read_only = on",
  "set search_path = nowhere",
  "select set_config('role', session_user::text, false)",
  "create temporary table pg_class (oid text); create temporary table text (a integer)",
  "select pg_try_advisory_lock(1)",
  "prepare p1 as select 1",
  "deallocate all",
];

for (const isPooled of [false, true]) {
  const place = isPooled ? "behind PgBouncer with two logins" : "on connections of the process";
  describe.skipIf(isPooled && !hasPgBouncer())(place, () => {
    let test: TestDatabase;
    let pooler: PgBouncerServer | undefined;
    let database: Database;
    let client: ReturnType<typeof createClient>;
    let user: TestUser;
    let last = 1000;
    const nextId = () => {
      last += 1;
      return last;
    };

    beforeAll(async () => {
      test = await createTestDatabase({ login: isPooled ? "service" : "owner" });
      if (isPooled) {
        pooler = await startPgBouncer(test.url, 3);
      }
      database = await connectDatabase({
        url: pooler?.urlOf(test.url) ?? test.url,
        ...(isPooled ? { directUrl: test.url, prepare: false } : {}),
        applicationName: "code",
        connectionsMax: 3,
      });
      client = createClient(database);
      await test.database.query(`
        create function public.perform(deed text) returns text language plpgsql as $$
        begin
          execute deed; -- which may say PREPARE
          return deed;
        end $$;
        create function public.performed() returns trigger language plpgsql as $$
        begin
          perform public.perform(new.deed);
          return null;
        end $$`);
      await test.database.query(
        `create table public.log (id int primary key, deed text, at timestamptz default '2024-03-01 12:00Z');
         create trigger performed after insert or update on public.log for each row execute function public.performed();
         create table public.parents (id int primary key, deed text);
         create table public.sons (id int primary key, parent int references public.parents on delete cascade, deed text);
         create table public.plain (id int primary key, at timestamptz);
         insert into public.plain values (1, '2024-03-01 12:00Z')`,
      );
      await test.database.query(`
        create function public.fallen() returns trigger language plpgsql as $$
        begin
          perform public.perform(old.deed);
          return null;
        end $$`);
      await test.database.query(
        "create trigger performed after delete on public.sons for each row execute function public.fallen()",
      );
      await test.database.query(
        `create view public.seen as select id, public.perform(deed) as done from public.parents;
         create table public.spied (id int generated always as identity primary key);
         create function public.spy() returns text language plpgsql as $$
         begin
           insert into public.spied default values;
           return 'spied';
         end $$;
         create view public.spies as select id, public.spy() as done from public.parents;
         create sequence public.counted;
         create function public.count_up() returns bigint language sql as $$ select nextval('public.counted') $$;
         create view public.counts as select id, public.count_up() as done from public.parents;
         create view public.limits as select 1 as id, current_setting('statement_timeout') as statement_timeout`,
      );
      const roleId = await createRole(test.database, "Members");
      user = await createUser(test.database, "member@example.com", "Members");
      for (const name of ["log", "parents", "sons", "plain", "seen", "spies", "counts", "limits"]) {
        const isView = ["seen", "spies", "counts", "limits"].includes(name);
        const actions = isView ? ["READ"] : ["READ", "CREATE", "UPDATE", "DELETE"];
        await expose(
          test.database,
          "public",
          name,
          "GET",
          ...(isView ? [] : (["POST", "PATCH", "DELETE"] as const)),
        );
        for (const action of actions as ("READ" | "CREATE")[]) {
          await grant(
            test.database,
            client.snapshots,
            roleId,
            `public/${name}${isView ? "/view" : ""}`,
            { action },
          );
        }
      }
    });
    afterAll(async () => {
      await database.close();
      await pooler?.stop();
      await test.drop();
    });

    /** Other callers' requests, on every connection. */
    const others = async () => {
      const answers = await Promise.all(
        Array.from(
          { length: 12 },
          async () =>
            [
              await client.list(
                user,
                "public/plain",
                `where=${JSON.stringify({ id: { _eq: 1 } })}`,
              ),
              await client.list(
                user,
                "public/plain",
                `where=${JSON.stringify({ at: { _eq: "2024-03-01T12:00:00Z" } })}`,
              ),
              await client.create(user, "public/plain", {
                id: nextId(),
                at: "2024-03-02T12:00:00Z",
              }),
              await client.list(user, "public/limits/view"),
            ] as const,
        ),
      );
      for (const [read, found, created, limits] of answers) {
        const row = { id: 1, at: "2024-03-01T12:00:00+00:00" };
        expect(read).toMatchObject({ status: 200, body: { data: [row] } });
        expect(found).toMatchObject({ status: 200, body: { data: [row] } });
        expect(created).toMatchObject({
          status: 201,
          body: { data: { at: "2024-03-02T12:00:00+00:00" } },
        });
        expect(limits?.status).toBe(200);
        expect(JSON.stringify(limits?.body)).not.toContain("61234");
      }
    };

    it.each(deeds)("a function that says `%s` reaches no other request", async (deed) => {
      const log = () => ({ id: nextId(), deed });
      const outcomes: number[] = [];
      for (let round = 0; round < 2; round += 1) {
        const one = log();
        const son = { id: nextId(), parent: one.id, deed };
        const answers = [
          await client.create(user, "public/log", log()),
          await client.create(user, "public/log", one),
          await client.update(user, "public/log", String(one.id), { deed }),
          await client.create(user, "public/log", [log()]),
          await client.batch(user, [
            { method: "POST", path: "/api/public/table/log", data: log() },
          ]),
          await client.create(user, "public/parents", one),
          await client.create(user, "public/sons", son),
          await client.list(user, "public/seen/view"),
          await client.read(user, "public/parents", String(one.id)),
          await client.remove(user, "public/parents", String(one.id)),
        ];
        outcomes.push(...answers.map(({ status }) => status));
        await others();
      }
      // A request whose own code breaks its session may fail; it answers as one of the contract does. A row whose create
      // has failed is 404 later, and a read must not create tables.
      const strange = outcomes.filter(
        (status) => ![200, 201, 204, 400, 403, 404, 409, 503, 504].includes(status),
      );
      expect(strange).toEqual([]);
      // What such code leaves does not hinder its next run either.
      expect(outcomes.slice(outcomes.length / 2)).toEqual(outcomes.slice(0, outcomes.length / 2));
    });

    it.each(["spies", "counts"])("a read of %s does not write by its code", async (name) => {
      const one = { id: nextId(), deed: "select 1" };
      expect((await client.create(user, "public/parents", one)).status).toBe(201);
      const view = `public/${name}/view`;
      for (let round = 0; round < 3; round += 1) {
        const answers = [
          await client.list(user, view),
          await client.list(user, view, "count=estimated"),
          await client.list(user, view, "order_by=-done&count=exact"),
          await client.list(user, view, "aggregate=max(done)"),
          ...(await Promise.all(Array.from({ length: 8 }, () => client.list(user, view)))),
        ];
        for (const answer of answers) {
          expect(answer).toMatchObject({ status: 409, body: { errors: [{ code: "CONFLICT" }] } });
        }
        const file = createExporter(database, client.snapshots);
        expect(await file.csv(user, view)).toMatchObject({ status: 409 });
        await others();
      }
      const [row] = await test.database.query<{ rows: string; last: string }>(
        "select (select count(*) from public.spied)::text as rows, (select is_called::text from public.counted) as last",
      );
      expect(row).toEqual({ rows: "0", last: "false" });
    });

    it("what a trigger sets concerns neither its own row nor the next write of a batch", async () => {
      for (const deed of ["set time zone 'Asia/Tokyo'", "set role none; set time zone 'CET'"]) {
        const own = { id: nextId(), deed };
        const at = "2024-03-01T12:00:00";
        const row = { status: 201, data: { at: `${at}+00:00` } };
        const one = await client.create(user, "public/log", own);
        expect(one).toMatchObject({ status: 201, body: { data: row.data } });
        const answer = await client.batch(user, [
          { method: "PATCH", path: `/api/public/table/log/${own.id}`, data: { deed } },
          { method: "POST", path: "/api/public/table/plain", data: { id: nextId(), at } },
          { method: "POST", path: "/api/public/table/log", data: { id: nextId(), deed, at } },
        ]);
        expect(answer.status).toBe(200);
        const { data } = JSON.parse(String(answer.body)) as { data: unknown };
        expect(data).toMatchObject([{ ...row, status: 200 }, row, row]);
      }
    });
  });
}
