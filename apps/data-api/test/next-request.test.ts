// Tier: all. Starts processes.
import { randomBytes } from "node:crypto";
import { assertionHeader, createAssertionSigner } from "@rowhouse/http";
import {
  type AppProcess,
  createRole,
  createSession,
  createTestDatabase,
  createUser,
  expose,
  startApp,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

// Two processes of the Data API, as in a production deployment, and a third client that changes the data that they
// cache.
const secret = randomBytes(24).toString("hex");
const sign = createAssertionSigner(secret);
let test: TestDatabase;
let processes: AppProcess[];
let user: TestUser;
let roleId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  roleId = await createRole(test.database, "Readers");
  await test.database.query("create table public.things (id int primary key, name text)");
  await test.database.query("insert into public.things values (1, 'one')");
  await expose(test.database, "public", "things", "GET");
  processes = await Promise.all([startProcess(), startProcess()]);
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.stop()));
  await test.drop();
});

beforeEach(async () => {
  await test.database.query("delete from system.grants");
  await test.database.query(
    `insert into system.grants (role_id, resource_id, action, all_fields)
     select '${roleId}', id, 'READ', true from system.resources where relation_name = 'things'`,
  );
  user = await createUser(
    test.database,
    `u${randomBytes(4).toString("hex")}@example.com`,
    "Readers",
  );
  // Both processes have warm caches and a prepared statement.
  for (let round = 0; round < 3; round += 1) expect(await statuses()).toEqual([200, 200]);
});

describe("on both processes, the next request", () => {
  const change = (text: string) => test.database.query(text);

  it("is rejected after a grant was removed", async () => {
    await change("delete from system.grants");
    expect(await statuses()).toEqual([404, 404]);
  });

  it("is rejected after the role was removed, and allowed after it was restored", async () => {
    await change(`delete from system.role_members where user_id = '${user.id}'`);
    expect(await statuses()).toEqual([401, 401]);
    await change(
      `insert into system.role_members (role_id, user_id) values ('${roleId}', '${user.id}')`,
    );
    expect(await statuses()).toEqual([200, 200]);
  });

  it("is rejected after the role lost its API access", async () => {
    await change(`update system.roles set api_access = false where id = '${roleId}'`);
    expect(await statuses()).toEqual([401, 401]);
    await change(`update system.roles set api_access = true where id = '${roleId}'`);
    expect(await statuses()).toEqual([200, 200]);
  });

  it("is rejected after the session was revoked or expired", async () => {
    await change(`update system.sessions set expires_at = now() where user_id = '${user.id}'`);
    expect(await statuses()).toEqual([401, 401]);
    await change(`delete from system.sessions where user_id = '${user.id}'`);
    expect(await statuses()).toEqual([401, 401]);
    const again = await createSession(test.database, user.id);
    expect(await statuses(again)).toEqual([200, 200]);
  });

  it("is rejected after the account was deactivated", async () => {
    await change(`update system.users set active = false where id = '${user.id}'`);
    expect(await statuses()).toEqual([401, 401]);
  });

  it("is rejected after the table was hidden, and sees a column and a table that psql created", async () => {
    await expose(test.database, "public", "things");
    expect(await statuses()).toEqual([404, 404]);
    await expose(test.database, "public", "things", "GET");
    await change("alter table public.things add column colour text default 'red'");
    expect(await bodies()).toEqual([
      { data: [{ id: 1, name: "one", colour: "red" }] },
      { data: [{ id: 1, name: "one", colour: "red" }] },
    ]);
    await change("alter table public.things drop column colour");
    expect(await statuses()).toEqual([200, 200]);
  });

  it("is rejected after a token was revoked, suspended or replaced on the other process, or its owner lost a role", async () => {
    const [first, second] = processes.map(({ url }) => url);
    const post = async (path: string, body?: object) => {
      const answer = await call(first ?? "", "POST", `/api/auth/tokens${path}`, user.secret, body);
      expect(answer.status).toBeLessThan(300);
      return ((await answer.json()) as { data: { id: string; secret: string } }).data;
    };
    await change(`update system.roles set token_creation = true where id = '${roleId}'`);
    const { id, secret: old } = await post("", { name: `t${user.id}`, plane: "api" });
    for (let round = 0; round < 3; round += 1) expect(await statuses(old)).toEqual([200, 200]);
    await post(`/${id}/deactivate`);
    expect(await statuses(old)).toEqual([401, 401]);
    await post(`/${id}/activate`);
    expect(await statuses(old)).toEqual([200, 200]);
    const { secret } = await post(`/${id}/regenerate`, { gracePeriod: "none" });
    expect(await statuses(old)).toEqual([401, 401]);
    expect(await statuses(secret)).toEqual([200, 200]);
    await change(`delete from system.role_members where user_id = '${user.id}'`);
    expect(await statuses(secret)).toEqual([401, 401]);
    await change(
      `insert into system.role_members (role_id, user_id) values ('${roleId}', '${user.id}')`,
    );
    await change(`update system.users set active = false where id = '${user.id}'`);
    expect(await statuses(secret)).toEqual([401, 401]);
    await change(`update system.users set active = true where id = '${user.id}'`);
    expect(await statuses(secret)).toEqual([200, 200]);
    // The session ended with the deactivation.
    const session = await createSession(test.database, user.id);
    const answer = await call(second ?? "", "POST", `/api/auth/tokens/${id}/revoke`, session);
    expect(answer.status).toBe(200);
    expect(await statuses(secret)).toEqual([401, 401]);
  });

  it("obeys a lowered limit and may use a raised one", async () => {
    const limited = (limit: number) =>
      Promise.all(
        processes.map(async ({ url }) => {
          const path = `/api/public/table/things?limit=${limit}`;
          return (await call(url, "GET", path, user.secret)).status;
        }),
      );
    const set = (value: number) =>
      change(
        `insert into system.settings (key, value) values ('data.max_limit', '${value}')
         on conflict (key) do update set value = excluded.value`,
      );
    expect(await limited(1000)).toEqual([200, 200]);
    await set(999);
    expect(await limited(1000)).toEqual([400, 400]);
    expect(await limited(999)).toEqual([200, 200]);
    await set(2000);
    expect(await limited(2000)).toEqual([200, 200]);
    await change("delete from system.settings");
    expect(await limited(2000)).toEqual([400, 400]);
  });

  it("may have a body up to the changed limit and no larger", async () => {
    // Of a route that the table has; the body is read before anything in it counts.
    const body = { data: { where: { name: { _eq: "x".repeat(1_100_000) } } } };
    const post = () =>
      Promise.all(
        processes.map(
          async ({ url }) =>
            (await call(url, "POST", "/api/public/table/things/query", user.secret, body)).status,
        ),
      );
    expect(await post()).toEqual([413, 413]);
    await change(
      "insert into system.settings (key, value) values ('limits.body_bytes', '2000000')",
    );
    expect(await post()).toEqual([200, 200]);
    await change("delete from system.settings");
    expect(await post()).toEqual([413, 413]);
  });

  it("may send as many mails per minute as the changed limit allows", async () => {
    const forgot = async (count: number) => {
      const counted: number[] = [];
      for (const { url } of Array.from({ length: count }, () => processes).flat()) {
        const body = { email: "nobody@example.com" };
        counted.push((await call(url, "POST", "/api/auth/password/forgot", "", body)).status);
      }
      return counted;
    };
    const set = (value: number) =>
      change(
        `insert into system.settings (key, value) values ('auth.mails_per_minute', '${value}')
         on conflict (key) do update set value = excluded.value`,
      );
    await set(4);
    expect(await forgot(3)).toEqual([204, 204, 204, 204, 429, 429]);
    // A rejected request counts as well.
    await set(8);
    expect(await forgot(2)).toEqual([204, 204, 429, 429]);
    await set(3);
    expect(await forgot(1)).toEqual([429, 429]);
    await change("delete from system.settings");
    expect(await forgot(1)).toEqual([204, 204]);
  });

  it("is rejected at once when the user signs out on the other process", async () => {
    const [first] = processes;
    const answer = await call(first?.url ?? "", "POST", "/api/auth/logout", user.secret);
    expect(answer.status).toBe(204);
    expect(await statuses()).toEqual([401, 401]);
  });
});

describe("a service behind a gateway", () => {
  it("rejects a call without the gateway's assertion or with an assertion for another service", async () => {
    const url = `${processes[0]?.url}/api/public/table/things`;
    const authorization = `Bearer ${user.secret}`;
    expect((await fetch(url, { headers: { authorization } })).status).toBe(401);
    const other = await sign({ requestId: "r1", clientAddress: "127.0.0.1" }, "admin-api");
    expect(
      (await fetch(url, { headers: { authorization, [assertionHeader]: other } })).status,
    ).toBe(401);
  });
});

async function statuses(credential = user.secret): Promise<number[]> {
  return Promise.all(
    processes.map(
      async ({ url }) => (await call(url, "GET", "/api/public/table/things", credential)).status,
    ),
  );
}

async function bodies(): Promise<unknown[]> {
  return Promise.all(
    processes.map(async ({ url }) =>
      (await call(url, "GET", "/api/public/table/things", user.secret)).json(),
    ),
  );
}

async function call(
  url: string,
  method: string,
  path: string,
  credential: string,
  body?: object,
): Promise<Response> {
  const assertion = await sign({ requestId: "r1", clientAddress: "127.0.0.1" }, "data-api");
  return fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${credential}`,
      [assertionHeader]: assertion,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const startProcess = () =>
  startApp("data-api", {
    DATABASE_URL: test.url,
    SYSTEM_DATABASE_URL: test.systemUrl ?? "",
    ROWHOUSE_SECRET: secret,
    LOG_LEVEL: "error",
  });
