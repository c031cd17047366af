// Tiers: usual, topologies.
import { hashPassword } from "@rowhouse/access";
import { createUser } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type Answer,
  linkIn,
  openTestEnvironment,
  type TestEnvironment,
} from "./test-environment.ts";

// A long sequence of account and token operations and their audit entries: actor, token and origin, never a secret.

const password = "correct horse battery staple";
const other = "another horse battery staple";
const wrong = "wrong horse battery staple";

let environment: TestEnvironment;
/** Secrets that the log must not contain. */
const secrets = new Set([password, other, wrong]);
beforeAll(async () => {
  environment = await openTestEnvironment();
});
afterAll(() => environment.stop());

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly outcome: string;
  readonly actorUserId: string | null;
  readonly actorTokenId: string | null;
  readonly targetKind: string;
  readonly targetId: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Returns `action outcome by actor(with token) on target` of the entries since the last call, oldest first. */
let told = "0";
const tell = async (names: ReadonlyMap<string, string>): Promise<string[]> => {
  const rows = await environment.test.database.query<{ entry: Entry }>(
    `select json_build_object('id', id::text, 'action', action, 'outcome', outcome, 'actorUserId', actor_user_id,
       'actorTokenId', actor_token_id, 'targetKind', target_kind, 'targetId', target_id, 'address', host(address),
       'requestId', request_id) as entry from system.audit_log where id > $1::text::bigint order by id`,
    [told],
  );
  const name = (id: string | null) => (id === null ? "nobody" : (names.get(id) ?? "something"));
  return rows.map(({ entry }) => {
    told = entry.id;
    expect([entry.action, entry.address, entry.requestId]).toEqual([
      entry.action,
      "198.51.100.23",
      "request-1",
    ]);
    const token = entry.actorTokenId === null ? "" : ` with ${name(entry.actorTokenId)}`;
    const failed = entry.outcome === "FAILED" ? " failed" : "";
    return `${entry.action}${failed} by ${name(entry.actorUserId)}${token} on ${entry.targetKind} ${name(entry.targetId)}`;
  });
};

it("the audit log records sign-ins and their failures, changes of accounts and of tokens, without a secret", async () => {
  const { database } = environment.test;
  const from = "198.51.100.23";
  const ask = async (method: string, path: string, body?: unknown, as?: string) => {
    const answer: Answer = await environment.ask(method, path, {
      as,
      from,
      ...(body === undefined ? {} : { body }),
    });
    if (typeof answer.body?.data?.token === "string") secrets.add(answer.body.data.token);
    if (typeof answer.body?.data?.secret === "string") secrets.add(answer.body.data.secret);
    return answer;
  };
  const post = (path: string, body?: unknown, as?: string) => ask("POST", path, body, as);
  const newLink = async (address: string) => {
    const link = linkIn(await environment.mails(), address);
    secrets.add(link);
    return link;
  };
  const ada = await createUser(database, "ada@example.com", "Members");
  await database.query(`update system.users set password_hash = $1::text where id = '${ada.id}'`, [
    await hashPassword(password),
  ]);
  const root = environment.admin;
  const names = new Map([
    [ada.id, "ada"],
    [root.id, "root"],
  ]);
  const [last] = await database.query<{ id: string }>(
    "select coalesce(max(id), 0)::text as id from system.audit_log",
  );
  told = last?.id ?? "0";
  const expectTold = async (...entries: string[]) => expect(await tell(names)).toEqual(entries);

  // Sign-ins, successful and failed.
  const login = (email: string, secret: string) =>
    post("/api/auth/login", { email, password: secret });
  await login("nobody@example.com", wrong);
  await expectTold("session.create failed by nobody on user nobody");
  await login(ada.email, wrong);
  await expectTold("session.create failed by nobody on user ada");
  const session = (await login(ada.email, password)).body.data.token as string;
  await expectTold("session.create by ada on session something");
  await database.query(`update system.users set email_verified_at = null where id = '${ada.id}'`);
  await login(ada.email, password);
  await expectTold("session.create failed by nobody on user ada");
  await post("/api/auth/email/resend", { email: ada.email });
  await post("/api/auth/email/verify", { token: await newLink(ada.email) });
  await expectTold("user.verify_email by ada on user ada");
  const second = (await login(ada.email, password)).body.data.token as string;
  const sessions = (await ask("GET", "/api/auth/sessions", undefined, session)).body.data;
  const current = sessions.find((one: { current: boolean }) => one.current);
  names.set(current.id, "the session");
  await expectTold("session.create by ada on session something");
  await ask("DELETE", `/api/auth/sessions/${current.id}`, undefined, second);
  await expectTold("session.end by ada on session the session");
  await post("/api/auth/logout", undefined, second);
  await expectTold("session.end by ada on session something");

  // Changes of the account.
  await ask("PATCH", "/api/auth/me", { name: "Ada", language: "de" }, ada.secret);
  await expectTold("user.update by ada on user ada");
  const change = (currentPassword: string, newPassword: string) =>
    post("/api/auth/password/change", { currentPassword, newPassword }, ada.secret);
  await change(wrong, other);
  await expectTold("user.change_password failed by ada on user ada");
  await change(password, other);
  await expectTold("user.change_password by ada on user ada");
  const move = (currentPassword: string) =>
    post("/api/auth/email/change", { currentPassword, newEmail: "ada2@example.com" }, ada.secret);
  await move(wrong);
  await expectTold("user.request_email_change failed by ada on user ada");
  await move(other);
  await expectTold("user.request_email_change by ada on user ada");
  await post("/api/auth/email/verify", { token: await newLink("ada2@example.com") });
  await expectTold("user.change_email by ada on user ada");
  await post("/api/auth/password/forgot", { email: "ada2@example.com" });
  await post("/api/auth/password/reset", { token: await newLink("ada2@example.com"), password });
  await expectTold("user.reset_password by ada on user ada");

  // Registration and invitations.
  await environment.set("auth.registration_enabled", true);
  await post("/api/auth/register", { email: "new@example.com", password, name: "New" });
  await post("/api/auth/register", { email: "new@example.com", password, name: "New" });
  await expectTold(
    "user.register by nobody on user something",
    "user.register failed by nobody on user nobody",
  );
  await environment.mails();
  const [role] = (await ask("GET", "/admin/api/roles?search=members", undefined, root.secret)).body
    .data;
  const invite = async (email: string, as: string) => {
    const data = { email, name: "", roleIds: [role.id] };
    const made = await post("/admin/api/invitations", { data }, as);
    names.set(made.body.data.id, "the invitation");
    return made.body.data.id as string;
  };
  await invite("guest@example.com", root.secret);
  await expectTold("invitation.create by root on invitation the invitation");
  const token = await newLink("guest@example.com");
  const accepted = await post("/api/auth/invitations/accept", { token, password });
  names.set(accepted.body.data.user.id, "guest");
  await expectTold(
    "invitation.accept by guest on invitation the invitation",
    "session.create by guest on session something",
  );

  // Tokens: by their owner, by an administrator, and by an administrator's token.
  const entered = (await login("ada2@example.com", password)).body.data.token as string;
  await expectTold("session.create by ada on session something");
  const lives: readonly (readonly [string, string, string, unknown, string])[] = [
    ["/api/auth/tokens", entered, "ada", { name: "own", plane: "api" }, "by ada"],
    [
      "/admin/api/tokens",
      root.secret,
      "root",
      { data: { userId: ada.id, name: "given", plane: "api" } },
      "by root",
    ],
  ];
  for (const [path, as, , body, by] of lives) {
    const wrap = (data: object) => (path.startsWith("/admin") ? { data } : data);
    const { id } = (await post(path, body, as)).body.data;
    names.set(id, "the token");
    await ask("PATCH", `${path}/${id}`, wrap({ description: "changed" }), as);
    await post(`${path}/${id}/deactivate`, undefined, as);
    await post(`${path}/${id}/activate`, undefined, as);
    await post(`${path}/${id}/regenerate`, wrap({ gracePeriod: "1h" }), as);
    await post(`${path}/${id}/revoke`, undefined, as);
    await expectTold(
      ...["create", "update", "deactivate", "activate", "regenerate", "revoke"].map(
        (verb) => `token.${verb} ${by} on token the token`,
      ),
    );
  }
  const robot = (await post("/api/auth/tokens", { name: "robot", plane: "admin" }, root.secret))
    .body.data;
  names.set(robot.id, "robot");
  await expectTold("token.create by root on token robot");
  const id = await invite("second@example.com", robot.secret);
  await ask("DELETE", `/admin/api/invitations/${id}`, undefined, robot.secret);
  await expectTold(
    "invitation.create by root with robot on invitation the invitation",
    "invitation.revoke by root with robot on invitation the invitation",
  );
  secrets.add(await newLink("second@example.com"));

  // The log contains no secret and no stored form of one.
  const everything = JSON.stringify(await database.query("select l::text from system.audit_log l"));
  expect(secrets.size).toBeGreaterThan(12);
  for (const secret of secrets) {
    if (secret !== "") expect(everything).not.toContain(secret);
  }
  expect(everything).not.toMatch(/rh[psl]_[0-9A-Za-z]{10}|argon2/);
});
