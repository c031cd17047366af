import {
  createSession,
  createTestDatabase,
  createToken,
  createUser,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// Changes that no client of the database may make, including the service's own login and the owner of the tables.
let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.query("insert into system.roles (name) values ('Managers')");
  await createUser(test.database, "admin@example.com", "Administrators");
  await createUser(test.database, "second@example.com", "Administrators");
  await createUser(test.database, "manager@example.com", "Managers");
  await createUser(test.database, "person@example.com");
});
afterAll(() => test.drop());

const run = (text: string) => test.database.query(text);
/** Runs a statement in a transaction with an actor. */
const runAs = (email: string, text: string) =>
  test.database.transaction(async (transaction) => {
    await transaction.query("select system.act_as(id) from system.users where email = $1::text", [
      email,
    ]);
    return transaction.query(text);
  });
const idOf = (email: string) => `(select id from system.users where email = '${email}')`;
const administrators = "(select id from system.roles where is_administrators)";

const onlyForAdministrators = [
  `insert into system.role_members (role_id, user_id) values (${administrators}, ${idOf("manager@example.com")})`,
  `update system.role_members set role_id = ${administrators} where user_id = ${idOf("manager@example.com")}`,
  `update system.role_members set user_id = ${idOf("person@example.com")} where user_id = ${idOf("second@example.com")}`,
  `delete from system.role_members where user_id = ${idOf("second@example.com")}`,
  `delete from system.users where email = 'second@example.com'`,
  `update system.users set active = false where email = 'second@example.com'`,
  `update system.users set email = 'mine@example.com' where email = 'second@example.com'`,
  `update system.users set password_hash = 'x' where email = 'second@example.com'`,
  `update system.users set id = gen_random_uuid() where email = 'second@example.com'`,
  `insert into system.users (id, email) values (${idOf("second@example.com")}, 'x@example.com')
     on conflict (id) do update set email = excluded.email`,
];

describe("the records of Administrators", () => {
  it.each(onlyForAdministrators)("cannot be changed without an actor: %s", async (text) => {
    const before = await traces();
    await expect(run(text)).rejects.toThrow(/Only Administrators may do this/);
    await expect(runAs("manager@example.com", text)).rejects.toThrow(
      /Only Administrators may do this/,
    );
    expect(await traces()).toBe(before);
  });

  it.each([
    `update system.users set name = 'x' where email = 'second@example.com'`,
    `update system.users set email_verified_at = null where email = 'second@example.com'`,
    `update system.roles set name = 'Everyone' where is_administrators`,
    `update system.roles set token_creation = false where is_administrators`,
    `update system.templates set text = 'https://evil.example/?{{ link }}' where key = 'auth.reset'`,
    `update system.templates set key = 'auth.reset.old' where key = 'auth.reset'`,
    `delete from system.templates where key = 'auth.invite'`,
    `insert into system.templates (key, language, subject, text) values ('auth.reset', 'de', 'x', 'y')`,
  ])("cannot be changed by an actor who is not an administrator: %s", async (text) => {
    const before = await traces();
    await expect(runAs("manager@example.com", text)).rejects.toThrow(
      /Only Administrators may do this/,
    );
    expect(await traces()).toBe(before);
  });

  it("can be changed by an administrator, and by each member for their own account", async () => {
    await runAs(
      "admin@example.com",
      `update system.users set name = 'Second' where email = 'second@example.com'`,
    );
    await runAs(
      "second@example.com",
      `update system.users set password_hash = 'x' where email = 'second@example.com'`,
    );
    await runAs(
      "admin@example.com",
      `update system.users set active = false where email = 'second@example.com'`,
    );
    // A deactivated user is not an active administrator.
    await expect(
      runAs(
        "second@example.com",
        `update system.users set name = 'x' where email = 'admin@example.com'`,
      ),
    ).rejects.toThrow("Only Administrators may do this");
    await expect(
      run(`update system.users set active = true where email = 'second@example.com'`),
    ).rejects.toThrow("Only Administrators may do this");
    await runAs(
      "admin@example.com",
      `update system.users set active = true where email = 'second@example.com'`,
    );
  });

  it("keep an active administrator when two deactivate each other at once, at any isolation level", async () => {
    for (const isolation of ["read committed", "repeatable read", "serializable"] as const) {
      const deactivate = (actor: string, target: string) =>
        test.database.transaction(
          async (transaction) => {
            await transaction.query(
              "select system.act_as(id) from system.users where email = $1::text",
              [actor],
            );
            await transaction.query(
              "update system.users set active = false where email = $1::text",
              [target],
            );
          },
          { isolation },
        );
      const outcomes = await Promise.allSettled([
        deactivate("admin@example.com", "second@example.com"),
        deactivate("second@example.com", "admin@example.com"),
      ]);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const [left] = (await run(
        "select email from system.users u where active and system.is_administrator(u.id)",
      )) as { email: string }[];
      const fallen =
        left?.email === "admin@example.com" ? "second@example.com" : "admin@example.com";
      await runAs(
        left?.email ?? "",
        `update system.users set active = true where email = '${fallen}'`,
      );
    }
  });

  it("cannot be truncated", async () => {
    for (const table of ["users", "roles", "role_members"]) {
      await expect(run(`truncate system.${table} cascade`)).rejects.toThrow(
        "An active administrator must remain",
      );
    }
  });
});

describe("a system account", () => {
  it.each([
    "email = 'mine@example.com'",
    "name = 'x'",
    "active = false",
    "is_system = false",
    "password_hash = 'x'",
    "is_system = false, password_hash = 'x'",
  ])("cannot be changed even by an administrator: %s", async (change) => {
    await expect(
      runAs("admin@example.com", `update system.users set ${change} where is_system`),
    ).rejects.toThrow("A system account cannot be changed");
  });

  it("loses session, tokens and links when a user's account becomes one", async () => {
    const { id } = await createUser(test.database, "robot@example.com");
    await run(`insert into system.tokens (user_id, name, plane, lifetime_days, expires_at)
      values ('${id}', 'one', 'api', 1, now() + interval '1 day')`);
    await run(
      `insert into system.links (digest, kind, user_id, expires_at) values ('x', 'RESET', '${id}', now() + interval '1 day')`,
    );
    await run(`update system.users set is_system = true where id = '${id}'`);
    const left = await run(`select 1 from system.sessions where user_id = '${id}'
      union all select 1 from system.tokens where user_id = '${id}' union all select 1 from system.links where user_id = '${id}'`);
    expect(left).toEqual([]);
    await expect(
      run(
        `insert into system.tokens (user_id, name, plane, lifetime_days, expires_at) values ('${id}', 'two', 'api', 1, now())`,
      ),
    ).rejects.toThrow("A system account holds no token");
  });
});

describe("an account", () => {
  it("that is deactivated loses its sessions and links, for any writer", async () => {
    const { id } = await createUser(test.database, "leaver@example.com");
    await run(
      `insert into system.links (digest, kind, user_id, expires_at) values ('y', 'RESET', '${id}', now() + interval '1 day')`,
    );
    await run(`update system.users set active = false where id = '${id}'`);
    expect(
      await run(
        `select 1 from system.sessions where user_id = '${id}' union all select 1 from system.links where user_id = '${id}'`,
      ),
    ).toEqual([]);
  });

  it("that gets another address is unconfirmed, and links to the old address are invalid", async () => {
    const { id } = await createUser(test.database, "mover@example.com");
    await run(
      `insert into system.links (digest, kind, user_id, expires_at) values ('z', 'VERIFY', '${id}', now() + interval '1 day')`,
    );
    await run(`update system.users set email = 'MOVER@example.com' where id = '${id}'`);
    expect(await run(`select 1 from system.links where user_id = '${id}'`)).toHaveLength(1);
    await run(`update system.users set email = 'moved@example.com' where id = '${id}'`);
    expect(await run(`select 1 from system.links where user_id = '${id}'`)).toEqual([]);
    expect(
      await run(`select 1 from system.users where id = '${id}' and email_verified_at is null`),
    ).toHaveLength(1);
  });
});

describe("a token or a run", () => {
  /** Runs statements in a transaction with an actor, a token and a run. */
  const runWith = (email: string, by: { token?: string; run?: string }, text: string) =>
    test.database.transaction(async (transaction) => {
      await transaction.query(
        `select system.act_for_request(id, $2::text::uuid, null, null), set_config('rowhouse.run', $3::text, true)
         from system.users where email = $1::text`,
        [email, by.token ?? null, by.run ?? ""],
      );
      return transaction.query(text);
    });
  const own = (email: string) => [
    `update system.users set email = 'mine@example.com' where email = '${email}'`,
    `update system.users set email_verified_at = now() + interval '1 hour' where email = '${email}'`,
    `update system.users set password_hash = 'y' where email = '${email}'`,
    `update system.users set active = false where email = '${email}'`,
    `delete from system.users where email = '${email}'`,
    `delete from system.sessions where user_id = ${idOf(email)}`,
    `update system.sessions set expires_at = now() + interval '1 year' where user_id = ${idOf(email)}`,
    `insert into system.sessions (user_id, digest, method, expires_at) values (${idOf(email)}, 'z', 'password', now() + interval '1 hour')`,
    `insert into system.provider_accounts (issuer, subject, user_id) values ('https://x.example', 'z', ${idOf(email)})`,
  ];
  const run_ = "00000000-0000-4000-8000-000000000001";
  const refusal = "A token or a run cannot change the address, password, state or sessions";

  it.each(["manager@example.com", "admin@example.com"])(
    "cannot change how its own account signs in: %s",
    async (email) => {
      const [user] = (await run(`select ${idOf(email)} as id`)) as { id: string }[];
      const token = (await createToken(test.database, user?.id ?? "", "admin")).id;
      await createSession(test.database, user?.id ?? "");
      const before = await traces();
      for (const text of own(email)) {
        await expect(runWith(email, { token }, text)).rejects.toThrow(refusal);
        await expect(runWith(email, { run: run_ }, text)).rejects.toThrow(refusal);
        // A run that executes as another user, started by a token of this user.
        await expect(runWith("second@example.com", { token, run: run_ }, text)).rejects.toThrow();
      }
      expect(await traces()).toBe(before);
    },
  );

  it("of one administrator cannot change how another one signs in if it is a run", async () => {
    const before = await traces();
    for (const text of own("second@example.com").slice(0, 3)) {
      await expect(runWith("admin@example.com", { run: run_ }, text)).rejects.toThrow(
        "A run cannot change how an administrator signs in",
      );
    }
    expect(await traces()).toBe(before);
  });

  it("that is inactive, expired, revoked or of the api plane does not act as an administrator", async () => {
    const join = `insert into system.role_members (role_id, user_id) values (${administrators}, ${idOf("person@example.com")})`;
    const [admin] = (await run(`select ${idOf("admin@example.com")} as id`)) as { id: string }[];
    const id = admin?.id ?? "";
    const tokenOf = async (change: string, plane: "api" | "admin" = "admin") => {
      const token = await createToken(test.database, id, plane);
      await run(`${change.replace("TOKEN", `'${token.id}'`)}`);
      return token.id;
    };
    for (const token of [
      await tokenOf("select 1", "api"),
      await tokenOf("update system.tokens set active = false where id = TOKEN"),
      await tokenOf("update system.tokens set expires_at = now() where id = TOKEN"),
      await tokenOf("update system.tokens set revoked_at = now() where id = TOKEN"),
      await tokenOf("delete from system.tokens where id = TOKEN"),
    ]) {
      await expect(runWith("admin@example.com", { token }, join)).rejects.toThrow(
        "Only Administrators may do this",
      );
    }
    const token = await tokenOf("select 1");
    await runWith("admin@example.com", { token }, join);
    await runAs(
      "admin@example.com",
      join.replace(
        "insert into system.role_members (role_id, user_id) values",
        "delete from system.role_members where (role_id, user_id) =",
      ),
    );
  });
});

describe("the guards", () => {
  it.each([
    "alter table system.audit_log disable trigger audit_log_append_only",
    "alter table system.audit_log disable trigger all",
    "alter table system.audit_log enable replica trigger audit_log_no_truncate",
    "alter table system.audit_log rename to old_log",
    "alter table system.audit_log set schema public",
    "drop trigger audit_log_append_only on system.audit_log",
    "drop table system.audit_log",
    "drop function system.refuse_audit_change() cascade",
    "alter table system.users disable trigger users_guarded",
    "drop trigger role_members_last_administrator on system.role_members",
  ])("cannot be removed: %s", async (text) => {
    await expect(run(text)).rejects.toThrow("The guards of the system schema cannot be taken away");
  });

  it("apply in a session with session_replication_role = replica as well", async () => {
    await run("insert into system.audit_log (action, target_kind) values ('x', 'y')");
    for (const text of [
      "delete from system.audit_log",
      "truncate system.audit_log",
      "update system.audit_log set outcome = 'FAILED'",
    ]) {
      await expect(
        test.database.transaction(async (transaction) => {
          await transaction.query("set local session_replication_role = replica");
          await transaction.query(text);
        }),
      ).rejects.toThrow("append-only");
    }
  });

  it("every trigger of the system schema fires always", async () => {
    const skipped = await run(
      `select t.tgrelid::regclass::text as relation, t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where c.relnamespace = 'system'::regnamespace and not t.tgisinternal and t.tgenabled <> 'A'
       union all select 'event', evtname from pg_event_trigger where evtname like 'rowhouse%' and evtenabled <> 'A'`,
    );
    expect(skipped).toEqual([]);
  });

  it("a removal of roles, and a change of the catalogue, are counted in a session with session_replication_role = replica", async () => {
    const counted = async () =>
      (
        await test.database.query<{ epoch: string; version: string }>(
          "select system.epoch() as epoch, (select sum(version)::text from system.users) as version",
        )
      )[0];
    const before = await counted();
    await test.database.transaction(async (transaction) => {
      await transaction.query("set local session_replication_role = replica");
      await transaction.query(
        `delete from system.role_members where user_id = ${idOf("manager@example.com")}`,
      );
    });
    const after = await counted();
    expect(after).not.toEqual(before);
    await test.database.transaction(async (transaction) => {
      await transaction.query("set local session_replication_role = replica");
      await transaction.query("create table public.unseen (id int)");
    });
    expect((await counted())?.epoch).not.toBe(after?.epoch);
    expect(await run("select 1 as n from system.resources where relation_name = 'unseen'")).toEqual(
      [{ n: 1 }],
    );
  });

  it("allow the deletion of an unused role, and prevent that of the registration role", async () => {
    await run(`insert into system.roles (name) values ('Newcomers')`);
    await run(
      `insert into system.settings (key, value) select 'auth.registration_role', to_jsonb(id::text) from system.roles where name = 'Newcomers'`,
    );
    await expect(run("delete from system.roles where name = 'Newcomers'")).rejects.toThrow(
      "The setting auth.registration_role names this role",
    );
    await run("delete from system.settings");
    await run("delete from system.roles where name = 'Newcomers'");
  });
});

async function traces(): Promise<string> {
  const rows =
    await run(`select (select jsonb_agg(to_jsonb(u) order by u.id) from system.users u) as users,
    (select jsonb_agg(to_jsonb(m) order by m.role_id, m.user_id) from system.role_members m) as members,
    (select jsonb_agg(to_jsonb(r) order by r.id) from system.roles r) as roles,
    (select jsonb_agg(to_jsonb(t) order by t.id) from system.templates t) as templates`);
  return JSON.stringify(rows);
}
