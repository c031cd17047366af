// Tier: long. Opens services for each test.
import { openAccountMails } from "@rowhouse/accounts";
import { createSnapshotStore } from "@rowhouse/db";
import { createUser, installationSecret, moveClock } from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MailServer, prepareMailServer } from "./mail-server.ts";
import { openTestEnvironment, publicUrl, type TestEnvironment } from "./test-environment.ts";

// Mails of accounts against a real mail server that accepts or rejects them, is slow, or is unavailable.

let server: MailServer;
let environment: TestEnvironment;
let said: { readonly level: "warn" | "error"; readonly text: string }[];
beforeEach(async () => {
  server = await prepareMailServer();
  said = [];
  const hear = (level: "warn" | "error") => (details: object, message: string) => {
    said.push({ level, text: `${message} ${JSON.stringify(details)}` });
  };
  environment = await openTestEnvironment({
    smtpUrl: server.url,
    mailLog: { warn: hear("warn"), error: hear("error") },
  });
});
afterEach(async () => {
  await environment.stop();
  await server.stop();
});

const secretPattern = /rhl_[0-9A-Za-z]{36}/;
const forgot = (email: string) =>
  environment.ask("POST", "/api/auth/password/forgot", { body: { email } });
const invite = async (email: string) => {
  const [role] = await environment.test.database.query<{ id: string }>(
    "select id from system.roles where name = 'Members'",
  );
  const answer = await environment.ask("POST", "/admin/api/invitations", {
    as: environment.admin.secret,
    body: { data: { email, name: "Guest", roleIds: [role?.id] } },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data as { id: string };
};
const waiting = () =>
  environment.test.database.query<{ attempts: number; sealed: string }>(
    "select attempts, sealed from system.mails",
  );
const failures = async () =>
  (
    await environment.ask("GET", "/admin/api/audit-log?action=mail.send", {
      as: environment.admin.secret,
    })
  ).body.data as { targetKind: string; targetId: string; outcome: string }[];
const secretOf = (text: string | undefined) => secretPattern.exec(text ?? "")?.[0] ?? "";

describe("a mail", () => {
  it("reaches its one recipient with subject, text and HTML, and its link works", async () => {
    await server.start();
    expect((await forgot(environment.member.email)).status).toBe(204);
    await environment.deliver();
    expect(server.received).toHaveLength(1);
    const [mail] = server.received;
    expect(mail?.recipients).toEqual([environment.member.email]);
    expect(mail?.from).toEqual({ name: "Rowhouse", address: "house@example.com" });
    expect(mail?.to).toEqual([{ name: "", address: environment.member.email }]);
    expect(mail?.subject).toBe("Set a new password");
    const token = secretOf(mail?.text);
    expect(mail?.text).toContain(`${publicUrl}/admin/auth/reset#token=${token}`);
    expect(mail?.html).toContain(`href="${publicUrl}/admin/auth/reset#token=${token}"`);
    const password = "another horse battery staple";
    const reset = await environment.ask("POST", "/api/auth/password/reset", {
      body: { token, password },
    });
    expect(reset.status).toBe(204);
    expect(await waiting()).toEqual([]);
    expect(said).toEqual([]);
  });

  it("uses the language of its reader, including letters of every alphabet", async () => {
    await server.start();
    const { database } = environment.test;
    await database.query(
      `insert into system.templates (key, language, subject, text, html)
       values ('auth.reset', 'el', 'Νέος κωδικός για {{ name }}', 'Γεια σου {{ name }}: {{ link }}', '<p>Γεια: {{ link }}</p>')`,
    );
    const greek = await createUser(database, "greek@example.com", "Members");
    await database.query(
      `update system.users set language = 'el', name = 'Ζωή' where id = '${greek.id}'`,
    );
    await forgot(greek.email);
    await forgot(environment.member.email);
    await environment.deliver();
    const subjects = server.received.map((mail) => [mail.recipients[0], mail.subject]);
    expect(subjects.sort()).toEqual([
      [greek.email, "Νέος κωδικός για Ζωή"],
      [environment.member.email, "Set a new password"],
    ]);
  });

  it("is sent once by any number of processes that read the outbox", async () => {
    const { database } = environment.test;
    for (let n = 0; n < 12; n += 1) await invite(`guest${n}@example.com`);
    await environment.deliver();
    await server.start();
    await moveClock(database, 3600);
    const snapshots = createSnapshotStore(database);
    const log = { warn: () => {}, error: () => {} };
    const config = { SMTP_URL: server.url, MAIL_FROM: "house@example.com", PUBLIC_URL: publicUrl };
    const parts = { database, snapshots, vault: createVault(() => installationSecret) };
    const others = [1, 2, 3].map(() =>
      openAccountMails(parts, { ...config, ROWHOUSE_DATA_DIR: "unused" }, log),
    );
    await Promise.all([environment.deliver(), ...others.map((mails) => mails.idle())]);
    await Promise.all(others.map((mails) => mails.close()));
    expect(server.received.map((mail) => mail.recipients[0]).sort()).toEqual(
      Array.from({ length: 12 }, (_, n) => `guest${n}@example.com`).sort(),
    );
  });
});

describe("an unavailable mail server", () => {
  it("loses no mail: unsent mails stay encrypted in the outbox, and any process sends them once it is back", async () => {
    const { id } = await invite("guest@example.com");
    expect((await forgot(environment.member.email)).status).toBe(204);
    await environment.deliver();
    const rows = await waiting();
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1]);
    expect(JSON.stringify(rows)).not.toMatch(/rhl_|guest|member|example/);
    expect(said.map(({ level }) => level)).toEqual(["warn", "warn"]);
    expect(said[0]?.text).toContain("ECONNREFUSED");
    expect(said.join()).not.toMatch(secretPattern);

    // Each attempt waits longer than the previous one; a poll of the outbox does not shorten the wait.
    await environment.deliver();
    expect(said).toHaveLength(2);
    await moveClock(environment.test.database, 16);
    await environment.deliver();
    expect(said).toHaveLength(4);
    await moveClock(environment.test.database, 16 + 16);
    await environment.deliver();
    expect(said).toHaveLength(4);

    await server.start();
    await moveClock(environment.test.database, 16 + 31);
    await environment.deliver();
    expect(server.received.map((mail) => mail.recipients[0]).sort()).toEqual([
      "guest@example.com",
      environment.member.email,
    ]);
    expect(await waiting()).toEqual([]);
    const token = secretOf(
      server.received.find((mail) => mail.recipients[0] === "guest@example.com")?.text,
    );
    const accepted = await environment.ask("POST", "/api/auth/invitations/accept", {
      body: { token, password: "correct horse battery staple" },
    });
    expect(accepted.status).toBe(200);
    const read = await environment.ask("GET", `/admin/api/invitations/${id}`, {
      as: environment.admin.secret,
    });
    expect(read.body.data.state).toBe("accepted");
  });

  it("causes log and audit entries about unsent mails once their links have expired", async () => {
    await forgot(environment.member.email);
    await environment.deliver();
    await moveClock(environment.test.database, 15 * 60 + 1);
    await environment.deliver();
    expect(await waiting()).toEqual([]);
    expect(said.at(-1)).toMatchObject({ level: "error" });
    expect(await failures()).toMatchObject([
      { targetKind: "user", targetId: environment.member.id, outcome: "FAILED" },
    ]);
    await server.start();
    await environment.deliver();
    expect(server.received).toEqual([]);
  });

  it("leaves one mail for each subject in the outbox, the newest, whose link works", async () => {
    await forgot(environment.member.email);
    await environment.deliver();
    await moveClock(environment.test.database, 61);
    await forgot(environment.member.email);
    await invite("guest@example.com");
    await invite("guest@example.com");
    await environment.deliver();
    expect(await waiting()).toHaveLength(2);
    await server.start();
    await moveClock(environment.test.database, 300);
    await environment.deliver();
    expect(server.received).toHaveLength(2);
    const reset = server.received.find((mail) => mail.subject === "Set a new password");
    const body = { token: secretOf(reset?.text), password: "another horse battery staple" };
    expect((await environment.ask("POST", "/api/auth/password/reset", { body })).status).toBe(204);
  });

  it("receives no invitation that was revoked meanwhile", async () => {
    const { id } = await invite("guest@example.com");
    await environment.deliver();
    await environment.ask("DELETE", `/admin/api/invitations/${id}`, {
      as: environment.admin.secret,
    });
    expect(await waiting()).toEqual([]);
  });
});

describe("a mail server that rejects a mail", () => {
  it("temporarily gets it again", async () => {
    await server.start();
    server.manners.recipient = { code: 451, says: "Greylisted, come again" };
    await forgot(environment.member.email);
    await environment.deliver();
    expect(await waiting()).toMatchObject([{ attempts: 1 }]);
    expect(said[0]?.text).toContain("451");
    server.manners.recipient = undefined;
    await moveClock(environment.test.database, 16);
    await environment.deliver();
    expect(server.received).toHaveLength(1);
  });

  it("permanently does not get it again, and the audit log records it", async () => {
    await server.start();
    server.manners.recipient = { code: 550, says: "No such user here" };
    const { id } = await invite("nobody@example.com");
    await environment.deliver();
    expect(await waiting()).toEqual([]);
    expect(await failures()).toMatchObject([{ targetKind: "invitation", targetId: id }]);
    expect(said).toMatchObject([{ level: "error" }]);
  });

  it("and quotes the link causes no secret in the log", async () => {
    await server.start();
    server.manners.content = (text) => ({
      code: 554,
      says: `Blocked for spam: ${/https:\S+/.exec(text)?.[0]}`,
    });
    await forgot(environment.member.email);
    await environment.deliver();
    const text = said.map((entry) => entry.text).join();
    expect(text).toContain("Blocked for spam");
    expect(text).toContain("rhl_…");
    expect(text).not.toMatch(secretPattern);
  });
});

describe("a slow mail server", () => {
  it("delays no request, and has only a few open connections", async () => {
    let greet: () => void = () => {};
    server.manners.greeting = new Promise((resolve) => {
      greet = resolve;
    });
    await server.start();
    for (let n = 0; n < 6; n += 1) await invite(`guest${n}@example.com`);
    expect((await forgot(environment.member.email)).status).toBe(204);
    expect((await forgot("nobody@example.com")).status).toBe(204);
    await expect.poll(server.connections).toBe(4);
    expect(server.received).toEqual([]);
    greet();
    await environment.deliver();
    expect(server.received).toHaveLength(7);
  });
});

describe("an invalid mail template", () => {
  it("does not keep its mails: they go out with the built-in text, and the log names it once", async () => {
    await server.start();
    const change = (text: string) =>
      environment.test.database.query(
        "update system.templates set text = $1::text where key = 'auth.reset' and language = 'en'",
        [text],
      );
    await change("Broken: {{ link");
    for (const email of [environment.member.email, environment.admin.email]) {
      await forgot(email);
      await environment.deliver();
    }
    expect(await waiting()).toEqual([]);
    for (const { text } of server.received) {
      expect(text).toContain(`${publicUrl}/admin/auth/reset#token=rhl_`);
      expect(text).not.toContain("Broken");
    }
    const named = said.filter(({ text }) => text.includes("A template of a mail is broken"));
    expect(named).toMatchObject([{ level: "error" }]);
    await change("Here: {{ link }}");
    await moveClock(environment.test.database, 120);
    await forgot(environment.member.email);
    await environment.deliver();
    expect(server.received[2]?.text).toContain(`Here: ${publicUrl}/admin/auth/reset#token=rhl_`);
  });
});

describe("a test mail", () => {
  const asAdmin = (method: string, path: string, body?: unknown) =>
    environment.ask(method, `/admin/api${path}`, { as: environment.admin.secret, body });
  const send = async (data: object) => {
    const found = await asAdmin("GET", "/templates?key=auth.reset&language=en");
    const { id } = found.body.data[0];
    return { id, answer: await asAdmin("POST", `/templates/${id}/test-mail`, { data }) };
  };
  const audited = async () => {
    const log = await asAdmin("GET", "/audit-log?action=template.test_mail");
    return (log.body.data as { targetId: string; outcome: string }[]).map((entry) => [
      entry.targetId,
      entry.outcome,
    ]);
  };

  it("reaches the caller's own address with the drafted parts and a link without a secret", async () => {
    await server.start();
    const { id, answer } = await send({ subject: "Draft for {{ name }}" });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data).toEqual({
      to: environment.admin.email,
      response: expect.stringMatching(/^250 /),
    });
    const [mail] = server.received;
    expect(mail?.recipients).toEqual([environment.admin.email]);
    expect(mail?.subject).toBe("Draft for Ada Lovelace");
    expect(mail?.text).toContain("https://example.com/admin/auth/example#token=example");
    expect(`${mail?.text}${mail?.html}`).not.toMatch(secretPattern);
    expect(await waiting()).toEqual([]);
    expect(await environment.test.database.query("select 1 from system.links")).toEqual([]);
    expect(await audited()).toEqual([[id, "SUCCEEDED"]]);
    const stored = await asAdmin("GET", `/templates/${id}`);
    expect(stored.body.data.subject).toBe("Set a new password");
  });

  it("accepts no recipient, and sends nothing for an invalid draft", async () => {
    await server.start();
    const { answer } = await send({ to: "eve@example.com" });
    expect(answer.faults).toEqual(["BODY_INVALID /data/to"]);
    expect((await send({ text: "no link" })).answer.faults).toEqual(["VALUE_INVALID /data/text"]);
    expect(server.connections()).toBe(0);
    expect(await audited()).toEqual([]);
  });

  it("that the mail server rejects is 409 with the server's words, and leaves nothing in the outbox", async () => {
    await server.start();
    server.manners.recipient = { code: 550, says: "No such user here" };
    const { id, answer } = await send({});
    expect([answer.status, answer.faults]).toEqual([409, ["CONFLICT"]]);
    expect(answer.body.errors[0]).toMatchObject({
      message: expect.stringContaining("550 No such user here"),
      details: { responseCode: 550 },
    });
    expect(await waiting()).toEqual([]);
    expect(await audited()).toEqual([[id, "FAILED"]]);
  });

  it("is 409 while the mail server is unreachable", async () => {
    const { id, answer } = await send({});
    expect([answer.status, answer.faults]).toEqual([409, ["CONFLICT"]]);
    expect(answer.body.errors[0].message).toContain("ECONNREFUSED");
    expect(await audited()).toEqual([[id, "FAILED"]]);
  });

  it("is limited by auth.mails_per_minute", async () => {
    await server.start();
    await environment.set("auth.mails_per_minute", 2);
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await send({})).answer.status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(server.received).toHaveLength(2);
  });

  it("is refused to members of other roles", async () => {
    await server.start();
    const { id } = await send({});
    for (const path of ["preview", "test-mail"]) {
      const answer = await environment.ask("POST", `/admin/api/templates/${id}/${path}`, {
        as: environment.member.secret,
        body: { data: {} },
      });
      expect(answer.faults).toEqual(["ACTION_DENIED"]);
    }
    expect(server.received).toHaveLength(1);
  });
});
