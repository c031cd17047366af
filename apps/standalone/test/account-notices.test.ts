// Tiers: long, topologies. Opens services for each test.
import { hashPassword } from "@rowhouse/access";
import { createToken, createUser, type TestUser } from "@rowhouse/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MailServer, prepareMailServer } from "./mail-server.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Mails about a changed address and about a new administrator, for writes of any client.
let server: MailServer;
let environment: TestEnvironment;
let second: TestUser;
let person: TestUser;
let administratorsId: string;
beforeEach(async () => {
  server = await prepareMailServer();
  await server.start();
  environment = await openTestEnvironment({ smtpUrl: server.url });
  const { database } = environment.test;
  second = await createUser(database, "second@example.com", "Administrators");
  person = await createUser(database, "person@example.com", "Members");
  administratorsId = (await administer("GET", "/roles?search=administrators")).body.data[0].id;
  for (const { id } of (await administer("GET", "/resources?schema=system")).body.data) {
    await administer("PATCH", `/resources/${id}`, {
      exposedMethods: ["GET", "POST", "PATCH", "DELETE"],
    });
  }
});
afterEach(async () => {
  await environment.stop();
  await server.stop();
});

const administer = (method: string, path: string, data?: unknown, as = environment.admin.secret) =>
  environment.ask(method, `/admin/api${path}`, {
    as,
    ...(data === undefined ? {} : { body: { data } }),
  });
const write = (method: string, path: string, data?: unknown) =>
  environment.ask(method, `/api/system/table/${path}`, {
    as: environment.admin.secret,
    ...(data === undefined ? {} : { body: { data } }),
  });
const speaks = (user: TestUser, language: string) =>
  environment.test.database.query(
    `update system.users set language = '${language}' where id = '${user.id}'`,
  );
/** Returns `recipient: subject` of the mails since the last call. */
const received = async () => {
  await environment.deliver();
  return server.received
    .splice(0)
    .map((mail) => `${mail.recipients.join()}: ${mail.subject}`)
    .sort();
};
const entriesOf = async (query: string) =>
  (await administer("GET", `/audit-log?${query}`)).body.data as Record<string, unknown>[];

describe("an address that an administrator changes by the Admin API", () => {
  it("is unverified until its link is opened; the old address gets a mail, and the audit log records the change", async () => {
    const email = "moved@example.com";
    const changed = await administer("PATCH", `/users/${person.id}`, { email });
    expect(changed.body.data).toMatchObject({ email, emailVerified: false });
    await environment.deliver();
    expect(server.received.map(({ recipients, subject }) => [recipients, subject]).sort()).toEqual([
      [[email], "Confirm your email address"],
      [["person@example.com"], "Your email address was changed"],
    ]);
    const told = server.received.find(({ recipients }) => recipients[0] === "person@example.com");
    expect(told?.text).toContain("your account has another address now: moved@example.com");
    expect(told?.html).toContain("moved@example.com");
    const link = server.received.find(({ recipients }) => recipients[0] === email);
    const token = /token=(rhl_\w+)/.exec(link?.text ?? "")?.[1];
    const verified = await environment.ask("POST", "/api/auth/email/verify", { body: { token } });
    expect(verified.status).toBe(204);
    const user = await administer("GET", `/users/${person.id}`);
    expect(user.body.data.emailVerified).toBe(true);
    expect(await entriesOf(`targetId=${person.id}&action=user.update`)).toMatchObject([
      { changedFields: ["email"], actorUserId: environment.admin.id },
    ]);
  });

  it("is verified if the administrator says so, which the audit log records", async () => {
    const path = `/users/${person.id}`;
    const changed = await administer("PATCH", path, {
      email: "vouched@example.com",
      emailVerified: true,
    });
    expect(changed.body.data.emailVerified).toBe(true);
    expect(await received()).toEqual(["person@example.com: Your email address was changed"]);
    expect((await administer("PATCH", path, { emailVerified: false })).body.data).toMatchObject({
      emailVerified: false,
    });
    expect(await entriesOf(`targetId=${person.id}&action=user.update`)).toMatchObject([
      { changedFields: ["emailVerified"] },
      { changedFields: ["email", "emailVerified"] },
    ]);
  });

  it("causes a mail in German for a German reader, and stays verified if only the letter case changes", async () => {
    await speaks(person, "de");
    const upper = await administer("PATCH", `/users/${person.id}`, { email: "Person@example.com" });
    expect(upper.body.data.emailVerified).toBe(true);
    expect(await received()).toEqual([]);
    await administer("PATCH", `/users/${person.id}`, { email: "p@example.com", language: "en" });
    // The mail uses the language that the reader of the old address had.
    expect(await received()).toEqual([
      "Person@example.com: Ihre E-Mail-Adresse wurde geändert",
      "p@example.com: Confirm your email address",
    ]);
  });

  it("causes a mail to each earlier address even if the mail server was unavailable", async () => {
    await server.stop();
    for (const email of ["one@example.com", "two@example.com"]) {
      await administer("PATCH", `/users/${person.id}`, { email, emailVerified: true });
    }
    await administer("POST", `/users/${person.id}/deactivate`);
    await write("DELETE", `users/${person.id}`);
    await environment.deliver();
    await server.start();
    await environment.moveTime(3600);
    expect(await received()).toEqual([
      "one@example.com: Your email address was changed",
      "person@example.com: Your email address was changed",
    ]);
  });
});

it("an address that is changed through the Data API is unverified, and the old address gets a mail", async () => {
  const changed = await write("PATCH", `users/${person.id}`, { email: "moved@example.com" });
  expect(changed.body.data.email_verified_at).toBeNull();
  expect(await received()).toEqual(["person@example.com: Your email address was changed"]);
});

it("an address that its owner changes causes one mail to the old address", async () => {
  const password = "correct horse battery staple";
  await environment.test.database.query(
    `update system.users set password_hash = $1::text where id = '${person.id}'`,
    [await hashPassword(password)],
  );
  const asked = await environment.ask("POST", "/api/auth/email/change", {
    as: person.secret,
    body: { currentPassword: password, newEmail: "new@example.com" },
  });
  expect(asked.status).toBe(204);
  await environment.deliver();
  const token = /token=(rhl_\w+)/.exec(server.received.splice(0)[0]?.text ?? "")?.[1];
  const verified = await environment.ask("POST", "/api/auth/email/verify", { body: { token } });
  expect(verified.status).toBe(204);
  expect(await received()).toEqual(["person@example.com: Your email address was changed"]);
});

describe("a new administrator", () => {
  const everyone = (language = "There is a new administrator") => [
    `admin@example.com: ${language}`,
    "person@example.com: There is a new administrator",
    "second@example.com: There is a new administrator",
  ];
  /** Made by requests; the administrators of the set-up were not. */
  const made = async () =>
    (await entriesOf("action=user.make_administrator"))
      .filter(({ requestId }) => requestId !== null)
      .map(({ targetId, actorUserId, actorTokenId, requestId }) => [
        ...[targetId, actorUserId, actorTokenId, requestId],
      ]);

  it("by a token of the Admin API causes a mail to every administrator, and the audit log names the token", async () => {
    const token = await createToken(environment.test.database, environment.admin.id, "admin");
    await speaks(environment.admin, "de-AT");
    const path = `/roles/${administratorsId}/members`;
    const added = await administer("POST", path, { userId: person.id }, token.secret);
    expect(added.status).toBe(201);
    await environment.deliver();
    const german = server.received.find(({ recipients }) => recipients[0] === "admin@example.com");
    expect(german?.text).toContain(
      "diese Konten sind jetzt Administratoren:\n\nperson@example.com",
    );
    expect(german?.html).toContain("<p>person@example.com</p>");
    expect(await received()).toEqual(everyone("Es gibt einen neuen Administrator"));
    expect(await made()).toEqual([[person.id, environment.admin.id, token.id, "request-1"]]);
  });

  it("by the Data API causes a mail to every administrator", async () => {
    const member = { role_id: administratorsId, user_id: person.id };
    expect((await write("POST", "role_members", member)).status).toBe(201);
    expect(await received()).toEqual(everyone());
    expect(await made()).toEqual([[person.id, environment.admin.id, null, "request-1"]]);
  });

  it("by membership of another role causes a mail to every administrator", async () => {
    const [members] = (await write("GET", "roles?where[name][_eq]=Members&fields=id")).body.data;
    const moved = await write("PATCH", `role_members/${members.id},${person.id}`, {
      role_id: administratorsId,
    });
    expect(moved.status).toBe(200);
    expect(await received()).toEqual(everyone());
  });

  it("by an invitation causes a mail to every administrator", async () => {
    const data = { email: "guest@example.com", name: "Guest", roleIds: [administratorsId] };
    expect((await administer("POST", "/invitations", data)).status).toBe(201);
    await environment.deliver();
    const token = /token=(rhl_\w+)/.exec(server.received.splice(0)[0]?.text ?? "")?.[1];
    const body = { token, password: "a horse that nobody knows" };
    const accepted = await environment.ask("POST", "/api/auth/invitations/accept", { body });
    expect(accepted.status).toBe(200);
    const subject = "There is a new administrator";
    expect(await received()).toEqual([
      `admin@example.com: ${subject}`,
      `guest@example.com: ${subject}`,
      `second@example.com: ${subject}`,
    ]);
    expect(await made()).toEqual([
      [accepted.body.data.user.id, environment.admin.id, null, "request-1"],
    ]);
  });

  it("by reactivation causes a mail to every administrator, and an inactive one causes none", async () => {
    await administer("POST", `/users/${person.id}/deactivate`);
    await administer("POST", `/roles/${administratorsId}/members`, { userId: person.id });
    expect(await received()).toEqual([]);
    expect(await made()).toEqual([]);
    await administer("POST", `/users/${person.id}/activate`);
    expect(await received()).toEqual(everyone());
    expect(await made()).toHaveLength(1);
  });

  it("causes a mail to an administrator whose account is changed and removed right after", async () => {
    await server.stop();
    await administer("POST", `/roles/${administratorsId}/members`, { userId: person.id });
    await administer("PATCH", `/users/${second.id}`, { email: "evil@example.com" });
    await administer("POST", `/users/${second.id}/deactivate`);
    await write("DELETE", `users/${second.id}`);
    await environment.deliver();
    await server.start();
    await environment.moveTime(3600);
    expect(await received()).toEqual([
      "admin@example.com: There is a new administrator",
      "person@example.com: There is a new administrator",
      "second@example.com: There is a new administrator",
      "second@example.com: Your email address was changed",
    ]);
  });

  it("shares a mail with others who follow within ten minutes", async () => {
    const { database } = environment.test;
    const promote = async (name: string) => {
      const { id } = await createUser(database, `${name}@example.com`, "Members");
      await administer("POST", `/roles/${administratorsId}/members`, { userId: id });
    };
    const toAdmin = async () => {
      await environment.deliver();
      return server.received
        .splice(0)
        .filter(({ recipients }) => recipients[0] === "admin@example.com")
        .map(({ text }) => /\S+@example\.com(?:, \S+)*(?=\n)/.exec(text ?? "")?.[0]);
    };
    await promote("a");
    expect(await toAdmin()).toEqual(["a@example.com"]);
    await promote("b");
    await promote("c");
    expect(await toAdmin()).toEqual([]);
    await environment.moveTime(601);
    expect(await toAdmin()).toEqual(["b@example.com, c@example.com"]);
    await promote("d");
    expect(await toAdmin()).toEqual([]);
    await environment.moveTime(601 + 600);
    expect(await toAdmin()).toEqual(["d@example.com"]);
  });
});
