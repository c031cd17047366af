// Tier: all. Starts processes.
import { readFile } from "node:fs/promises";
import {
  type AppProcess,
  createTestDatabase,
  createUser,
  startApp,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let test: TestDatabase;
let worker: AppProcess | undefined;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(async () => {
  await worker?.stop();
  await test.drop();
});

describe("retention", () => {
  const document = () =>
    readFile(new URL("../../../docs/operations/retention.md", import.meta.url), "utf8");

  it("the page on retention lists every table of the schema system", async () => {
    const text = await document();
    const listed = text
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .flatMap((line) =>
        [...(line.split("|").at(-2) ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name),
      );
    const tables = await test.database.query<{ name: string }>(
      "select relname::text as name from pg_class where relnamespace = 'system'::regnamespace and relkind = 'r' order by 1",
    );
    expect(listed.toSorted()).toEqual(tables.map(({ name }) => name));
  });

  it("the statements of the page delete old audit entries, and only a superuser may run them", async () => {
    const [, statements = ""] =
      /```sql\nbegin;\n([\s\S]*?)commit;\n```/.exec(await document()) ?? [];
    const { database } = test;
    await database.query(
      `insert into system.audit_log (action, target_kind, target_id, occurred_at)
       values ('x', 'y', 'old', now() - interval '3 years'), ('x', 'y', 'kept', now() - interval '1 year')`,
    );
    const served = await createTestDatabase({ login: "service" });
    await expect(
      served.service.transaction((transaction) => transaction.query(statements)),
    ).rejects.toMatchObject({ code: "42501" });
    await served.drop();
    await database.transaction((transaction) => transaction.query(statements));
    const left = await database.query<{ target: string }>(
      "select target_id as target from system.audit_log where action = 'x'",
    );
    expect(left).toEqual([{ target: "kept" }]);
    await expect(database.query("delete from system.audit_log")).rejects.toThrow("append-only");
  });

  it("a worker deletes records when their retention ends, and not before", async () => {
    const { database } = test;
    const { id: user } = await createUser(database, "admin@example.com", "Administrators");
    await database.query("delete from system.sessions");
    // For each table, one expired row and one that is not expired, distinguished by name or age.
    const pairs: readonly (readonly [
      table: string,
      old: string,
      kept: string,
      insert: (age: string, name: string) => string,
    ])[] = [
      [
        "idempotency_keys",
        "25 hours",
        "23 hours",
        (age, name) =>
          `insert into system.idempotency_keys (user_id, key, fingerprint, created_at) values ('${user}', '${name}', 'x', now() - interval '${age}')`,
      ],
      [
        "sessions",
        "1 second",
        "-1 hour",
        (age, name) =>
          `insert into system.sessions (user_id, digest, method, expires_at) values ('${user}', '${name}', 'password', now() - interval '${age}')`,
      ],
      [
        "tokens",
        "31 days",
        "29 days",
        (age, name) =>
          `insert into system.tokens (user_id, name, plane, lifetime_days, expires_at, created_at) values ('${user}', '${name}', 'api', 1, now() - interval '${age}', now() - interval '60 days')`,
      ],
      [
        "links",
        "25 hours",
        "23 hours",
        (age, name) =>
          `insert into system.links (digest, kind, user_id, expires_at, created_at)
         select '${name}', kind, '${user}', now() - interval '1 hour', now() - interval '${age}' from (select case '${name}' when 'old' then 'RESET' else 'VERIFY' end as kind) k`,
      ],
      [
        "invitations",
        "31 days",
        "29 days",
        (age, name) =>
          `insert into system.invitations (email, digest, expires_at) values ('${name}@example.com', '${name}', now() - interval '${age}')`,
      ],
      [
        "sign_in_attempts",
        "25 hours",
        "23 hours",
        (age, name) =>
          `insert into system.sign_in_attempts (address_digest, attempts, last_at) values ('${name}', 1, now() - interval '${age}')`,
      ],
      [
        "rate_limits",
        "2 hours",
        "1 minute",
        (age, name) =>
          `insert into system.rate_limits (key, points, expire) values ('${name}', 1, (extract(epoch from now() - interval '${age}') * 1000)::bigint)`,
      ],
      [
        "workflow_runs",
        "31 days",
        "29 days",
        (age, name) =>
          `with w as (insert into system.workflows (slug, name, draft) values ('w-${name}', 'w', '{}') returning id),
           v as (insert into system.workflow_versions (workflow_id, number, definition) select id, 1, '{}' from w returning id, workflow_id)
         insert into system.workflow_runs (workflow_id, version_id, execute_as_user_id, status, input, accepted_at, finished_at)
         select workflow_id, id, '${user}', 'SUCCEEDED', '{}', now() - interval '${age}', now() - interval '${age}' from v`,
      ],
      [
        "webhook_calls",
        "25 hours",
        "23 hours",
        (age, name) =>
          `insert into system.webhook_calls (workflow_id, caller, key, fingerprint, run_id, created_at)
         select workflow_id, '', '${name}', 'x', id, now() - interval '${age}' from system.workflow_runs order by accepted_at desc limit 1`,
      ],
    ];
    for (const [, old, kept, insert] of pairs) {
      await database.query(insert(old, "old"));
      await database.query(insert(kept, "kept"));
    }
    const counts = async () => {
      const rows = await database.query<{ count: number; table: string }>(
        pairs
          .map(
            ([table]) =>
              `select '${table}' as "table", count(*)::int as count from system.${table}`,
          )
          .join(" union all "),
      );
      return Object.fromEntries(rows.map(({ table, count }) => [table, count]));
    };
    const each = (count: number) => Object.fromEntries(pairs.map(([table]) => [table, count]));
    expect(await counts()).toEqual(each(2));
    worker = await startApp("workflow-worker", {
      DATABASE_URL: test.url,
      ROWHOUSE_SECRET: "a secret of the tests' own, long enough",
    });
    await expect.poll(counts, { timeout: 60_000 }).toEqual(each(1));
    const left = await database.query<{ name: string }>(
      `select key as name from system.idempotency_keys union all select name from system.tokens union all select key from system.webhook_calls
       union all select key from system.rate_limits`,
    );
    expect(left.map(({ name }) => name)).toEqual(["kept", "kept", "kept", "kept"]);
  });
});
