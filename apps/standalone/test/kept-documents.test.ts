// Tiers: usual, topologies.
import {
  createRole,
  createUser,
  expose,
  signIn,
  startTestEnvironment,
  type TestEnvironment,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// Two roles with one table each, whose readers request the same documents in turn.
let environment: TestEnvironment;
let alice: TestUser;
let bob: TestUser;
let both: TestUser;
let administrator = "";
const roleOf: Record<string, string> = {};
const run = (text: string) => environment.test.database.query(text);

beforeAll(async () => {
  environment = await startTestEnvironment();
  const { database } = environment.test;
  for (const [role, table] of [
    ["Alphas", "alpha"],
    ["Betas", "beta"],
  ] as const) {
    roleOf[role] = await createRole(database, role);
    await run(`create table public.${table} (id int primary key, ${table}_note text)`);
    await expose(database, "public", table, "GET");
    await grant(role, table);
  }
  alice = await createUser(database, "alice@example.com", "Alphas");
  bob = await createUser(database, "bob@example.com", "Betas");
  both = await createUser(database, "both@example.com", "Betas", "Alphas");
  const answer = await fetch(`${environment.url}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(signIn),
  });
  const { data } = (await answer.json()) as { data: { token: string } };
  administrator = data.token;
});
afterAll(() => environment.stop());

const grant = (role: string, table: string) =>
  run(`insert into system.grants (role_id, resource_id, action, all_fields)
    select '${roleOf[role]}', id, 'READ', true from system.resources where relation_name = '${table}'`);

interface Read {
  readonly status: number;
  readonly tag: string;
  readonly text: string;
}

async function read(path: string, secret: string, known?: string): Promise<Read> {
  const headers = { Authorization: `Bearer ${secret}` };
  const answer = await fetch(environment.url + path, {
    headers: known === undefined ? headers : { ...headers, "If-None-Match": known },
  });
  const text = await answer.text();
  return { status: answer.status, tag: answer.headers.get("etag") ?? "", text };
}

/** Returns the tables that a document names, or the status of a failed request. */
async function tablesIn(path: string, secret: string, known?: string): Promise<string> {
  const { status, text } = await read(path, secret, known);
  if (status !== 200) return String(status);
  return ["alpha", "beta"].filter((name) => text.includes(`${name}_note`)).join();
}

describe.each(["/api/openapi", "/app/api/navigation"])("%s", (path) => {
  it("is never shared between roles, in any order of requests", async () => {
    for (let round = 0; round < 3; round += 1) {
      const [first, second, third] = await Promise.all(
        [alice, bob, both].map(({ secret }) => tablesIn(path, secret)),
      );
      expect([first, second, third]).toEqual(["alpha", "beta", "alpha,beta"]);
    }
    const tags = [];
    for (const person of [alice, bob, both]) tags.push((await read(path, person.secret)).tag);
    expect(new Set(tags).size).toBe(3);
    const [own = "", other = ""] = tags;
    expect(await read(path, alice.secret, own)).toEqual({ status: 304, tag: own, text: "" });
    expect(await tablesIn(path, bob.secret, own)).toBe("beta");
    expect(await tablesIn(path, alice.secret, other)).toBe("alpha");
  });

  it("changes on the next request after each change of its basis", async () => {
    const seen = async () => {
      const { tag } = await read(path, alice.secret);
      expect((await read(path, alice.secret, tag)).status).toBe(304);
      return tag;
    };
    let tag = await seen();
    const change = async (text: string, tables: string) => {
      await run(text);
      expect([text, await tablesIn(path, alice.secret, tag)]).toEqual([text, tables]);
      tag = await seen();
    };
    await change(`delete from system.grants where role_id = '${roleOf.Alphas}'`, "");
    await grant("Alphas", "alpha");
    expect(await tablesIn(path, alice.secret, tag)).toBe("alpha");
    tag = await seen();
    const exposed = (methods: string) =>
      `update system.resources set exposed_methods = '${methods}' where relation_name = 'alpha'`;
    await change(exposed("{}"), "");
    await change(exposed("{GET}"), "alpha");
    await change("alter table public.alpha add column more int", "alpha");
    await change("alter table public.alpha rename column alpha_note to beta_note", "beta");
    await change("alter table public.alpha rename column beta_note to alpha_note", "alpha");
    await change("alter table public.alpha drop column more", "alpha");
    const asAdministrator = (statement: string) =>
      `with acting as materialized (select system.act_as((select id from system.users where email = '${signIn.email}')))
       ${statement}`;
    await change(
      asAdministrator(`insert into system.role_members (role_id, user_id)
        select '${roleOf.Betas}', '${alice.id}' from acting`),
      "alpha,beta",
    );
    await change(
      asAdministrator(`delete from system.role_members using acting
        where role_id = '${roleOf.Betas}' and user_id = '${alice.id}'`),
      "alpha",
    );
    const { id, secret } = await createUser(
      environment.test.database,
      `${path}@example.com`,
      "Alphas",
    );
    expect((await read(path, secret, tag)).status).toBe(304);
    await run(`update system.users set active = false where id = '${id}'`);
    expect((await read(path, secret, tag)).status).toBe(401);
  });
});

it("a role's document is built for that role, and again after its grants change", async () => {
  const path = (role: string) => `/admin/api/openapi/data?role=${roleOf[role]}`;
  const { tag } = await read(path("Alphas"), administrator);
  expect(await tablesIn(path("Alphas"), administrator)).toBe("alpha");
  expect(await tablesIn(path("Betas"), administrator, tag)).toBe("beta");
  expect((await read(path("Alphas"), administrator, tag)).status).toBe(304);
  expect((await read(path("Alphas"), alice.secret, tag)).status).toBe(403);
  await grant("Alphas", "beta");
  expect(await tablesIn(path("Alphas"), administrator, tag)).toBe("alpha,beta");
});

it("navigation shows new DataViews", async () => {
  const path = "/app/api/navigation";
  const { tag } = await read(path, administrator);
  const [resource] = await environment.test.database.query<{ id: string }>(
    "select id::text as id from system.resources where relation_name = 'alpha'",
  );
  await fetch(`${environment.url}/admin/api/data-views`, {
    method: "POST",
    headers: { Authorization: `Bearer ${administrator}`, "Content-Type": "application/json" },
    body: JSON.stringify({ data: { name: "Just made", resourceId: resource?.id } }),
  });
  const after = await read(path, administrator, tag);
  expect([after.status, after.text.includes("Just made")]).toEqual([200, true]);
});
