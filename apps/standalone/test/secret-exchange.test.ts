// Tiers: all, long. Starts processes; more of them in a long run.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AppName,
  type AppProcess,
  createTestDatabase,
  findFreePort,
  isLongRun,
  launchApp,
  moveClock,
  startApp,
  type TestDatabase,
} from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import { type MailServer, prepareMailServer } from "./mail-server.ts";
import {
  clientId,
  clientSecret,
  type MisbehavingProvider,
  startMisbehavingProvider,
} from "./misbehaving-provider.ts";

// ROWHOUSE_SECRET is rotated while the database contains every kind of sealed value: a secret of a workflow, one of a
// provider, a sign-in under way and a waiting mail.

const last = "the secret that was used until now....";
const next = "the secret that is used from now on...";
const wrong = "a secret that was never used by anybody";
const signIn = { email: "admin@example.com", password: "correct horse battery staple" };
const apiKey = "the key of the other system";

let test: TestDatabase;
let mailServer: MailServer;
let provider: MisbehavingProvider;
let other: {
  readonly port: number;
  readonly keys: (string | undefined)[];
  readonly server: Server;
};
const running: AppProcess[] = [];

beforeEach(async () => {
  test = await createTestDatabase();
  mailServer = await prepareMailServer();
  provider = await startMisbehavingProvider();
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    response.setHeader("Content-Type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  other = { port: (server.address() as AddressInfo).port, keys, server };
});
afterEach(async () => {
  for (const process of running.splice(0)) await process.stop();
  other.server.closeAllConnections();
  await new Promise((resolve) => other.server.close(resolve));
  await provider.stop();
  await mailServer.stop();
  await test.drop();
});

/** A process with the first of these secrets as its own; it decrypts with the others as well. */
async function start(app: AppName, secrets: readonly string[], more: Record<string, string> = {}) {
  const [own = "", ...others] = secrets;
  const process = await startApp(app, {
    DATABASE_URL: test.url,
    SYSTEM_DATABASE_URL: test.systemUrl ?? "",
    ROWHOUSE_SECRET: own,
    ...(others.length === 0 ? {} : { ROWHOUSE_OTHER_SECRETS: others.join(",") }),
    ...more,
  });
  running.push(process);
  const stop = async () => {
    running.splice(running.indexOf(process), 1);
    expect(await process.stop()).toBe(0);
  };
  return { url: process.url, output: process.output, stop };
}

type Started = Awaited<ReturnType<typeof start>>;

const startAll = (...secrets: readonly string[]) =>
  start("standalone", secrets, {
    ROWHOUSE_ADMIN_EMAIL: signIn.email,
    ROWHOUSE_ADMIN_PASSWORD: signIn.password,
    SMTP_URL: mailServer.url,
    PUBLIC_URL: "http://127.0.0.1:1",
  });

async function administer({ url }: Pick<Started, "url">) {
  const { ask, signIn: enter } = createClient({ url });
  const as = await enter(signIn);
  return async (method: string, path: string, data?: object) => {
    const answer = await ask(method, `/admin/api${path}`, { as, ...(data && { body: { data } }) });
    expect([method, path, answer.status < 300 || answer.body]).toEqual([method, path, true]);
    return answer.body?.data;
  };
}

/** Creates one value of every sealed kind except the sign-in. */
async function sealOneOfEach(at: Started, name: string): Promise<void> {
  const call = await administer(at);
  await call("PATCH", "/settings", {
    "workflows.allowed_hosts": [`127.0.0.1:${other.port}`],
    "auth.provider_hosts": [new URL(provider.issuer).host],
  });
  await call("POST", "/workflow-secrets", { name: `KEY_${name.toUpperCase()}`, value: apiKey });
  await call("POST", "/auth-providers", {
    key: name,
    kind: "oidc",
    name: "Some provider",
    issuer: provider.issuer,
    clientId,
    clientSecret,
  });
  const { id } = await call("POST", "/workflows", {
    slug: name,
    name,
    definition: {
      trigger: { kind: "webhook", access: "AUTHENTICATED" },
      steps: [
        {
          id: "call",
          kind: "httpRequest",
          method: "GET",
          url: `http://127.0.0.1:${other.port}/`,
          auth: { kind: "bearer", token: `{{secrets.KEY_${name.toUpperCase()}}}` },
        },
      ],
    },
  });
  await call("POST", `/workflows/${id}/publish`);
  await call("POST", `/workflows/${id}/enable`);
  const [role] = await call("GET", "/roles?search=Administrators");
  await call("POST", `/workflows/${id}/invoke-grants`, { roleId: role.id });
  await call("POST", "/invitations", {
    email: `${name}@example.com`,
    name: "Guest",
    roleIds: [role.id],
  });
}

/** Runs the workflow that sends its secret. */
async function expectRun({ url }: Started, name: string): Promise<void> {
  const { ask, signIn: enter } = createClient({ url });
  other.keys.length = 0;
  const as = await enter(signIn);
  const answer = await ask("POST", `/api/workflows/${name}/webhook`, { as, body: {} });
  expect(answer.body.data).toMatchObject({ status: "SUCCEEDED", error: null });
  expect(other.keys).toEqual([`Bearer ${apiKey}`]);
}

interface Begun {
  readonly name: string;
  readonly cookie: string;
  readonly asked: URLSearchParams;
}

/** Sends a browser to the provider: the service decrypts the provider's secret and seals that of the flow. */
async function beginSignIn({ url }: Started, name: string): Promise<Begun> {
  const answer = await fetch(`${url}/api/auth/oauth/${name}`, { redirect: "manual" });
  expect(answer.status, await answer.text()).toBe(302);
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return { name, cookie, asked: new URL(answer.headers.get("location") ?? "").searchParams };
}

/**
 * Returns the page of a browser that comes back: the account is unknown, so it is a page that states exactly this.
 */
async function endSignIn({ url }: Started, { name, cookie, asked }: Begun): Promise<string> {
  provider.say(asked.get("nonce") ?? "", { subject: "nobody", email: "nobody@example.com" });
  const query = new URLSearchParams({ code: "c", state: asked.get("state") ?? "" });
  const answer = await fetch(`${url}/api/auth/oauth/${name}/callback?${query}`, {
    headers: { Cookie: cookie },
    redirect: "manual",
  });
  expect(answer.status, await answer.text()).toBe(302);
  return new URL(answer.headers.get("location") ?? "").hash;
}

const reseal = async (at: Pick<Started, "url">) =>
  (await administer(at))("POST", "/sealed-values/reseal").then(
    ({ unreadableValues: _, ...counts }) => counts,
  );
const everythingSealed = () =>
  test.database.query(
    `select 'provider', key, client_secret_sealed from system.auth_providers
     union all select 'flow', encode(state_digest, 'hex'), sealed from system.provider_flows
     union all select 'mail', about, sealed from system.mails
     union all select 'secret', name, sealed from system.workflow_secrets order by 1, 2`,
  );

// Two to three minutes: a part of `npm run test:long`.
const isLong = isLongRun();

describe.runIf(isLong)("ROWHOUSE_SECRET, exchanged", () => {
  it("loses nothing: values under the previous secret are sealed under the next one, which alone decrypts them", async () => {
    const before = await startAll(last);
    await sealOneOfEach(before, "first");
    const begun = await beginSignIn(before, "first");
    expect(before.output()).not.toContain("sealed");
    await before.stop();

    // With the next secret and a wrong one: values are reported by table and id, and none is destroyed.
    const kept = await everythingSealed();
    const mistaken = await startAll(next, wrong);
    expect(mistaken.output()).toContain("No secret opens some sealed values");
    expect(await reseal(mistaken)).toEqual({ resealed: 0, current: 0, other: 0, unreadable: 4 });
    const told = await (await administer(mistaken))("GET", "/sealed-values");
    const [mail] = await test.database.query<{ id: string }>("select id from system.mails");
    const [row] = await test.database.query<{ id: string }>("select id from system.auth_providers");
    expect(told.unreadableValues).toEqual([
      { table: "system.auth_providers", id: row?.id },
      { table: "system.provider_flows", id: row?.id },
      { table: "system.mails", id: mail?.id },
      { table: "system.workflow_secrets", id: "KEY_FIRST" },
    ]);
    for (const { table, id } of told.unreadableValues) {
      expect(mistaken.output()).toContain(JSON.stringify({ table, id }));
    }
    expect(await everythingSealed()).toEqual(kept);
    await mistaken.stop();

    const both = await startAll(next, last);
    expect(both.output()).toContain("POST /admin/api/sealed-values/reseal");
    await expectRun(both, "first");
    const call = await administer(both);
    expect(await call("GET", "/sealed-values")).toMatchObject({ current: 0, other: 4 });
    expect(await reseal(both)).toEqual({ resealed: 4, current: 4, other: 0, unreadable: 0 });
    expect(await reseal(both)).toEqual({ resealed: 0, current: 4, other: 0, unreadable: 0 });
    const entries = await call("GET", "/audit-log?targetKind=sealed_values");
    expect(entries).toMatchObject([{ action: "sealed_values.reseal", outcome: "SUCCEEDED" }]);
    for (const process of [mistaken, both]) {
      for (const text of [last, next, wrong, apiKey, clientSecret]) {
        expect(process.output()).not.toContain(text);
      }
    }
    await both.stop();

    const after = await startAll(next);
    expect(after.output()).not.toContain("sealed");
    await expectRun(after, "first");
    expect(await endSignIn(after, begun)).toBe("#error=not_allowed");
    expect(await endSignIn(after, await beginSignIn(after, "first"))).toBe("#error=not_allowed");
    await mailServer.start();
    await moveClock(test.database, 3600);
    await after.stop();
    const later = await startAll(next);
    await expect
      .poll(() => mailServer.received.map(({ recipients }) => recipients))
      .toEqual([["first@example.com"]]);
    await later.stop();
  }, 300_000);

  it("works process by process: in either order both decrypt everything, and resealing both ways at once loses nothing", async () => {
    const [early, late] = [await startAll(last, next), await startAll(next, last)];
    await sealOneOfEach(early, "early");
    await sealOneOfEach(late, "late");
    for (const at of [early, late]) {
      for (const name of ["early", "late"]) {
        await expectRun(at, name);
        const begun = await beginSignIn(at === early ? late : early, name);
        expect(await endSignIn(at, begun)).toBe("#error=not_allowed");
      }
    }
    const done = await Promise.all([early, late, early, late].map(reseal));
    for (const { current, other, unreadable } of done) {
      expect([current + other, unreadable]).toEqual([6, 0]);
    }
    await early.stop();
    expect(await reseal(late)).toMatchObject({ current: 6, other: 0, unreadable: 0 });
    await late.stop();
    const after = await startAll(next);
    for (const name of ["early", "late"]) await expectRun(after, name);
    await after.stop();
  }, 300_000);

  it("accepts assertions of gateways with the next secret and with the previous one", async () => {
    const [dataApi, adminApi] = await Promise.all([
      start("data-api", [last, next]),
      start("admin-api", [last, next]),
    ]);
    const urls = { DATA_API_URL: dataApi.url, ADMIN_API_URL: adminApi.url };
    for (const secret of [last, next]) {
      const gateway = await start("gateway", [secret], urls);
      expect((await fetch(`${gateway.url}/api/auth/providers`)).status).toBe(200);
      await gateway.stop();
    }
    const stranger = await launchApp("gateway", { ...urls, ROWHOUSE_SECRET: wrong });
    running.push(stranger);
    const statusOf = (path: string) =>
      fetch(`${stranger.url}${path}`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(() => statusOf("/api/auth/providers")).toBe(503);
    expect(await statusOf("/readyz")).toBe(503);
  }, 300_000);

  it("continues after its process was killed in the middle", async () => {
    const first = await startAll(last);
    await sealOneOfEach(first, "first");
    await first.stop();
    const count = 1500;
    const vault = createVault(() => last);
    const names = Array.from({ length: count }, (_, n) => `N${String(n).padStart(5, "0")}`);
    const sealed = await Promise.all(
      names.map((name) => vault.seal(apiKey, `workflow secret ${name}`)),
    );
    await test.database.query(
      `insert into system.workflow_secrets (name, sealed)
       select * from unnest($1::text::text[], $2::text::text[])`,
      [`{${names}}`, `{${sealed}}`],
    );
    await test.database.query(
      "create table public.before as select name, sealed from system.workflow_secrets",
    );
    const changed = async () => {
      const [row] = await test.database.query<{ count: number }>(
        "select count(*)::int from public.before b join system.workflow_secrets s using (name) where s.sealed <> b.sealed",
      );
      return row?.count ?? 0;
    };
    const killed = await startAll(next, last);
    const call = await administer(killed);
    const answer = call("POST", "/sealed-values/reseal").catch(() => "cut off");
    await expect.poll(changed, { timeout: 60_000, interval: 10 }).toBeGreaterThan(0);
    const process = running.pop();
    await process?.stop("SIGKILL");
    expect(await answer).toBe("cut off");
    const half = await changed();
    expect(half).toBeLessThan(count);

    const again = await startAll(next, last);
    // One value of the provider, one of the mail, and one of the workflow.
    const all = count + 3;
    // A call that takes long leaves the rest to the next call.
    let [resealed, calls] = [0, 0];
    for (let left = 1; left > 0; calls += 1) {
      const done = await reseal(again);
      expect(done).toMatchObject({ current: all - done.other, unreadable: 0 });
      expect(done.resealed).toBeGreaterThan(0);
      resealed += done.resealed;
      left = done.other;
    }
    expect(resealed).toBeLessThanOrEqual(all - half);
    const entries = await (await administer(again))("GET", "/audit-log?targetKind=sealed_values");
    expect(entries).toHaveLength(1 + calls);
    await again.stop();
    const after = await startAll(next);
    await expectRun(after, "first");
    await after.stop();
  }, 300_000);
});

it("replaces the secret in the data directory's file too", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-secret-"));
  const file = join(folder, "secret");
  const startHere = async (others: Record<string, string> = {}) => {
    const process = await startApp("standalone", {
      DATABASE_URL: test.url,
      SYSTEM_DATABASE_URL: test.systemUrl ?? "",
      ROWHOUSE_DATA_DIR: folder,
      ROWHOUSE_ADMIN_EMAIL: signIn.email,
      ROWHOUSE_ADMIN_PASSWORD: signIn.password,
      ...others,
    });
    running.push(process);
    return process;
  };
  const first = await startHere();
  await (await administer(first))("POST", "/workflow-secrets", { name: "KEY", value: apiKey });
  await first.stop();
  const own = await readFile(file, "utf8");
  await writeFile(file, next);
  const second = await startHere({ ROWHOUSE_OTHER_SECRETS: own });
  expect(await reseal(second)).toEqual({ resealed: 1, current: 1, other: 0, unreadable: 0 });
  await second.stop();
  const third = await startHere();
  expect(await reseal(third)).toEqual({ resealed: 0, current: 1, other: 0, unreadable: 0 });
  await third.stop();
  await rm(folder, { recursive: true });
}, 300_000);

it("a secret that is too short stops the start with the name of its variable", async () => {
  const process = await launchApp("data-api", {
    DATABASE_URL: test.url,
    SYSTEM_DATABASE_URL: test.systemUrl ?? "",
    PORT: String(await findFreePort()),
    ROWHOUSE_SECRET: next,
    ROWHOUSE_OTHER_SECRETS: `${last},short`,
  });
  await expect
    .poll(process.output, { timeout: 60_000 })
    .toContain(
      "ROWHOUSE_OTHER_SECRETS must be secrets of at least 32 characters, separated by commas",
    );
  expect(process.output()).not.toContain("short");
});
