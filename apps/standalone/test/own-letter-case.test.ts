// Tier: all. A database of its own, with all migrations.
import { migrate } from "@rowhouse/db";
import {
  createTestDatabase,
  signIn,
  startTestEnvironment,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "./client.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ login: "owner", locale: "tr-TR" });
});
afterAll(() => test.drop());

describe("a database of the locale tr-TR", () => {
  it("folds I to another letter itself", async () => {
    const [row] = await test.database.query<{ own: string; folded: string }>(
      "select lower('INFO') as own, system.fold('INFO') as folded",
    );
    expect(row).toEqual({ own: "ınfo", folded: "info" });
  });

  it("signs people in, refuses a second account, role or token, finds names and names triggers as any other does", async () => {
    const installation = await startTestEnvironment({ test });
    try {
      const client = createClient(installation);
      const as = await client.signIn({ ...signIn, email: signIn.email.toUpperCase() });
      const post = (path: string, data: object) =>
        client.ask("POST", `/admin/api${path}`, { as, body: { data } });
      const refused = async (path: string, data: object) =>
        (await post(path, data)).body.errors?.[0]?.code;
      expect((await post("/users", { email: "info@example.com", name: "INFO" })).status).toBe(201);
      expect(await refused("/users", { email: "INFO@EXAMPLE.COM", name: "Two" })).toBe("CONFLICT");
      expect((await post("/roles", { name: "Kiosk II" })).status).toBe(201);
      expect(await refused("/roles", { name: "KIOSK ii" })).toBe("CONFLICT");
      const me = await client.ask("GET", "/api/auth/me", { as });
      const token = { userId: me.body.data.id, plane: "api", lifetime: 30 };
      expect((await post("/tokens", { ...token, name: "Ci" })).status).toBe(201);
      expect(await refused("/tokens", { ...token, name: "CI" })).toBe("CONFLICT");
      const found = await client.ask("GET", "/admin/api/users?search=info", { as });
      expect(found.body.data).toHaveLength(1);
      const { body } = await client.ask("GET", "/admin/api/roles?search=kiosk%20ii", { as });
      expect(body.data).toHaveLength(1);
      await test.database.query("create table public.seen (id int primary key)");
      const { body: resources } = await client.ask("GET", "/admin/api/resources?search=seen", {
        as,
      });
      const path = `/admin/api/resources/${resources.data[0].id}`;
      const changed = await client.ask("PATCH", path, { as, body: { data: { history: true } } });
      expect(changed.status).toBe(200);
      const triggers = await test.database.query<{ name: string }>(
        "select tgname as name from pg_trigger where tgrelid = 'public.seen'::regclass order by 1",
      );
      expect(triggers).toHaveLength(4);
      expect(triggers.filter(({ name }) => !/^[ -~]+$/.test(name))).toEqual([]);
    } finally {
      await installation.stop();
    }
  });
});

describe("a database with records that differ only in the case of letters", () => {
  it("is not migrated, and the start names them", async () => {
    const old = await createTestDatabase({ login: "owner", locale: "tr-TR" });
    try {
      // As it was before the migration, but for the functions that it creates and for what later migrations add.
      await old.database.query(
        `delete from system.migrations where number = 65;
         drop function system.fold cascade;
         create unique index users_email_key on system.users (lower(email));
         create unique index roles_name_key on system.roles (lower(name));
         create unique index tokens_name_key on system.tokens (user_id, lower(name));
         create unique index invitations_open on system.invitations (lower(email)) where digest is not null;
         insert into system.users (email, name) values ('info@example.com', 'a'), ('INFO@example.com', 'b')`,
      );
      await expect(migrate(old.database)).rejects.toThrow(
        /differ only in the case of letters \(accounts (?:INFO|info)@example\.com \([^)]+\), (?:INFO|info)@example\.com/,
      );
      await old.database.query("delete from system.users where email = 'INFO@example.com'");
      expect(await migrate(old.database)).toContain("0065_own_letter_case.sql");
    } finally {
      await old.drop();
    }
  });
});
