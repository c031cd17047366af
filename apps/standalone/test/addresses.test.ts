// Tiers: usual, topologies.
import { hashPassword } from "@rowhouse/access";
import { createUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Only the database folds an address wherever two are compared; any text gets the response of an address.
let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
  await environment.set("auth.registration_enabled", true);
});
afterAll(() => environment.stop());

const password = "correct horse battery staple";
const post = (path: string, body: object, as?: string) =>
  environment.ask("POST", `/api/auth/${path}`, { body, as });
const create = async (email: string) => {
  const user = await createUser(environment.test.database, email, "Members");
  await environment.test.database.query(
    "update system.users set password_hash = $2::text where id = $1::text::uuid",
    [user.id, await hashPassword(password)],
  );
  return user;
};
/** Other spellings that the database treats as the same address. */
const spellingsOf = async (email: string) => {
  const rows = await environment.test.database.query<{ spelling: string }>(
    `select distinct s.spelling from generate_series(33, 65533) c,
       lateral (select replace($1::text, l, chr(c)) as spelling from unnest(array['a', 'i', 'k', 's']) l) s
     where c not between 55296 and 57343 and s.spelling <> $1::text
       and system.fold(s.spelling) = system.fold($1::text)`,
    [email],
  );
  return rows.map(({ spelling }) => spelling);
};

describe("an address", () => {
  it("is locked after ten wrong passwords in any spellings", async () => {
    const email = "pikas@example.com";
    await create(email);
    const spellings = await spellingsOf(email);
    // The sign of Kelvin is a K; a capital İ is an i only by the rules of Turkish.
    expect(spellings).toContain("pi\u212aas@example.com");
    expect(spellings).not.toContain("pİkas@example.com");
    for (const spelling of [email, ...spellings]) {
      const wrong = await post("login", { email: spelling, password: "wrong" });
      expect(wrong.faults).toEqual(["INVALID_CREDENTIALS"]);
    }
    // They run one after another, as attempts of one address do.
    let ahead = 0;
    const attempts = async () => {
      const rows = await environment.test.database.query<{ attempts: number }>(
        "select attempts from system.sign_in_attempts",
      );
      expect(rows).toHaveLength(1);
      return rows[0]?.attempts ?? 0;
    };
    while ((await attempts()) < 10) {
      ahead += 70;
      await environment.moveTime(ahead);
      const [spelling = email] = spellings.splice(0, 1);
      spellings.push(spelling);
      await post("login", { email: spelling, password: "wrong" });
    }
    expect((await post("login", { email, password })).status).toBe(401);
    await environment.moveTime(ahead + 15 * 60 + 1);
    expect((await post("login", { email: "pi\u212aas@example.com", password })).status).toBe(200);
    expect(await environment.test.database.query("select 1 from system.sign_in_attempts")).toEqual(
      [],
    );
    await environment.moveTime(0);
  });

  it("in another spelling is the same one for links, registration, invitations and a change", async () => {
    const user = await create("mika@example.com");
    for (const [path, body, seconds] of [
      ["password/forgot", { email: "mi\u212aa@example.com" }, 0],
      ["register", { email: "MIKA@example.com", password, name: "Mika" }, 300],
    ] as const) {
      await environment.moveTime(seconds);
      expect((await post(path, body)).status).toBeLessThan(300);
      const [mail = "", ...more] = await environment.mails();
      expect(more).toEqual([]);
      expect(mail).toContain("To: mika@example.com");
    }
    await environment.moveTime(0);
    const own = await post(
      "email/change",
      { currentPassword: password, newEmail: "MIKA@example.com" },
      user.secret,
    );
    expect(own.body.errors).toMatchObject([
      { path: "/newEmail", message: "Must differ from the account's current address" },
    ]);
    const [role] = await environment.test.database.query<{ id: string }>(
      "select id from system.roles where name = 'Members'",
    );
    const invited = await environment.ask("POST", "/admin/api/invitations", {
      as: environment.admin.secret,
      body: { data: { email: "MIKA@example.com", name: "x", roleIds: [role?.id] } },
    });
    expect(invited.faults).toEqual(["CONFLICT /data/email"]);
  });

  it("is found through the unique index on its folded form", async () => {
    const plan = await environment.test.database.transaction(async (transaction) => {
      await transaction.query("set local enable_seqscan = off");
      return transaction.query(
        "explain select 1 from system.users where system.fold_address(email) = system.fold_address('x')",
      );
    });
    expect(JSON.stringify(plan)).toContain("users_email_key");
  });
});

describe("a text that is not an address", () => {
  const texts: [string, string][] = [
    ["longer than an address", `${"a".repeat(400)}@example.com`],
    ["much longer", `${"a".repeat(500_000)}@example.com`],
    ["with NUL", "admin\u0000@example.com"],
    ["with half a character", "admin\ud800@example.com"],
    ["empty", ""],
  ];
  it.each(texts)(
    "%s is a failed sign-in, and gets no mail and the usual response",
    async (_, email) => {
      const login = await post("login", { email, password });
      expect([login.status, login.body.errors[0].message]).toEqual([
        401,
        "Invalid email or password",
      ]);
      for (const path of ["password/forgot", "email/resend"]) {
        const answer = await post(path, { email });
        expect([answer.status, answer.text]).toEqual([204, ""]);
      }
      expect(await environment.mails()).toEqual([]);
    },
  );

  it.each([
    ["longer than a password", "x".repeat(2000)],
    ["with NUL", `${password}\u0000`],
    ["empty", ""],
  ])("as a password, %s, is a failed sign-in", async (_, guess) => {
    const login = await post("login", { email: "member@example.com", password: guess });
    expect([login.status, login.faults]).toEqual([401, ["INVALID_CREDENTIALS"]]);
  });

  it("is rejected with its path in every other field", async () => {
    for (const [path, body, fault] of [
      ["login", { email: 1, password }, "BODY_INVALID /email"],
      ["login", { email: "a", password, more: "\u0000" }, "BODY_INVALID /more"],
      ["password/forgot", { email: ["\u0000"] }, "BODY_INVALID /email/0"],
      ["register", { email: "a\u0000@b.cc", password, name: "x" }, "BODY_INVALID /email"],
    ] as const) {
      expect([path, (await post(path, body)).faults]).toEqual([path, [fault]]);
    }
  });
});
