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
  /** Sets the password; called several times, the last time with a strong one. */
  readonly set: (password: string) => ReturnType<typeof post>;
  readonly path: string;
}

const places: Record<string, () => Promise<Place>> = {
  registration: async () => ({
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
      set: (password) => post("/api/auth/invitations/accept", { token, password }),
      path: "/password",
    };
  },
  "the link of a mail": async () => {
    const user = await createUser(environment.test.database, "dana@miller.example", "Members");
    await post("/api/auth/password/forgot", { email: user.email });
    const token = linkIn(await environment.mails(), user.email);
    return {
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
      set: (newPassword) =>
        post("/api/auth/password/change", { currentPassword: good, newPassword }, user.secret),
      path: "/newPassword",
    };
  },
  "an administrator": async () => ({
    set: (password) =>
      post(
        "/admin/api/users",
        { data: { email: "d@example.com", name: "Dana Miller", password } },
        environment.admin.secret,
      ),
    path: "/data/password",
  }),
};

it.each(Object.keys(places))("%s rejects weak passwords", async (name) => {
  const { set, path } = (await places[name]?.()) ?? { set: post as never, path: "" };
  for (const [password, message] of [
    ["short", "A password must have 12 to 256 characters"],
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
  const answer = await set("paper boats sail uphill");
  expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
});
