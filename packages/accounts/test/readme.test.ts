import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashPassword } from "@rowhouse/access";
import { createSnapshotStore } from "@rowhouse/db";
import { createTestDatabase, createUser, runAs, type TestDatabase } from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  auditActorOf,
  createMailer,
  createToken,
  forgotPassword,
  openAccountMails,
  renderTemplate,
  signIn,
} from "../src/index.ts";

let test: TestDatabase;
let folder: string;
beforeAll(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "rowhouse-accounts-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await test.drop();
});
const origin = { address: "192.0.2.1", requestId: "r", userAgent: null };

describe("the README's example", () => {
  it("the README example signs in and creates a token", async () => {
    const { database } = test;
    const email = "ada@example.com";
    const password = "a long enough secret";
    const { id } = await createUser(database, email, "Administrators");
    await runAs(
      database,
      id,
      `update system.users set password_hash = '${await hashPassword(password)}' where id = '${id}'`,
    );
    const snapshots = createSnapshotStore(database);
    const problems: object[] = [];
    const log = { warn: (details: object) => problems.push(details), error: () => {} };
    const config = { MAIL_FROM: "house@example.com", ROWHOUSE_DATA_DIR: folder };
    const vault = createVault(() => "a secret of the tests' own");
    const mails = openAccountMails({ database, snapshots, vault }, config, log);
    const { token, user } = await signIn(
      database,
      await snapshots.fresh(),
      { email, password },
      origin,
    );
    expect(token).toMatch(/^rhs_/);
    const { secret } = await createToken(
      database,
      { userId: user.id, name: "ci", description: "", plane: "api", lifetime: 365 },
      30,
      auditActorOf(user.id, origin),
      "",
    );
    expect(secret).toMatch(/^rhp_/);
    // Without a public URL no link can be built, so nothing is sent, and the operator gets an error in the log.
    await forgotPassword({ database, mails }, { email });
    await mails.idle();
    await mails.close();
    expect(problems).toHaveLength(1);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("mail templates", () => {
  const render = async (text: string, variables: Record<string, string> = {}) =>
    (await renderTemplate({ subject: "s", text, html: text }, variables)).text;

  it.each([
    "{{ constructor.constructor('return 1')() }}",
    "{% include '/etc/passwd' %}",
    "{% render 'package.json' %}",
    "{% layout '../secret' %}",
    "{% for i in (1..100000000) %}x{% endfor %}",
    "{{ 'x' | nope }}",
  ])("a template runs no code, reads no file and does not run long: %s", async (text) => {
    const outcome = await render(text).catch(() => "refused");
    expect(["refused", ""]).toContain(outcome);
  });

  it("a template cannot access inherited properties of its values", async () => {
    expect(
      await render("[{{ name.constructor }}{{ __proto__ }}{{ name.__proto__ }}]", { name: "x" }),
    ).toBe("[]");
  });
});

describe("mailer", () => {
  it("the mailer treats an address as one address and a subject as one line", async () => {
    const paths: string[] = [];
    const mailer = createMailer({
      smtpUrl: undefined,
      folder: join(folder, "mails"),
      from: "house@example.com",
      onFile: (path) => paths.push(path),
    });
    await mailer.send({
      to: 'a@example.com, b@example.com\r\nBcc: "c"@example.com',
      subject: "one\r\nBcc: d@example.com",
      text: "x",
      html: null,
    });
    const text = await readFile(paths[0] ?? "", "utf8");
    expect(text).not.toMatch(/^Bcc:/m);
  });
});
