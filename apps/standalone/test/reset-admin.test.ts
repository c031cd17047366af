// Tier: long. Starts processes.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AppProcess,
  createSession,
  createTestDatabase,
  createUser,
  runApp,
  startApp,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "./client.ts";

// Recovery if the password of the only administrator is lost: from the machine with access to the database.

const passwordIn = (output: string) =>
  /Password +(\w{24}) +\(shown this once\)/.exec(output)?.[1] ?? "";
const signIn = (url: string, email: string, password: string) =>
  createClient({ url }).ask("POST", "/api/auth/login", { body: { email, password } });

it("npm start -- --reset-admin gives the administrator of an embedded database a new password", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-reset-"));
  await chmod(folder, 0o755);
  const environment = { ROWHOUSE_DATA_DIR: join(folder, "data") };
  const reset = () => runApp("standalone", environment, ["--reset-admin"]);
  try {
    const first = await startApp("standalone", environment);
    const lost = passwordIn(first.output());
    const busy = await reset();
    expect(busy.code).toBe(1);
    expect(busy.output).toMatch(/^The embedded database in .* cannot be used: .*\n$/);
    expect(await first.stop()).toBe(0);

    const { code, output } = await reset();
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(
        /^\n {2}Administrator {2}admin@example\.com\n {2}Password {7}\w{24} {3}\(/,
      ),
    ]);
    const second = await startApp("standalone", environment);
    expect((await signIn(second.url, "admin@example.com", lost)).status).toBe(401);
    expect((await signIn(second.url, "admin@example.com", passwordIn(output))).status).toBe(200);
    expect(await second.stop()).toBe(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

describe("beside a running service", () => {
  const email = "owner@example.org";
  let test: TestDatabase;
  let app: AppProcess;
  let environment: Record<string, string>;
  beforeAll(async () => {
    // With the three logins, of which the command has two.
    test = await createTestDatabase({ login: "service" });
    environment = {
      DATABASE_URL: test.url,
      SYSTEM_DATABASE_URL: test.systemUrl ?? "",
      ROWHOUSE_SECRET: "a secret of the tests' own, long enough",
      ROWHOUSE_ADMIN_EMAIL: email,
      ROWHOUSE_ADMIN_PASSWORD: "correct horse battery staple",
    };
    app = await startApp("standalone", environment);
  });
  afterAll(async () => {
    await app.stop();
    await test.drop();
  });

  const reset = (name: "standalone" | "admin-api", ...args: string[]) =>
    runApp(name, environment, ["--reset-admin", ...args]);
  const entries = async () => {
    const rows = await test.database.query<{ line: string }>(
      `select action || ' ' || coalesce(u.email, '') as line from system.audit_log a
       left join system.users u on u.id::text = a.target_id
       where action in ('user.reset_administrator', 'user.make_administrator') order by a.id`,
    );
    return rows.map(({ line }) => line);
  };
  const sessions = async (id: string) =>
    test.database.query("select 1 from system.sessions where user_id = $1::text::uuid", [id]);

  it("a reset ends sessions, links and the lock of the address, and is in the audit log", async () => {
    const [owner] = await test.database.query<{ id: string }>(
      "select id from system.users where email = $1::text",
      [email],
    );
    const id = owner?.id ?? "";
    await createSession(test.database, id);
    await test.database.query(
      `insert into system.links (digest, kind, user_id, expires_at) values ('x', 'RESET', '${id}', now() + interval '1 day')`,
    );
    for (let n = 0; n < 6; n += 1) await signIn(app.url, email, "wrong");
    const { code, output } = await reset("standalone");
    expect([code, output]).toEqual([0, expect.stringContaining("Its sessions are revoked.")]);
    expect(await sessions(id)).toEqual([]);
    expect(await test.database.query("select 1 from system.links")).toEqual([]);
    const entered = await signIn(app.url, email, passwordIn(output));
    expect(entered.status).toBe(200);
    expect(await entries()).toEqual([
      `user.make_administrator ${email}`,
      `user.reset_administrator ${email}`,
    ]);
  });

  it("the Admin API's program does the same, with another spelling of the address", async () => {
    const { code, output } = await reset("admin-api", email.toUpperCase());
    expect([code, output]).toEqual([0, expect.stringContaining(`Administrator  ${email}\n`)]);
    expect((await signIn(app.url, email, passwordIn(output))).status).toBe(200);
  });

  it("an unknown address, or that of a user, becomes an administrator who can sign in", async () => {
    const user = await createUser(test.database, "user@example.org");
    await test.database.query(
      `update system.users set active = false, email_verified_at = null where id = '${user.id}'`,
    );
    for (const [address, said] of [
      ["user@example.org", "The account was not an administrator and is one now."],
      ["new@example.org", "The account is new."],
    ] as const) {
      const { code, output } = await reset("standalone", address);
      expect([code, output]).toEqual([0, expect.stringContaining(said)]);
      const entered = await signIn(app.url, address, passwordIn(output));
      expect(entered.status).toBe(200);
      const roles = await createClient({ url: app.url }).ask("GET", "/admin/api/roles", {
        as: entered.body.data.token,
      });
      expect(roles.status).toBe(200);
    }
    expect((await entries()).slice(-4)).toEqual([
      "user.make_administrator user@example.org",
      "user.reset_administrator user@example.org",
      "user.make_administrator new@example.org",
      "user.reset_administrator new@example.org",
    ]);
  });

  it.each([
    [
      [],
      /^The administrator was not reset: There are 3 administrators: name one of new@example\.org, owner@example\.org, user@example\.org, or another address\.\n$/,
    ],
    [["nobody"], /^The administrator was not reset: nobody is not an email address\.\n$/],
    [
      ["workflows@system.invalid"],
      /^The administrator was not reset: A system account cannot sign in\.\n$/,
    ],
    [
      ["a@b.cc", "c@d.ee"],
      /^Unexpected argument 'c@d\.ee'; the options are --sample, --backup=<folder>, --reset-admin \[address\]\.\n$/,
    ],
  ])("fails with one sentence, and changes nothing: %j", async (args, sentence) => {
    const before = await entries();
    const { code, output } = await reset("standalone", ...args);
    expect([code, output]).toEqual([1, expect.stringMatching(sentence)]);
    expect(await entries()).toEqual(before);
  });

  it("an address without the option is rejected", async () => {
    const { code, output } = await runApp("admin-api", environment, ["owner@example.org"]);
    expect([code, output]).toEqual([
      1,
      "Unexpected argument 'owner@example.org'; the options are --reset-admin [address].\n",
    ]);
  });
});
