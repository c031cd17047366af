// Tier: long. Waits for the proofs of running exports.
import type { GrantInput } from "@rowhouse/access";
import {
  createRole,
  createTestDatabase,
  createToken,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { grant } from "./engine.ts";
import { createExporter, type Opened } from "./exporter.ts";

let test: TestDatabase;
let exporter: ReturnType<typeof createExporter>;
let roleId: string;
const rowCount = 60_000;

beforeAll(async () => {
  test = await createTestDatabase();
  exporter = createExporter(test.database);
  roleId = await createRole(test.database, "Readers");
  await test.database.query(`
    create table public.large (id int primary key, owner text, label text);
    insert into public.large select n, 'us', repeat(md5(n::text), 8) from generate_series(1, ${rowCount}) n`);
  await expose(test.database, "public", "large", "GET");
  await giveRead({ rowFilter: { owner: { _eq: "us" } } });
});
afterAll(() => test.drop());
afterEach(async () => {
  await test.database.query("delete from system.grants");
  await giveRead({ rowFilter: { owner: { _eq: "us" } } });
});

const giveRead = (terms: Partial<GrantInput>) =>
  grant(test.database, exporter.snapshots, roleId, "public/large", { action: "READ", ...terms });

/** To rows that nobody owns. */
async function giveOtherRows(): Promise<unknown> {
  await test.database.query("delete from system.grants");
  return giveRead({ rowFilter: { owner: { _eq: "them" } } });
}

let users = 0;
const newUser = () => {
  users += 1;
  return createUser(test.database, `reader${users}@example.com`, "Readers");
};

/** Reads slowly, one part every 100 ms, and returns the number of bytes after the change; null for the whole file. */
async function readDuring(
  { body }: Opened,
  change: () => Promise<unknown>,
  whole = false,
): Promise<"BROKEN" | "WHOLE"> {
  const reader = body.getReader();
  await reader.read();
  await change();
  const changedAt = performance.now();
  try {
    for (;;) {
      const { done } = await reader.read();
      if (done) return "WHOLE";
      // A reader that takes little: the file must outlast the next proofs.
      const isOver = whole && performance.now() - changedAt > 2500;
      if (!isOver) await new Promise((resolve) => setTimeout(resolve, 250));
    }
  } catch {
    return "BROKEN";
  }
}

const sql = (text: string) => (user: TestUser) => test.database.query(text, [user.id]);
const endToken = sql("delete from system.tokens where user_id = $1::text::uuid");
const soon = "system.clock() + interval '0.5 s'";
const ended = "AUTHENTICATION_REQUIRED";
const changes: [string, (user: TestUser) => Promise<unknown>, string][] = [
  [
    "the account is deactivated",
    sql("update system.users set active = false where id = $1::text::uuid"),
    ended,
  ],
  [
    "the session is ended",
    sql("delete from system.sessions where user_id = $1::text::uuid"),
    ended,
  ],
  [
    "the session expires",
    sql(`update system.sessions set expires_at = ${soon} where user_id = $1::text::uuid`),
    ended,
  ],
  [
    "the last membership ends",
    sql("delete from system.role_members where user_id = $1::text::uuid"),
    ended,
  ],
  ["the grant shows other rows", giveOtherRows, "ACTION_DENIED"],
  ["the grant ends", () => test.database.query("delete from system.grants"), "NOT_FOUND"],
];
const tokenChanges: [string, (user: TestUser) => Promise<unknown>][] = [
  ["is revoked", endToken],
  [
    "expires",
    sql(
      `update system.token_secrets s set expires_at = ${soon} from system.tokens t where t.id = s.token_id and t.user_id = $1::text::uuid`,
    ),
  ],
];

describe("a running export", () => {
  it.each(changes)("breaks off when %s", async (_, change, code) => {
    const user = await newUser();
    const opened = await exporter.open(user, "public/large", "", "NDJSON");
    expect(await readDuring(opened, () => change(user))).toBe("BROKEN");
    expect(opened.broken).toMatchObject([{ code }]);
  });

  it.each(tokenChanges)("breaks off when its token %s", async (_, change) => {
    const user = await newUser();
    const { secret } = await createToken(test.database, user.id, "api");
    const opened = await exporter.open({ ...user, secret }, "public/large", "", "CSV");
    expect(await readDuring(opened, () => change(user))).toBe("BROKEN");
    expect(opened.broken).toMatchObject([{ code: ended }]);
  });

  it("goes on while the catalogue and the rights of others change", async () => {
    const user = await newUser();
    const other = await newUser();
    await createToken(test.database, other.id, "api");
    const opened = await exporter.open(user, "public/large", "", "CSV");
    const change = async () => {
      await test.database.query("create table public.staging (id int)");
      await test.database.query("drop table public.staging");
      await endToken(other);
    };
    expect(await readDuring(opened, change, true)).toBe("WHOLE");
    expect(opened.broken).toEqual([]);
  });
});
