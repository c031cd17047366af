// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
  await api.test.database.query(`
    insert into system.audit_log (occurred_at, actor_user_id, actor_token_id, action, target_kind, target_id, changed_fields, outcome, address, request_id)
    select timestamptz '2026-01-01 00:00Z' + n * interval '1 hour',
      ('00000000-0000-4000-8000-00000000000' || n % 2)::uuid,
      case when n % 3 = 0 then '00000000-0000-4000-8000-000000000003'::uuid end,
      case when n % 5 = 0 then 'role.update' else 'user.update' end, case when n % 5 = 0 then 'role' else 'user' end,
      'target-' || n % 4, case when n % 7 = 0 then '{name,active}' else '{name}' end::text[],
      case when n % 11 = 0 then 'FAILED' else 'SUCCEEDED' end, '198.51.100.1', 'request-' || n
    from generate_series(1, 40) n`);
});
afterAll(() => api.test.drop());

interface Entry {
  readonly id: string;
  readonly requestId: string;
}
const list = async (query: string): Promise<number[]> => {
  const answer = await api.ask("GET", `/audit-log?address=198.51.100.1&${query}`);
  return answer.body.data.map(({ requestId }: Entry) => Number(requestId.replace("request-", "")));
};
const numbers = Array.from({ length: 40 }, (_, index) => 40 - index);

describe("GET /admin/api/audit-log", () => {
  it.each<[string, (n: number) => boolean]>([
    ["actorUserId=00000000-0000-4000-8000-000000000001", (n) => n % 2 === 1],
    ["actorTokenId=00000000-0000-4000-8000-000000000003", (n) => n % 3 === 0],
    ["action=role.update", (n) => n % 5 === 0],
    ["search=ROLE", (n) => n % 5 === 0],
    ["targetKind=role&targetId=target-1", (n) => n % 5 === 0 && n % 4 === 1],
    ["changedField=active", (n) => n % 7 === 0],
    ["outcome=FAILED", (n) => n % 11 === 0],
    ["requestId=request-17", (n) => n === 17],
    ["since=2026-01-01T10:00:00Z&until=2026-01-01T13:00:00%2B01:00", (n) => n >= 10 && n < 12],
    [
      "outcome=SUCCEEDED&changedField=active&since=2026-01-01T20:00:00Z",
      (n) => n % 11 !== 0 && n % 7 === 0 && n >= 20,
    ],
  ])("returns the entries of %s, newest first", async (query, isWanted) => {
    expect(await list(query)).toEqual(numbers.filter(isWanted));
  });

  it("continues from a cursor with the same filters", async () => {
    const found: number[] = [];
    let cursor = "";
    do {
      const answer = await api.ask(
        "GET",
        `/audit-log?address=198.51.100.1&action=user.update&limit=7${cursor}`,
      );
      found.push(...answer.body.data.map(({ requestId }: Entry) => Number(requestId.slice(8))));
      cursor = answer.body.meta.nextCursor === null ? "" : `&cursor=${answer.body.meta.nextCursor}`;
    } while (cursor !== "");
    expect(found).toEqual(numbers.filter((n) => n % 5 !== 0));
  });

  it.each([
    "outcome=MAYBE",
    "since=yesterday",
    "since=2026-01-31",
    "address=example.com",
    "actorTokenId=1",
    "action=role.rename",
    "nope=1",
    "cursor=x",
  ])("refuses %s", async (query) => {
    const answer = await api.ask("GET", `/audit-log?${query}`);
    expect([answer.status, answer.faults]).toEqual([400, [`QUERY_INVALID ${query.split("=")[0]}`]]);
  });

  it("names actors and targets as they are called now, and keeps the name of a deleted user", async () => {
    await api.test.database.query("create table public.orders (id int primary key, total int)");
    const created = async (path: string, body: object): Promise<string> =>
      (await api.ask("POST", path, body)).body.data.id;
    const sales = await created("/roles", { name: "Sales" });
    const max = await created("/users", {
      email: "max@example.com",
      name: "Max",
      password: "correct horse battery",
    });
    await api.ask("POST", `/roles/${sales}/members`, { userId: max });
    const resources = await api.ask("GET", "/resources?search=orders");
    const resourceId = resources.body.data[0].id;
    await api.ask("PATCH", `/resources/${resourceId}`, {
      label: "Orders",
      exposedMethods: ["GET"],
    });
    await created("/grants", { roleId: sales, resourceId, action: "READ", fields: null });
    await api.ask("PATCH", `/roles/${sales}`, { name: "Sales team" });
    const gone = await created("/roles", { name: "Gone" });
    await api.ask("DELETE", `/roles/${gone}`);
    const { body } = await api.ask("GET", "/audit-log?limit=8");
    const named = new Map(
      body.data.map(
        ({ action, targetId, names }: { action: string; targetId: string; names: object }) => [
          `${action} ${targetId === gone ? "gone" : ""}`.trim(),
          names,
        ],
      ),
    );
    const nothing = { target: null, parent: null, parentId: null, action: null, relation: null };
    const relation = { schema: "public", name: "orders", kind: "TABLE" };
    expect(named.get("role.update")).toMatchObject({ ...nothing, target: "Sales team" });
    expect(named.get("role_member.create")).toMatchObject({
      target: "Max",
      parent: "Sales team",
      parentId: sales,
    });
    expect(named.get("grant.create")).toMatchObject({
      target: "Orders",
      parent: "Sales team",
      parentId: sales,
      action: "READ",
      relation,
    });
    expect(named.get("resource.update")).toMatchObject({ target: "Orders", relation });
    expect(named.get("role.delete gone")).toMatchObject(nothing);
    expect(body.data[0].names).toMatchObject({ actor: "admin@example.com", token: null });
    await api.test.database.query(
      "insert into system.former_users (id, name) values ('00000000-0000-4000-8000-000000000001', 'Nora')",
    );
    const earlier = await api.ask("GET", "/audit-log?requestId=request-1&address=198.51.100.1");
    expect(earlier.body.data[0].names).toMatchObject({ actor: "Nora", target: null });
  });

  it("names targets of every kind that the log can have, by one query", async () => {
    const kinds = [
      "user",
      "token",
      "session",
      "role",
      "grant",
      "resource",
      "invitation",
      "auth_provider",
    ];
    kinds.push(
      "template",
      "dashboard",
      "data_view",
      "file",
      "folder",
      "workflow",
      "workflow_sample",
    );
    kinds.push("run", "oauth_client", "schema", "workflow_secret", "settings", "role_member");
    await api.test.database.query(
      `insert into system.audit_log (action, target_kind, target_id, address)
       select 'x.y', kind, case kind when 'schema' then 'fleet' else gen_random_uuid()::text end, '203.0.113.9'
       from unnest($1::text[]) kind`,
      [`{${kinds.join(",")}}`],
    );
    const { status, body } = await api.ask("GET", "/audit-log?address=203.0.113.9");
    expect([status, body.data.length]).toEqual([200, kinds.length]);
    const names = body.data.map(
      ({
        targetKind,
        names: { target },
      }: {
        targetKind: string;
        names: { target: string | null };
      }) => [targetKind, target !== null],
    );
    expect(names.filter(([, isNamed]: [string, boolean]) => isNamed)).toEqual([
      ["workflow_secret", true],
      ["schema", true],
    ]);
  });

  it("is the only route: entries cannot be changed or deleted", async () => {
    for (const method of ["POST", "PATCH", "PUT", "DELETE"]) {
      expect((await api.ask(method, "/audit-log", {})).status).toBe(405);
    }
    expect((await api.ask("GET", "/audit-log/1")).status).toBe(404);
  });
});
