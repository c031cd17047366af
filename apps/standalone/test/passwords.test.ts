// Tiers: usual, topologies.
import { hashPassword } from "@rowhouse/access";
import { createUser } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { linkIn, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Every route that sets a password rejects weak ones: those of a long list, and those made of the account's own data.

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
  await environment.set("auth.registration_enabled", true);
});
afterAll(() => environment.stop());

const good = "correct horse battery staple";
const post = (path: string, body: object, as?: string) =>
  environment.ask("POST", path, { as, body });

interface Place {
  /** The address of the account. */
  readonly email: string;
  /** Sets the password; called several times, the last time with a strong one. */
  readonly set: (password: string) => ReturnType<typeof post>;
  readonly path: string;
}

const places: Record<string, () => Promise<Place>> = {
  registration: async () => ({
    email: "dana.miller@example.com",
    set: (password) =>
      post("/api/auth/register", { email: "dana.miller@example.com", name: "Dana", password }),
    path: "/password",
  }),
  "an invitation": async () => {
    const [role] = await environment.test.database.query<{ id: string }>(
      "select id from system.roles where name = 'Members'",
    );
    const email = "miller@example.com";
    const data = { email, name: "Dana", roleIds: [role?.id] };
    await post("/admin/api/invitations", { data }, environment.admin.secret);
    const token = linkIn(await environment.mails(), email);
    return {
      email,
      set: (password) => post("/api/auth/invitations/accept", { token, password }),
      path: "/password",
    };
  },
  "the link of a mail": async () => {
    const user = await createUser(environment.test.database, "dana@miller.example", "Members");
    await post("/api/auth/password/forgot", { email: user.email });
    const token = linkIn(await environment.mails(), user.email);
    return {
      email: user.email,
      set: (password) => post("/api/auth/password/reset", { token, password }),
      path: "/password",
    };
  },
  "a change": async () => {
    const user = await createUser(environment.test.database, "dana-miller@example.com", "Members");
    await environment.test.database.query(
      "update system.users set password_hash = $1::text where id = $2::text::uuid",
      [await hashPassword(good), user.id],
    );
    return {
      email: user.email,
      set: (newPassword) =>
        post("/api/auth/password/change", { currentPassword: good, newPassword }, user.secret),
      path: "/newPassword",
    };
  },
  "an administrator": async () => ({
    email: "d@example.com",
    set: (password) =>
      post(
        "/admin/api/users",
        { data: { email: "d@example.com", name: "Dana Miller", password } },
        environment.admin.secret,
      ),
    path: "/data/password",
  }),
};

const login = async (email: string, password: string) =>
  (await post("/api/auth/login", { email, password })).status;

const composed = "caf\u00e9 au lait \u00e0 emporter";
const decomposed = composed.normalize("NFD");
/** Its hash, as versions that did not normalize stored it. */
const asTyped =
  "$argon2id$v=19$m=19456,t=2,p=1$QOSykQ2Fx/xfmXZitejTPQ$gBsity93bPmJFLKl125y4H10AdyXbH91sIEZ86oP/To";

it.each(Object.keys(places))(
  "%s rejects weak passwords, and normalizes the others",
  async (name) => {
    const { email, set, path } = (await places[name]?.()) ?? {
      email: "",
      set: post as never,
      path: "",
    };
    for (const [password, message] of [
      ["short", "A password must have 12 to 256 characters"],
      // Eleven characters in thirteen code points.
      ["e\u0301te\u0301 d'hiver", "A password must have 12 to 256 characters"],
      ["Mailcreated5240", "This password is too common"],
      [
        "DanaMiller2026!",
        "A password must not consist of the account's name or address, or this product's name",
      ],
    ] as const) {
      const answer = await set(password);
      expect([answer.status, answer.body.errors]).toEqual([
        400,
        [{ code: "BODY_INVALID", message, path }],
      ]);
    }
    // The rejected attempts used nothing up.
    const answer = await set(decomposed);
    expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
    await environment.test.database.query(
      `with account as (
       update system.users set email_verified_at = now() where email = $1::text returning id)
     insert into system.role_members (role_id, user_id)
     select r.id, a.id from system.roles r, account a where r.name = 'Members' on conflict do nothing`,
      [email],
    );
    for (const typed of [composed, decomposed]) expect(await login(email, typed)).toBe(200);
  },
);

it.each([
  ["a sign-in", (email: string) => login(email, decomposed)],
  [
    "a change of the address",
    async (email: string, secret: string) => {
      const body = { currentPassword: decomposed, newEmail: `new.${email}` };
      return (await post("/api/auth/email/change", body, secret)).status;
    },
  ],
])("a password that an earlier version stored as typed is normalized by %s", async (name, use) => {
  const email = `${name.replaceAll(" ", "-")}@example.com`;
  const user = await createUser(environment.test.database, email, "Members");
  await environment.test.database.query(
    "update system.users set password_hash = $1::text where id = $2::text::uuid",
    [asTyped, user.id],
  );
  expect(await login(email, composed)).toBe(401);
  expect(await use(email, user.secret)).toBeLessThan(300);
  for (const typed of [composed, decomposed]) expect(await login(email, typed)).toBe(200);
});
