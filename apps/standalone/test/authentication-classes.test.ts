// Tiers: usual, topologies.
import { hashPassword } from "@rowhouse/access";
import { createSession, createUser, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Answer,
  linkIn,
  openTestEnvironment,
  publicUrl,
  type TestEnvironment,
} from "./test-environment.ts";

// Classes of published advisories about similar systems, one by one. Those about providers are in providers.test.ts,
// those about rate limits in throttle.test.ts.

const password = "correct horse battery staple";
const other = "another horse battery staple";
let environment: TestEnvironment;
let hash: string;
let roleId: string;
beforeAll(async () => {
  environment = await openTestEnvironment();
  hash = await hashPassword(password);
  const [role] = await environment.test.database.query<{ id: string }>(
    "select id from system.roles where name = 'Members'",
  );
  roleId = role?.id ?? "";
  await environment.set("auth.registration_enabled", true);
  await environment.set("auth.registration_role", roleId);
});
afterAll(() => environment.stop());
beforeEach(() => environment.mails());

const post = (path: string, body: unknown, as?: string, headers?: Record<string, string>) =>
  environment.ask("POST", path, { as, body, ...(headers === undefined ? {} : { headers }) });
let serial = 0;
const person = async (change = ""): Promise<TestUser> => {
  serial += 1;
  const user = await createUser(
    environment.test.database,
    `person${serial}@example.com`,
    "Members",
  );
  await environment.test.database.query(
    `update system.users set password_hash = $1::text where id = '${user.id}'`,
    [hash],
  );
  if (change !== "") {
    await environment.test.database.query(
      `update system.users set ${change} where id = '${user.id}'`,
    );
  }
  return user;
};
const lock = (email: string) =>
  environment.test.database.query(
    `insert into system.sign_in_attempts (address_digest, attempts, locked_until, last_at)
     values (sha256(convert_to(lower($1::text), 'UTF8')), 10, now() + interval '1 day', now())`,
    [email],
  );
/** Addresses of accounts in every possible state. */
const states: Readonly<Record<string, () => Promise<string>>> = {
  absent: async () => {
    serial += 1;
    return `absent${serial}@example.com`;
  },
  active: async () => (await person()).email,
  locked: async () => {
    const { email } = await person();
    await lock(email);
    return email;
  },
  inactive: async () => (await person("active = false")).email,
  "provider-only": async () => {
    const { id, email } = await person("password_hash = null");
    await environment.test.database.query(
      `insert into system.provider_accounts (issuer, subject, user_id) values ('https://issuer.example', '${id}', '${id}')`,
    );
    return email;
  },
};
/**
 * The parts of a response that a caller sees, without those that differ between any two requests and without the sent
 * address.
 */
const shape = (answer: Answer, email: string) => ({
  status: answer.status,
  headers: [...answer.headers].filter(([name]) => name !== "x-request-id"),
  body: answer.text.replaceAll(email, "<address>"),
});

describe("no response reveals the state of an account (absent, active, locked, inactive, provider-only)", () => {
  const routes: Readonly<Record<string, (email: string) => Promise<Answer>>> = {
    login: (email) => post("/api/auth/login", { email, password: "wrong" }),
    forgot: (email) => post("/api/auth/password/forgot", { email }),
    resend: (email) => post("/api/auth/email/resend", { email }),
    register: (email) => post("/api/auth/register", { email, password, name: "Somebody" }),
    "register with a weak password": (email) =>
      post("/api/auth/register", { email, password: "short", name: "Somebody" }),
  };
  it.each(Object.entries(routes))("%s: same status, headers and body", async (_name, ask) => {
    const seen: Record<string, unknown> = {};
    for (const [state, make] of Object.entries(states)) {
      const email = await make();
      seen[state] = shape(await ask(email), email);
    }
    for (const state of Object.keys(states)) {
      expect({ [state]: seen[state] }).toEqual({ [state]: seen.absent });
    }
  });

  it("invitation: one to an address that has an account since then is rejected like an invalid one", async () => {
    const accept = (token: string) =>
      post("/api/auth/invitations/accept", { token, password, name: "Somebody" });
    const never = await accept(`rhl_${"0".repeat(36)}`);
    expect(never.status).toBe(400);
    for (const [state, make] of Object.entries(states)) {
      if (state === "absent") continue;
      const email = await make();
      const invited = `invited-${email}`;
      const made = await environment.ask("POST", "/admin/api/invitations", {
        as: environment.admin.secret,
        body: { data: { email: invited, name: "", roleIds: [roleId] } },
      });
      expect(made.status, made.text).toBe(201);
      const token = linkIn(await environment.mails(), invited);
      // The account takes the invited address.
      await environment.test.database.query(
        "update system.users set email = $1::text where email = $2::text",
        [invited, email],
      );
      const read = await post("/api/auth/invitations/read", { token });
      expect(shape(read, invited), state).toEqual(shape(never, invited));
      expect(shape(await accept(token), invited), state).toEqual(shape(never, invited));
    }
  });

  it("a new address of a user's own account: same status, headers and body for taken and free addresses", async () => {
    const seen: unknown[] = [];
    for (const make of Object.values(states)) {
      const user = await person();
      const newEmail = await make();
      const body = { currentPassword: password, newEmail };
      seen.push(shape(await post("/api/auth/email/change", body, user.secret), newEmail));
    }
    for (const one of seen) expect(one).toEqual(seen[0]);
  });
});

describe("the response time reveals no account", () => {
  it("forgot, resend: the response is sent before the account is looked up", async () => {
    const emails = await Promise.all(Object.values(states).map((make) => make()));
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isLocked: () => void = () => {};
    const locked = new Promise<void>((resolve) => {
      isLocked = resolve;
    });
    // A lookup of an account waits until this transaction ends.
    const lock = environment.test.database.transaction(async (transaction) => {
      await transaction.query("lock table system.users in access exclusive mode");
      isLocked();
      await held;
    });
    await locked;
    for (const path of ["/api/auth/password/forgot", "/api/auth/email/resend"]) {
      for (const email of emails) expect((await post(path, { email })).status).toBe(204);
    }
    release();
    await lock;
    // One for each account whose password may be reset: active, locked, provider-only.
    expect(await environment.mails()).toHaveLength(3);
  });
  // login, register: packages/accounts/test/sign-in-timing.test.ts
});

describe("a request's headers do not affect the links of mails (host header poisoning)", () => {
  const foreign = {
    Host: "evil.example",
    Origin: "https://evil.example",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "gopher",
    "X-Forwarded-Port": "666",
    "X-Original-URL": "https://evil.example/",
    Forwarded: "host=evil.example;proto=gopher",
    Referer: "https://evil.example/",
  };
  it.each<[string, () => Promise<Answer>]>([
    [
      "forgot",
      async () =>
        post("/api/auth/password/forgot", { email: (await person()).email }, undefined, foreign),
    ],
    [
      "resend",
      async () => {
        const { email } = await person("email_verified_at = null");
        return post("/api/auth/email/resend", { email }, undefined, foreign);
      },
    ],
    [
      "register",
      async () => {
        const email = (await states.absent?.()) ?? "";
        return post("/api/auth/register", { email, password, name: "" }, undefined, foreign);
      },
    ],
    [
      "a taken address",
      async () => {
        const { email } = await person();
        return post("/api/auth/register", { email, password, name: "" }, undefined, foreign);
      },
    ],
    [
      "invitation",
      async () => {
        const data = { email: (await states.absent?.()) ?? "", name: "", roleIds: [roleId] };
        return post("/admin/api/invitations", { data }, environment.admin.secret, foreign);
      },
    ],
    [
      "a new address",
      async () => {
        const newEmail = (await states.absent?.()) ?? "";
        const body = { currentPassword: password, newEmail };
        return post("/api/auth/email/change", body, (await person()).secret, foreign);
      },
    ],
  ])("%s: the mail names system.public_url", async (_name, ask) => {
    expect((await ask()).status).toBeLessThan(300);
    const mails = await environment.mails();
    expect(mails).toHaveLength(1);
    const text = (mails[0] ?? "").replaceAll(/=\r?\n/g, "");
    expect(text).toContain(`${publicUrl}/admin/auth/`);
    expect(text).not.toMatch(/evil|gopher/);
  });
});

describe("sessions end when their basis ends (reset, change, deactivation)", () => {
  const isIn = async (secret: string) =>
    (await environment.ask("GET", "/api/auth/me", { as: secret })).status === 200;
  const endings: readonly (readonly [string, (user: TestUser) => Promise<Answer>, boolean])[] = [
    [
      "reset",
      async (user) => {
        await post("/api/auth/password/forgot", { email: user.email });
        const token = linkIn(await environment.mails(), user.email);
        return post("/api/auth/password/reset", { token, password: other });
      },
      false,
    ],
    [
      "change",
      (user) =>
        post(
          "/api/auth/password/change",
          { currentPassword: password, newPassword: other },
          user.secret,
        ),
      true,
    ],
    [
      "deactivation",
      (user) => post(`/admin/api/users/${user.id}/deactivate`, undefined, environment.admin.secret),
      false,
    ],
    [
      "the loss of API access",
      (user) =>
        environment.ask("DELETE", `/admin/api/roles/${roleId}/members/${user.id}`, {
          as: environment.admin.secret,
        }),
      false,
    ],
  ];
  it.each(endings)(
    "%s: the other sessions get 401 on the next request",
    async (_name, end, own) => {
      const user = await person();
      const others = [
        await createSession(environment.test.database, user.id),
        (await post("/api/auth/login", { email: user.email, password })).body.data.token,
      ];
      for (const secret of others) expect(await isIn(secret)).toBe(true);
      const answer = await end(user);
      expect(answer.status, answer.text).toBeLessThan(300);
      for (const secret of others) expect(await isIn(secret)).toBe(false);
      expect(await isIn(user.secret)).toBe(own);
    },
  );

  it("deactivation: sessions from before stay invalid after activation", async () => {
    const user = await person();
    await post(`/admin/api/users/${user.id}/deactivate`, undefined, environment.admin.secret);
    await post(`/admin/api/users/${user.id}/activate`, undefined, environment.admin.secret);
    expect(await isIn(user.secret)).toBe(false);
    expect((await post("/api/auth/login", { email: user.email, password })).status).toBe(200);
  });
});

describe("a link can be used once (20 parallel uses)", () => {
  const uses = (path: string, body: unknown) =>
    Promise.all(Array.from({ length: 20 }, () => post(path, body)));
  it.each<[string, () => Promise<[string, object]>]>([
    [
      "reset",
      async () => {
        const { email } = await person();
        await post("/api/auth/password/forgot", { email });
        return [
          "/api/auth/password/reset",
          { token: linkIn(await environment.mails(), email), password: other },
        ];
      },
    ],
    [
      "verify",
      async () => {
        const { email } = await person("email_verified_at = null");
        await post("/api/auth/email/resend", { email });
        return ["/api/auth/email/verify", { token: linkIn(await environment.mails(), email) }];
      },
    ],
    [
      "a new address",
      async () => {
        const newEmail = (await states.absent?.()) ?? "";
        const body = { currentPassword: password, newEmail };
        await post("/api/auth/email/change", body, (await person()).secret);
        return ["/api/auth/email/verify", { token: linkIn(await environment.mails(), newEmail) }];
      },
    ],
    [
      "invitation",
      async () => {
        const data = { email: (await states.absent?.()) ?? "", name: "", roleIds: [roleId] };
        await post("/admin/api/invitations", { data }, environment.admin.secret);
        const token = linkIn(await environment.mails(), data.email);
        return ["/api/auth/invitations/accept", { token, password }];
      },
    ],
  ])("%s: one success, and the same failure for all others", async (_name, prepare) => {
    const [path, body] = await prepare();
    const answers = await uses(path, body);
    expect(answers.filter((answer) => answer.status < 300)).toHaveLength(1);
    const refused = answers.filter((answer) => answer.status >= 300);
    for (const answer of refused) {
      expect(answer.faults).toEqual(["BODY_INVALID /token"]);
      expect(shape(answer, "")).toEqual(shape(refused[0] as Answer, ""));
    }
  });
});
