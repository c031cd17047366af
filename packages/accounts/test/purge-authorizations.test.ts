import { createHash, randomUUID } from "node:crypto";
import { createSecret, digestSecret } from "@rowhouse/access";
import { createTestDatabase, createUser, stopClock, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decideConsent, exchangeCode, OAuthFault, purgeIdentity } from "../src/index.ts";

// The clock of the database stands still: a row at a limit is at it to the microsecond.

let test: TestDatabase;
let userId: string;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.query("insert into system.roles (name) values ('Members')");
  userId = (await createUser(test.database, "owner@example.com", "Members")).id;
  await stopClock(test.database);
});
afterAll(() => test.drop());

/** Both sides of a limit. */
const past = (limit: string) => `system.clock() - interval '${limit}'`;
const before = (limit: string) => `${past(limit)} + interval '1 microsecond'`;
const clientId = "https://agent.example/client.json";
const origin = { address: "192.0.2.1", requestId: "r", userAgent: null };

const purge = () => purgeIdentity(test.database, 30);
const insert = (table: string, values: Readonly<Record<string, string>>) =>
  test.database.query(
    `insert into system.${table} (${Object.keys(values).join(", ")}) values (${Object.values(values).join(", ")})`,
  );
/** Names of the rows that a table has. */
const names = async (table: string, column: string, like: string): Promise<readonly string[]> => {
  const rows = await test.database.query<{ name: string }>(
    `select ${column} as name from system.${table} where ${column} like '${like}%' order by 1`,
  );
  return rows.map(({ name }) => name.slice(like.length));
};
const consent = async (name: string, values: Readonly<Record<string, string>> = {}) => {
  const id = randomUUID();
  const client = JSON.stringify({ id: clientId, name: "Agent", uri: null, kind: "DOCUMENT" });
  await insert("tokens", {
    ...{ id: `'${id}'`, user_id: `'${userId}'`, name: `'${name}'`, plane: "'api'" },
    ...{ lifetime_days: "365", expires_at: "system.clock() + interval '365 days'" },
    ...{ client: `'${client}'`, scopes: "'{read}'" },
    ...values,
  });
  return id;
};
const addCode = (tokenId: string, values: Readonly<Record<string, string>>) =>
  insert("authorization_codes", {
    ...{ digest: `'${digestSecret(createSecret("LINK"))}'`, token_id: `'${tokenId}'` },
    ...{ client_id: `'${clientId}'`, redirect_uri: "'http://127.0.0.1/back'" },
    code_challenge: "'c'",
    ...values,
  });

describe("the hourly purge", () => {
  it("deletes a consent whose code no client used a day after the code expired, and not before", async () => {
    const day = "1 day";
    await addCode(await consent("code: a day"), { expires_at: past(day) });
    await addCode(await consent("code: almost a day"), { expires_at: before(day) });
    await addCode(await consent("code: open"), {
      expires_at: "system.clock() + interval '1 minute'",
    });
    const used = await consent("code: used");
    await addCode(used, { expires_at: past(day), used_at: past("2 days") });
    await addCode(await consent("code: revoked", { revoked_at: past(day) }), {
      expires_at: past(day),
    });
    await consent("code: none");
    await purge();
    expect(await names("tokens", "name", "code: ")).toEqual([
      "almost a day",
      "none",
      "open",
      "revoked",
      "used",
    ]);
    const left = await test.database.query<{ name: string }>(
      `select t.name from system.authorization_codes c join system.tokens t on t.id = c.token_id
       where t.name like 'code: %' order by 1`,
    );
    // A used code stays for a day, so that a second use is noticed.
    expect(left.map(({ name }) => name)).toEqual(["code: almost a day", "code: open"]);
  });

  it("deletes an access token when it expires, and no secret of the same age that a person made", async () => {
    const id = await consent("secrets");
    const own = await consent("own", { client: "null", scopes: "null" });
    const secret = (tokenId: string, expiresAt: string, values = {}) =>
      insert("token_secrets", {
        digest: `'${digestSecret(createSecret("TOKEN"))}'`,
        token_id: `'${tokenId}'`,
        ...{ expires_at: expiresAt, is_current: "null", audience: "'mcp'" },
        ...values,
      });
    await secret(id, "system.clock()");
    await secret(id, before("0 seconds"));
    await secret(own, "system.clock()", { is_current: "true", audience: "null" });
    await purge();
    const left = await test.database.query<{ name: string; is_open: boolean }>(
      `select t.name, s.expires_at > system.clock() as is_open
       from system.token_secrets s join system.tokens t on t.id = s.token_id order by 1`,
    );
    expect(left).toEqual([
      { name: "own", is_open: false },
      { name: "secrets", is_open: true },
    ]);
  });

  it("deletes a refresh token 30 days after its use; one that was never used stays with its consent", async () => {
    const add = async (name: string, usedAt: string) =>
      insert("refresh_tokens", {
        digest: `'${digestSecret(createSecret("REFRESH"))}'`,
        token_id: `'${await consent(`refresh: ${name}`)}'`,
        ...{ used_at: usedAt, created_at: past("300 days") },
      });
    await add("30 days", past("30 days"));
    await add("almost 30 days", before("30 days"));
    await add("unused", "null");
    await insert("refresh_tokens", {
      digest: `'${digestSecret(createSecret("REFRESH"))}'`,
      token_id: `'${await consent("refresh: of an old consent", { revoked_at: past("30 days") })}'`,
    });
    await purge();
    const left = await test.database.query<{ name: string }>(
      "select t.name from system.refresh_tokens r join system.tokens t on t.id = r.token_id order by 1",
    );
    expect(left.map(({ name }) => name)).toEqual(["refresh: almost 30 days", "refresh: unused"]);
  });

  it("deletes a registered client after a day without a consent, or 90 days after the last, once no token of it is left", async () => {
    const add = async (name: string, createdAt: string, lastUsedAt = "null") => {
      const id = `rhc_${createHash("sha256").update(name).digest("hex").slice(0, 30)}`;
      await insert("oauth_clients", {
        ...{ id: `'${id}'`, name: `'client: ${name}'`, redirect_uris: "'{http://127.0.0.1/back}'" },
        ...{ created_at: createdAt, last_used_at: lastUsedAt },
      });
      return id;
    };
    const withToken = async (id: string, name: string, values = {}) =>
      consent(name, { client: `'${JSON.stringify({ id, name, kind: "REGISTERED" })}'`, ...values });
    await add("unused for a day", past("1 day"));
    await add("unused for almost a day", before("1 day"));
    await add("used 90 days ago", past("91 days"), past("90 days"));
    await add("used almost 90 days ago", past("91 days"), before("90 days"));
    await add("older than a day, used now", past("1 day"), "system.clock()");
    await withToken(await add("with a token", past("91 days"), past("90 days")), "of a client");
    // The token is purged in the same hour, and the client with it or an hour later.
    const ended = { revoked_at: past("30 days") };
    const id = await add("with an ended token", past("91 days"), past("90 days"));
    await withToken(id, "of an ended client", ended);
    await purge();
    await purge();
    expect(await names("oauth_clients", "name", "client: ")).toEqual([
      "older than a day, used now",
      "unused for almost a day",
      "used almost 90 days ago",
      "with a token",
    ]);
  });
});

describe("a new consent", () => {
  const verifier = "v".repeat(43);
  const decide = (name: string, owner = userId) =>
    decideConsent(
      test.database,
      {
        publicUrl: async () => "https://rowhouse.example",
        readDocument: async () => ({
          ...{ id: clientId, name: "Agent", uri: null, kind: "DOCUMENT" },
          redirectUris: ["http://127.0.0.1/back"],
        }),
      },
      { scopes: ["read"], registration: false },
      {
        ...{ clientId, redirectUri: "http://127.0.0.1/back", responseType: "code" },
        codeChallenge: createHash("sha256").update(verifier).digest("base64url"),
        codeChallengeMethod: "S256",
      },
      { decision: "APPROVE", scopes: ["read"], name, days: 30 },
      { userId: owner, origin },
    );
  const exchange = (address: string) =>
    exchangeCode(
      test.database,
      {
        ...{ clientId, redirectUri: "http://127.0.0.1/back", codeVerifier: verifier },
        code: new URL(address).searchParams.get("code") ?? "",
      },
      origin,
    );

  it("frees the names of the same person's consents whose code expired unused, and no other", async () => {
    const other = (await createUser(test.database, "other@example.com", "Members")).id;
    await addCode(await consent("new: expired"), { expires_at: "system.clock()" });
    await addCode(await consent("new: open"), { expires_at: before("0 seconds") });
    await addCode(await consent("new: of another", { user_id: `'${other}'` }), {
      expires_at: "system.clock()",
    });
    await addCode(await consent("new: used"), {
      ...{ expires_at: "system.clock()", used_at: "system.clock()" },
    });
    await expect(decide("new: open")).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(decide("new: used")).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await exchange(await decide("new: expired"))).scope).toBe("read");
    expect(await names("tokens", "name", "new: ")).toEqual([
      "expired",
      "of another",
      "open",
      "used",
    ]);
  });

  it("does not bring back a code that was purged: its exchange is refused", async () => {
    const address = await decide("purged code");
    await test.database.query(
      `update system.authorization_codes c set expires_at = ${past("1 day")}
       from system.tokens t where t.id = c.token_id and t.name = 'purged code'`,
    );
    await purge();
    await expect(exchange(address)).rejects.toBeInstanceOf(OAuthFault);
    expect(await names("tokens", "name", "purged code")).toEqual([]);
  });
});
