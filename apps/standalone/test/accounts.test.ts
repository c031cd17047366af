// Tiers: usual, topologies.
import { createHash, randomBytes } from "node:crypto";
import { hashPassword } from "@rowhouse/access";
import { createSession, createUser, isInProcess, moveClock, stopClock } from "@rowhouse/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type Answer,
  linkIn,
  openTestEnvironment,
  publicUrl,
  type TestEnvironment,
} from "./test-environment.ts";

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
});
afterAll(() => environment.stop());
afterEach(() => moveClock(environment.test.database, 0));

const password = "correct horse battery staple";
const other = "another horse battery staple";
const post = (path: string, body: unknown, as?: string) =>
  environment.ask("POST", path, { as, body });
const login = (email: string, secret = password) =>
  post("/api/auth/login", { email, password: secret });
let serial = 0;
/** A user with a password and the role Members. */
const person = async (change = "") => {
  serial += 1;
  const user = await createUser(
    environment.test.database,
    `person${serial}@example.com`,
    "Members",
  );
  await environment.test.database.query(
    "update system.users set password_hash = $1::text where id = $2::text::uuid",
    [await hashPassword(password), user.id],
  );
  if (change !== "") {
    await environment.test.database.query(
      `update system.users set ${change} where id = '${user.id}'`,
    );
  }
  return user;
};
/** Returns a response without the parts that differ between any two requests. */
const shape = (answer: Answer) => [
  answer.status,
  [...answer.headers].filter(([name]) => name !== "x-request-id"),
  answer.text,
];

describe("sign-in", () => {
  it("returns the same response for every failure, byte for byte", async () => {
    const known = await person();
    const inactive = await person("active = false");
    const provider = await person("password_hash = null");
    const unverified = await person("email_verified_at = null");
    await environment.test.database.query(
      `delete from system.role_members where user_id = '${(await person()).id}'`,
    );
    const withoutRole = `person${serial}@example.com`;
    const answers = [
      await login("nobody@example.com"),
      await login(known.email, "wrong"),
      await login(inactive.email),
      await login(provider.email),
      await login(unverified.email, "wrong"),
      await login(withoutRole),
      await login("workflows@system.invalid"),
    ];
    for (const answer of answers) expect(shape(answer)).toEqual(shape(answers[0] as Answer));
    expect(answers[0]?.body.errors).toEqual([
      { code: "INVALID_CREDENTIALS", message: "Invalid email or password" },
    ]);
    for (const body of [{}, { email: known.email }, { email: known.email, password: 1 }]) {
      expect((await post("/api/auth/login", body)).faults[0]).toMatch(/^BODY_INVALID/);
    }
    expect((await login(unverified.email)).faults).toEqual(["EMAIL_NOT_VERIFIED"]);
    await environment.set("auth.require_email_verification", false);
    expect((await login(unverified.email)).status).toBe(200);
    await environment.set("auth.require_email_verification", true);
  });

  it("allows only a few of many parallel guesses, then delays and locks the address", async () => {
    const user = await person();
    // A busy machine needs more than the delay of a second for these guesses.
    await stopClock(environment.test.database);
    await Promise.all(Array.from({ length: 20 }, () => login(user.email, "wrong")));
    const attempts = async () =>
      (
        await environment.test.database.query<{ attempts: number }>(
          "select attempts from system.sign_in_attempts where address_digest = $1::text::bytea",
          [`\\x${createHash("sha256").update(user.email).digest("hex")}`],
        )
      )[0]?.attempts;
    expect(await attempts()).toBe(5);
    // The correct password is rejected too meanwhile.
    expect((await login(user.email)).status).toBe(401);
    await moveClock(environment.test.database, 2);
    expect((await login(user.email)).status).toBe(200);
    expect(await attempts()).toBeUndefined();
    // Each delay allows one guess, and the tenth failure locks the address for a quarter of an hour.
    let ahead = 2;
    for (let guess = 0; guess < 10; guess += 1) {
      ahead += 60;
      await moveClock(environment.test.database, ahead);
      await login(user.email, "wrong");
    }
    await moveClock(environment.test.database, ahead + 14 * 60);
    expect((await login(user.email)).status).toBe(401);
    await moveClock(environment.test.database, ahead + 15 * 60 + 1);
    expect((await login(user.email)).status).toBe(200);
  });

  it("counts an unknown address like a known one", async () => {
    const email = `${randomBytes(4).toString("hex")}@example.com`;
    await stopClock(environment.test.database);
    for (let guess = 0; guess < 6; guess += 1) await login(email);
    const [row] = await environment.test.database.query<{ attempts: number; locked: boolean }>(
      "select attempts, locked_until > system.clock() as locked from system.sign_in_attempts where address_digest = $1::text::bytea",
      [`\\x${createHash("sha256").update(email).digest("hex")}`],
    );
    expect(row).toEqual({ attempts: 5, locked: true });
  });

  it("is in the audit log, including failures, without the password", async () => {
    const user = await person();
    await login(user.email, "wrong password of mine");
    await login(user.email);
    const log = await environment.ask("GET", "/admin/api/audit-log?action=session.create&limit=2", {
      as: environment.admin.secret,
    });
    expect(log.body.data).toMatchObject([
      { outcome: "SUCCEEDED", actorUserId: user.id, address: "192.0.2.7" },
      { outcome: "FAILED", actorUserId: null, targetId: user.id, requestId: "request-1" },
    ]);
    expect(log.text).not.toContain("wrong password");
    expect(log.text).not.toContain(password);
  });
});

describe("a session", () => {
  it("ends a fixed time after sign-in, regardless of its use", async () => {
    await environment.set("auth.session_ttl_hours", 2);
    const user = await person();
    const { token } = (await login(user.email)).body.data;
    await environment.set("auth.session_ttl_hours", 720);
    const me = async () => (await environment.ask("GET", "/api/auth/me", { as: token })).status;
    expect(await me()).toBe(200);
    await moveClock(environment.test.database, 2 * 3600 - 60);
    expect(await me()).toBe(200);
    await moveClock(environment.test.database, 2 * 3600 + 1);
    expect(await me()).toBe(401);
  });

  it("can be listed and ended only by its owner", async () => {
    const user = await person();
    const second = await createSession(environment.test.database, user.id);
    const list = await environment.ask("GET", "/api/auth/sessions", { as: user.secret });
    expect(list.body.data).toHaveLength(2);
    expect(list.body.data.map((session: { current: boolean }) => session.current).sort()).toEqual([
      false,
      true,
    ]);
    expect(list.text).not.toContain("digest");
    const { id } = list.body.data.find((session: { current: boolean }) => !session.current);
    const path = `/api/auth/sessions/${id}`;
    expect((await environment.ask("DELETE", path, { as: environment.member.secret })).status).toBe(
      404,
    );
    expect((await environment.ask("GET", "/api/auth/me", { as: second })).status).toBe(200);
    expect((await environment.ask("DELETE", path, { as: user.secret })).status).toBe(204);
    expect((await environment.ask("GET", "/api/auth/me", { as: second })).status).toBe(401);
    expect((await environment.ask("DELETE", path, { as: user.secret })).status).toBe(404);
  });
});

describe("administrators", () => {
  it("can see and end other users' sessions, which the audit log records under their name", async () => {
    const user = await person();
    const as = environment.admin.secret;
    const path = `/admin/api/users/${user.id}/sessions`;
    const list = await environment.ask("GET", path, { as });
    expect(list.body.data).toMatchObject([{ method: "password", current: false }]);
    const [{ id }] = list.body.data;
    const elsewhere = `/admin/api/users/${environment.member.id}/sessions/${id}`;
    expect((await environment.ask("DELETE", elsewhere, { as })).status).toBe(404);
    expect((await environment.ask("GET", "/api/auth/me", { as: user.secret })).status).toBe(200);
    expect((await environment.ask("DELETE", `${path}/${id}`, { as })).status).toBe(204);
    expect((await environment.ask("GET", "/api/auth/me", { as: user.secret })).status).toBe(401);
    const log = await environment.ask("GET", `/admin/api/audit-log?targetId=${id}`, { as });
    expect(log.body.data).toMatchObject([
      { action: "session.end", actorUserId: environment.admin.id },
    ]);
  });
});

describe("a forgotten password", () => {
  it("can be reset once by the link of a mail, which ends every session", async () => {
    const user = await person("email_verified_at = null");
    await environment.mails();
    expect((await post("/api/auth/password/forgot", { email: user.email })).status).toBe(204);
    const mails = await environment.mails();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain(`To: ${user.email}`);
    expect(mails[0]).toContain("Subject: Set a new password");
    expect(mails[0]?.replaceAll(/=\r?\n/g, "")).toContain(`${publicUrl}/admin/auth/reset#token`);
    const token = linkIn(mails, user.email);
    const rows = await environment.test.database.query("select * from system.links");
    expect(JSON.stringify(rows)).not.toContain(token);
    const weak = await post("/api/auth/password/reset", { token, password: "short" });
    expect(weak.faults).toEqual(["BODY_INVALID /password"]);
    const results = await Promise.all(
      Array.from({ length: 20 }, () =>
        post("/api/auth/password/reset", { token, password: other }),
      ),
    );
    expect(results.filter((answer) => answer.status === 204)).toHaveLength(1);
    const refused = results.filter((answer) => answer.status !== 204);
    for (const answer of refused) expect(answer.faults).toEqual(["BODY_INVALID /token"]);
    expect((await environment.ask("GET", "/api/auth/me", { as: user.secret })).status).toBe(401);
    expect((await login(user.email)).status).toBe(401);
    expect((await login(user.email, other)).status).toBe(200);
  });

  it("returns the same response for every address, and sends no mail to unknown, inactive or system accounts", async () => {
    const inactive = await person("active = false");
    const provider = await person("password_hash = null");
    const known = await person();
    await environment.mails();
    for (const path of ["/api/auth/password/forgot", "/api/auth/email/resend"]) {
      const answers = [
        await post(path, { email: "nobody@example.com" }),
        await post(path, { email: inactive.email }),
        await post(path, { email: "workflows@system.invalid" }),
        await post(path, { email: provider.email }),
        await post(path, { email: known.email.toUpperCase() }),
      ];
      for (const answer of answers) expect(shape(answer)).toEqual(shape(answers[0] as Answer));
      expect(answers[0]?.status).toBe(204);
    }
    const to = (await environment.mails()).map((mail) => /^To: (.*)\r$/m.exec(mail)?.[1]);
    expect(to.sort()).toEqual([known.email, provider.email].sort());
  });

  it("puts system.public_url into its mail, regardless of the request's headers", async () => {
    const user = await person();
    await environment.set("system.public_url", "https://other.example.net/base/");
    await environment.mails();
    await environment.ask("POST", "/api/auth/password/forgot", {
      body: { email: user.email },
      headers: {
        Host: "evil.example",
        Origin: "https://evil.example",
        "X-Forwarded-Host": "evil.example",
        Forwarded: "host=evil.example",
      },
    });
    const [mail] = await environment.mails();
    expect(mail?.replaceAll(/=\r?\n/g, "")).toContain(
      "https://other.example.net/base/admin/auth/reset",
    );
    expect(mail).not.toContain("evil");
    await environment.set("system.public_url", null);
  });

  const waitsALot = "limits the mails of three hours of requests in every minute";
  it.runIf(isInProcess(waitsALot))(
    "cannot fill a mailbox or keep invalidating its owner's link: each consecutive mail waits longer",
    async () => {
      const user = await person();
      await environment.mails();
      const sent: number[] = [];
      // Every minute at first, and then those around the moments of a mail.
      const minutes = [...Array(17).keys(), 30, 31, 32, 62, 63, 64, 122, 123, 124, 180];
      for (const minute of minutes) {
        await moveClock(environment.test.database, minute * 60 + 5);
        await post("/api/auth/password/forgot", { email: user.email });
        if ((await environment.mails()).length > 0) sent.push(minute);
      }
      expect(sent).toEqual([0, 1, 3, 7, 15, 31, 63, 123]);
      // The delay resets after two hours without a request, and after a link is used.
      await moveClock(environment.test.database, (123 + 120) * 60 + 10);
      await post("/api/auth/password/forgot", { email: user.email });
      const token = linkIn(await environment.mails(), user.email);
      expect((await post("/api/auth/password/reset", { token, password: other })).status).toBe(204);
      await post("/api/auth/password/forgot", { email: user.email });
      expect(await environment.mails()).toHaveLength(1);
    },
  );

  it("sends its link at most once a minute, and the link is valid for a quarter of an hour", async () => {
    const user = await person();
    await environment.mails();
    for (let round = 0; round < 5; round += 1) {
      await post("/api/auth/password/forgot", { email: user.email });
    }
    const first = await environment.mails();
    expect(first).toHaveLength(1);
    await moveClock(environment.test.database, 61);
    await post("/api/auth/password/forgot", { email: user.email });
    const second = await environment.mails();
    expect(second).toHaveLength(1);
    const reset = async (token: string) =>
      (await post("/api/auth/password/reset", { token, password: other })).status;
    expect(await reset(linkIn(first, user.email))).toBe(400);
    await moveClock(environment.test.database, 61 + 15 * 60 + 1);
    expect(await reset(linkIn(second, user.email))).toBe(400);
    expect(await reset("rhl_000000000000000000000000000000000000")).toBe(400);
    expect(await reset("nonsense")).toBe(400);
  });
});

describe("a user's own account", () => {
  it("changes its password with the current one, which ends its other sessions", async () => {
    const user = await person();
    const second = await createSession(environment.test.database, user.id);
    const change = (currentPassword: string, newPassword: string) =>
      post("/api/auth/password/change", { currentPassword, newPassword }, user.secret);
    expect((await change("wrong", other)).faults).toEqual(["BODY_INVALID /currentPassword"]);
    expect((await change(password, "short")).faults).toEqual(["BODY_INVALID /newPassword"]);
    expect((await change(password, other)).status).toBe(204);
    expect((await environment.ask("GET", "/api/auth/me", { as: second })).status).toBe(401);
    expect((await environment.ask("GET", "/api/auth/me", { as: user.secret })).status).toBe(200);
    expect((await login(user.email, other)).status).toBe(200);
  });

  it("changes its language, which its mails use from then on", async () => {
    const user = await person();
    const patch = (body: object) =>
      environment.ask("PATCH", "/api/auth/me", { as: user.secret, body });
    expect((await patch({ language: "DE-at" })).body.data).toMatchObject({ language: "de-AT" });
    expect((await patch({ name: "Ada" })).body.data).toMatchObject({ language: "de-AT" });
    await environment.mails();
    await post("/api/auth/password/forgot", { email: user.email });
    expect((await environment.mails())[0]).toContain("Subject: Neues Passwort setzen");
    for (const language of ["", "x", "german!", "de_AT", "i-klingon", "x-private"]) {
      expect((await patch({ language })).faults).toEqual(["BODY_INVALID /language"]);
    }
    expect((await patch({ language: "no", timeZone: "Mars/Base", name: "B" })).faults).toEqual([
      "BODY_INVALID /timeZone",
    ]);
    const me = await environment.ask("GET", "/api/auth/me", { as: user.secret });
    expect(me.body.data).toMatchObject({ name: "Ada", language: "de-AT" });
    expect((await patch({ language: null })).body.data).toMatchObject({ language: null });
  });

  it("changes its region, and reads the time zone of the installation beside its own", async () => {
    const user = await person();
    const patch = (body: object) =>
      environment.ask("PATCH", "/api/auth/me", { as: user.secret, body });
    expect((await patch({ region: "gb" })).body.data).toMatchObject({ region: "GB" });
    expect((await patch({ region: "150" })).body.data).toMatchObject({ region: "150" });
    for (const region of ["", "g", "en-GB", "Q8", "999", "ZZ", "de\u0000"]) {
      expect((await patch({ region })).faults, region).toEqual(["BODY_INVALID /region"]);
    }
    const { database } = environment.test;
    await database.query(
      "insert into system.settings (key, value) values ('system.timezone', $1)",
      [JSON.stringify("Asia/Kolkata")],
    );
    try {
      for (const path of ["/api/auth/me", "/app/api/me"]) {
        const { body } = await environment.ask("GET", path, { as: user.secret });
        expect(body.data, path).toMatchObject({
          ...{ region: "150", timeZone: null, systemTimeZone: "Asia/Kolkata" },
        });
      }
    } finally {
      await database.query("delete from system.settings where key = 'system.timezone'");
    }
    expect((await patch({ region: null })).body.data).toMatchObject({
      ...{ region: null, systemTimeZone: null },
    });
  });

  it("changes its name and time zone, and nothing else", async () => {
    const user = await person();
    const patch = (body: object) =>
      environment.ask("PATCH", "/api/auth/me", { as: user.secret, body });
    const changed = await patch({ name: "Ada", timeZone: "Europe/Berlin" });
    expect(changed.body.data).toMatchObject({ name: "Ada", timeZone: "Europe/Berlin" });
    expect((await patch({ timeZone: null })).body.data).toMatchObject({
      name: "Ada",
      timeZone: null,
    });
    expect((await patch({ timeZone: "Mars/Base" })).faults).toEqual(["BODY_INVALID /timeZone"]);
    for (const field of ["email", "id", "roles", "emailVerifiedAt", "active"]) {
      expect((await patch({ [field]: "x" })).faults).toEqual([`BODY_INVALID /${field}`]);
    }
  });
});

describe("a new address of a user's own account", () => {
  const change = (as: string, newEmail: string, currentPassword = password) =>
    post("/api/auth/email/change", { currentPassword, newEmail }, as);
  const verify = async (token: string) => (await post("/api/auth/email/verify", { token })).status;
  let fresh = 0;
  const newAddress = () => {
    fresh += 1;
    return `fresh${fresh}@example.com`;
  };

  it("replaces the old one once its own link was used, and the old one gets a mail", async () => {
    const user = await person();
    const address = newAddress();
    await post("/api/auth/password/forgot", { email: user.email });
    const [old] = await environment.mails();
    expect((await change(user.secret, address)).status).toBe(204);
    const mails = await environment.mails();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain(`To: ${address}`);
    expect((await login(address)).status).toBe(401);
    expect((await login(user.email)).status).toBe(200);

    const token = linkIn(mails, address);
    const uses = await Promise.all(Array.from({ length: 20 }, () => verify(token)));
    expect(uses.filter((status) => status === 204)).toHaveLength(1);
    expect((await login(user.email)).status).toBe(401);
    expect((await login(address)).body.data.user).toMatchObject({ email: address });
    const me = await environment.ask("GET", "/api/auth/me", { as: user.secret });
    expect(me.body.data.email).toBe(address);
    const [notice] = await environment.mails();
    expect(notice).toContain(`To: ${user.email}`);
    expect(notice).toContain(address);
    expect(notice).not.toContain("token");
    // Links that were sent to the old address are invalid.
    const reset = { token: linkIn([old ?? ""], user.email), password: other };
    expect((await post("/api/auth/password/reset", reset)).status).toBe(400);
  });

  it("requires the current password, and guesses at it count as sign-ins", async () => {
    const user = await person();
    await environment.mails();
    const wrong = await change(user.secret, newAddress(), "wrong");
    expect([wrong.status, wrong.faults]).toEqual([400, ["BODY_INVALID /currentPassword"]]);
    for (let guess = 0; guess < 10; guess += 1) await change(user.secret, newAddress(), "wrong");
    await moveClock(environment.test.database, -60);
    expect((await change(user.secret, newAddress())).faults).toEqual([
      "BODY_INVALID /currentPassword",
    ]);
    const without = await person("password_hash = null");
    expect((await change(without.secret, newAddress(), "")).faults).toEqual([
      "BODY_INVALID /currentPassword",
    ]);
    expect(await environment.mails()).toEqual([]);
    expect((await change(user.secret, user.email.toUpperCase())).status).toBe(400);
    expect((await change(user.secret, "nonsense")).faults).toEqual(["BODY_INVALID /newEmail"]);
  });

  it("gets the same response if another account has it, whose owner gets a mail", async () => {
    const taken = await person("language = 'de'");
    const inactive = await person("active = false");
    const [one, two, three] = [await person(), await person(), await person()];
    await environment.mails();
    const answers = [
      await change(one.secret, newAddress()),
      await change(two.secret, taken.email),
      await change(three.secret, inactive.email),
    ];
    for (const answer of answers) expect(shape(answer)).toEqual(shape(answers[0] as Answer));
    expect(answers[0]?.status).toBe(204);
    const mails = await environment.mails();
    expect(mails).toHaveLength(2);
    const notice = mails.find((mail) => mail.includes(`To: ${taken.email}`));
    expect(notice).toContain("Subject: Diese Adresse hat schon ein Konto");
    expect(notice).not.toContain("token");
    expect(notice).not.toContain(two.email);
    // Whether it is taken or not, another mail within a minute is rejected.
    for (const user of [one, two, three]) {
      const again = await change(user.secret, newAddress());
      expect(again.status).toBe(429);
      const seconds = Number(again.headers.get("retry-after"));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
    }
  });

  it("is not assigned if another account has taken it meanwhile, the password was reset, or the account was deactivated", async () => {
    const endings: ((user: { id: string; email: string }, address: string) => Promise<unknown>)[] =
      [
        (_, address) => createUser(environment.test.database, address, "Members"),
        async (user) => {
          await post("/api/auth/password/forgot", { email: user.email });
          const token = linkIn(await environment.mails(), user.email);
          return post("/api/auth/password/reset", { token, password: other });
        },
        async (user) => {
          const { token } = (await login(user.email)).body.data;
          const body = { currentPassword: password, newPassword: other };
          return post("/api/auth/password/change", body, token);
        },
        (user) =>
          environment.test.database.query(
            `update system.users set active = false where id = '${user.id}'`,
          ),
        () => moveClock(environment.test.database, 24 * 3600 + 1),
      ];
    for (const end of endings) {
      const user = await person();
      const address = newAddress();
      await environment.mails();
      await change(user.secret, address);
      const token = linkIn(await environment.mails(), address);
      await end(user, address);
      expect(await verify(token)).toBe(400);
      const [row] = await environment.test.database.query<{ email: string }>(
        `select email from system.users where id = '${user.id}'`,
      );
      expect(row?.email).toBe(user.email);
    }
  });
});

describe("registration", () => {
  const register = (email: string, secret = password) =>
    post("/api/auth/register", { email, password: secret, name: "New" });

  it("is unavailable until it is enabled", async () => {
    expect((await register("new@example.com")).status).toBe(404);
  });

  it("returns the same response for a new and a taken address, and the owner gets a mail", async () => {
    await environment.set("auth.registration_enabled", true);
    const [role] = await environment.test.database.query<{ id: string }>(
      "select id from system.roles where name = 'Members'",
    );
    await environment.set("auth.registration_role", role?.id);
    const taken = await person();
    await environment.mails();
    const first = await register("new@example.com");
    expect([first.status, first.body]).toEqual([201, { data: { email: "new@example.com" } }]);
    const mails = await environment.mails();
    expect(mails[0]).toContain("Subject: Confirm your email address");
    const second = await register(taken.email);
    expect([second.status, second.body]).toEqual([201, { data: { email: taken.email } }]);
    expect((await environment.mails())[0]).toContain("Subject: You have an account already");
    expect((await login(taken.email)).status).toBe(200);
    expect((await register("weak@example.com", "password1234")).status).toBe(400);

    expect((await login("new@example.com")).faults).toEqual(["EMAIL_NOT_VERIFIED"]);
    const token = linkIn(mails, "new@example.com");
    const verified = await Promise.all(
      Array.from({ length: 20 }, () => post("/api/auth/email/verify", { token })),
    );
    expect(verified.filter((answer) => answer.status === 204)).toHaveLength(1);
    const entered = await login("new@example.com");
    expect(entered.status).toBe(200);
    expect(entered.body.data.user).toMatchObject({ email: "new@example.com", name: "New" });
  });

  it("sends no text of a stranger to an address", async () => {
    for (const [index, name] of [
      "You have won! evil.example/prize",
      "www.evil.example",
      "evil\u3002example\\x",
      `Call us ${"now ".repeat(40)}evil`,
      "evil@evil.example",
    ].entries()) {
      const email = `victim${index}@example.com`;
      await post("/api/auth/register", { email, password, name });
      const [mail] = await environment.mails();
      expect(mail).toContain(`Hello ${email}`);
      expect(mail).not.toContain("evil");
    }
    const name = "Dr. J. R. O'Neil-Ångström\u2028jr.";
    await post("/api/auth/register", { email: "doctor@example.com", password, name });
    const [mail] = await environment.mails();
    const text = Buffer.from((mail ?? "").replaceAll(/=\r?\n/g, ""), "latin1").toString();
    expect(text).toContain("Hello Dr. J. R. O'Neil-=C3=85ngstr=C3=B6m jr.");
  });

  it("never grants Administrators", async () => {
    const [role] = await environment.test.database.query<{ id: string }>(
      "select id from system.roles where is_administrators",
    );
    await environment.set("auth.registration_role", role?.id);
    await register("climber@example.com");
    const members = await environment.test.database.query(
      "select 1 from system.role_members m join system.users u on u.id = m.user_id where u.email = 'climber@example.com'",
    );
    expect(members).toEqual([]);
    await environment.set("auth.registration_enabled", false);
  });

  it("sends a new link on demand, and none once the address is confirmed", async () => {
    await environment.mails();
    await moveClock(environment.test.database, 120);
    await post("/api/auth/email/resend", { email: "climber@example.com" });
    const mails = await environment.mails();
    expect(mails).toHaveLength(1);
    const token = linkIn(mails, "climber@example.com");
    expect((await post("/api/auth/email/verify", { token })).status).toBe(204);
    await moveClock(environment.test.database, 300);
    await post("/api/auth/email/resend", { email: "climber@example.com" });
    expect(await environment.mails()).toEqual([]);
  });

  it("accepts a link only for its own purpose", async () => {
    const user = await person();
    await environment.mails();
    await post("/api/auth/password/forgot", { email: user.email });
    const token = linkIn(await environment.mails(), user.email);
    expect((await post("/api/auth/email/verify", { token })).status).toBe(400);
    expect((await post("/api/auth/invitations/accept", { token, password })).status).toBe(400);
    expect((await environment.ask("GET", "/api/auth/me", { as: token })).status).toBe(401);
    expect((await post("/api/auth/password/reset", { token, password: other })).status).toBe(204);
  });
});

describe("an invitation", () => {
  const invite = (data: object) =>
    environment.ask("POST", "/admin/api/invitations", {
      as: environment.admin.secret,
      body: { data },
    });
  const roleId = async (name: string) =>
    (
      await environment.test.database.query<{ id: string }>(
        "select id from system.roles where name = $1::text",
        [name],
      )
    )[0]?.id;

  it("becomes an account with its roles and a session, once", async () => {
    await environment.mails();
    const made = await invite({
      email: "guest@example.com",
      name: "Guest",
      roleIds: [await roleId("Members")],
    });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ state: "open", roles: [{ name: "Members" }] });
    const token = linkIn(await environment.mails(), "guest@example.com");
    expect(made.text).not.toContain(token);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        post("/api/auth/invitations/accept", { token, password, name: "Ada" }),
      ),
    );
    const entered = answers.filter((answer) => answer.status === 200);
    expect(entered).toHaveLength(1);
    const { data } = entered[0]?.body ?? {};
    expect(data.user).toMatchObject({ email: "guest@example.com", name: "Ada" });
    const me = await environment.ask("GET", "/api/auth/me", { as: data.token });
    expect(me.body.data.roles).toMatchObject([{ name: "Members" }]);
    expect((await login("guest@example.com")).status).toBe(200);
    const read = await environment.ask("GET", `/admin/api/invitations/${made.body.data.id}`, {
      as: environment.admin.secret,
    });
    expect(read.body.data).toMatchObject({ state: "accepted", userId: data.user.id });
  });

  const administer = (method: string, path: string) =>
    environment.ask(method, `/admin/api${path}`, { as: environment.admin.secret });
  const open = (token: string) => post("/api/auth/invitations/read", { token });

  it("says who invites whom to which roles, in the mail and on the page of its link", async () => {
    await environment.mails();
    await invite({
      email: "read@example.com",
      name: "Rita",
      roleIds: [await roleId("Members")],
    });
    const mails = await environment.mails();
    expect(mails[0]).toContain("(Members)");
    const answer = await open(linkIn(mails, "read@example.com"));
    expect(answer.body.data).toEqual({
      ...{ email: "read@example.com", name: "Rita", roles: ["Members"] },
      inviter: expect.any(String),
    });
    const bad = await open(`rhl_${"x".repeat(36)}`);
    expect([bad.status, bad.faults]).toEqual([400, ["BODY_INVALID /token"]]);
  });

  it("is handed over by a link that ends the one of the mail, once and with its own audit entry", async () => {
    await environment.mails();
    const roleIds = [await roleId("Members")];
    const { body } = await invite({ email: "linked@example.com", roleIds });
    const mailed = linkIn(await environment.mails(), "linked@example.com");
    const path = `/invitations/${body.data.id}`;
    const first = await administer("POST", `${path}/link`);
    const second = await administer("POST", `${path}/link`);
    const tokenOf = (answer: typeof first) => new URL(answer.body.data.url).hash.slice(7);
    expect(new URL(second.body.data.url).pathname).toBe("/admin/auth/invitation");
    for (const token of [mailed, tokenOf(first)]) {
      expect((await open(token)).status).toBe(400);
      expect((await post("/api/auth/invitations/accept", { token, password })).status).toBe(400);
    }
    const read = await administer("GET", path);
    expect(read.text).not.toContain(tokenOf(second));
    const token = tokenOf(second);
    expect((await post("/api/auth/invitations/accept", { token, password })).status).toBe(200);
    const log = await administer("GET", `/audit-log?targetId=${body.data.id}`);
    expect(log.body.data.map((entry: { action: string }) => entry.action)).toEqual([
      ...["invitation.accept", "invitation.link", "invitation.link", "invitation.create"],
    ]);
    expect((await administer("POST", `${path}/link`)).status).toBe(409);
    expect((await administer("POST", `${path}/mail`)).status).toBe(409);
  });

  it("is sent again, also after its time, and not once it is revoked", async () => {
    await environment.mails();
    const roleIds = [await roleId("Members")];
    const { body } = await invite({ email: "again@example.com", roleIds });
    const path = `/invitations/${body.data.id}`;
    const former = linkIn(await environment.mails(), "again@example.com");
    await environment.test.database.query(
      "update system.invitations set expires_at = system.clock() - interval '1 hour' where id = $1::uuid",
      [body.data.id],
    );
    expect((await open(former)).status).toBe(400);
    const sent = await administer("POST", `${path}/mail`);
    expect(sent.body.data).toMatchObject({ state: "open" });
    const token = linkIn(await environment.mails(), "again@example.com");
    expect(token).not.toBe(former);
    expect((await open(token)).status).toBe(200);
    await administer("DELETE", path);
    expect((await open(token)).status).toBe(400);
    expect((await administer("POST", `${path}/mail`)).status).toBe(409);
    expect((await administer("POST", `/invitations/${crypto.randomUUID()}/mail`)).status).toBe(404);
    expect(await environment.mails()).toEqual([]);
  });

  it("uses the given language, which the account starts with; so does a registration", async () => {
    await environment.mails();
    const roleIds = [await roleId("Members")];
    const made = await invite({ email: "ulla@example.com", roleIds, language: "DE" });
    expect(made.body.data).toMatchObject({ language: "de" });
    const mails = await environment.mails();
    expect(mails[0]).toContain("72 Stunden");
    const token = linkIn(mails, "ulla@example.com");
    const entered = await post("/api/auth/invitations/accept", { token, password });
    const me = await environment.ask("GET", "/api/auth/me", { as: entered.body.data.token });
    expect(me.body.data.language).toBe("de");
    const nowhere = await invite({ email: "x@example.com", roleIds, language: "no language" });
    expect([nowhere.status, nowhere.faults]).toEqual([400, ["VALUE_INVALID /data/language"]]);

    await environment.set("auth.registration_enabled", true);
    const register = (email: string, language: string) =>
      post("/api/auth/register", { email, password, name: "", language });
    expect((await register("uwe@example.com", "de-CH")).status).toBe(201);
    const [mail] = await environment.mails();
    expect(mail?.replaceAll(/=\r?\n/g, "")).toContain("innerhalb von 24 Stunden");
    expect((await register("uwe2@example.com", "?")).faults).toEqual(["BODY_INVALID /language"]);
    await environment.set("auth.registration_enabled", false);
  });

  it("is rejected for an address with an account, for unknown roles, and for roles without API access", async () => {
    const members = await roleId("Members");
    const taken = await invite({ email: environment.member.email, roleIds: [members] });
    expect([taken.status, taken.faults]).toEqual([409, ["CONFLICT /data/email"]]);
    await environment.test.database.query(
      "insert into system.roles (name, api_access) values ('Silent', false)",
    );
    for (const id of ["00000000-0000-4000-8000-000000000000", await roleId("Silent")]) {
      const refused = await invite({ email: "x@example.com", roleIds: [id] });
      expect([refused.status, refused.faults]).toEqual([400, ["VALUE_INVALID /data/roleIds"]]);
    }
  });

  it("whose roles have lost their API access or were deleted is invalid, also when it is read", async () => {
    const { database } = environment.test;
    for (const change of [
      "update system.roles set api_access = false",
      "delete from system.roles",
    ]) {
      await environment.mails();
      await database.query("insert into system.roles (name) values ('Passing')");
      await invite({ email: "passing@example.com", roleIds: [await roleId("Passing")] });
      const token = linkIn(await environment.mails(), "passing@example.com");
      expect((await open(token)).status).toBe(200);
      await database.query(`${change} where name = 'Passing'`);
      for (const answer of [
        await open(token),
        await post("/api/auth/invitations/accept", { token, password }),
      ]) {
        expect([answer.status, answer.faults]).toEqual([400, ["BODY_INVALID /token"]]);
      }
      await database.query("delete from system.roles where name = 'Passing'");
    }
  });

  it("that was revoked, replaced or three days old is invalid", async () => {
    await environment.mails();
    const roleIds = [await roleId("Members")];
    const first = await invite({ email: "late@example.com", roleIds });
    const firstLink = linkIn(await environment.mails(), "late@example.com");
    const second = await invite({ email: "LATE@example.com", roleIds });
    const secondLink = linkIn(await environment.mails(), "LATE@example.com");
    const accept = async (token: string) =>
      (await post("/api/auth/invitations/accept", { token, password })).status;
    expect(await accept(firstLink)).toBe(400);
    await moveClock(environment.test.database, 72 * 3600 + 60);
    expect(await accept(secondLink)).toBe(400);
    await moveClock(environment.test.database, 0);
    const remove = (id: string) =>
      environment.ask("DELETE", `/admin/api/invitations/${id}`, { as: environment.admin.secret });
    expect((await remove(second.body.data.id)).status).toBe(204);
    expect((await remove(second.body.data.id)).status).toBe(409);
    expect(await accept(secondLink)).toBe(400);
    const list = await environment.ask("GET", "/admin/api/invitations?search=late@&limit=1", {
      as: environment.admin.secret,
    });
    expect(list.body.data).toMatchObject([{ id: second.body.data.id, state: "revoked" }]);
    const next = await environment.ask(
      "GET",
      `/admin/api/invitations?search=late@&limit=1&cursor=${list.body.meta.nextCursor}`,
      { as: environment.admin.secret },
    );
    expect(next.body.data).toMatchObject([{ id: first.body.data.id, state: "revoked" }]);
  });
});

describe("mails", () => {
  it("use the user's language if it exists, otherwise English, with every value as text", async () => {
    const { database } = environment.test;
    await database.query(
      `insert into system.templates (key, language, subject, text, html)
       values ('auth.reset', 'it', 'Nuova password per {{ name }}', '{{ link }} {{ name }}', '<p>{{ name }}</p><a href="{{ link }}">Qui</a>')`,
    );
    const italian = await person(`language = 'it-CH', name = '{{ link }}<b>'`);
    await environment.mails();
    await post("/api/auth/password/forgot", { email: italian.email });
    const [mail] = await environment.mails();
    expect(mail).toContain("<p>{{ link }}&lt;b&gt;</p>");
    const french = await person("language = 'fr'");
    await post("/api/auth/password/forgot", { email: french.email });
    expect((await environment.mails())[0]).toContain("Subject: Set a new password");
  });
});
