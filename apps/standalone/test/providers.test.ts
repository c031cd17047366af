// Tiers: usual, topologies.
import { createUser, moveClock } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  clientId,
  clientSecret,
  type MisbehavingProvider,
  type Say,
  startMisbehavingProvider,
} from "./misbehaving-provider.ts";
import { type RealProvider, startRealProvider } from "./real-provider.ts";
import { openTestEnvironment, publicUrl, type TestEnvironment } from "./test-environment.ts";

let environment: TestEnvironment;
let bad: MisbehavingProvider;
let real: RealProvider;
let roleId: string;

beforeAll(async () => {
  environment = await openTestEnvironment();
  bad = await startMisbehavingProvider();
  real = await startRealProvider([`${publicUrl}/api/auth/oauth/real/callback`]);
  const [role] = await environment.test.database.query<{ id: string }>(
    "select id from system.roles where name = 'Members'",
  );
  roleId = role?.id ?? "";
  // These hosts are on this machine.
  const hosts = [bad.issuer, real.issuer].map((issuer) => new URL(issuer).host);
  await environment.set("auth.provider_hosts", hosts);
  await add({ key: "real", kind: "oidc", issuer: real.issuer, roleId });
  await add({ key: "bad", kind: "oidc", issuer: bad.issuer, roleId });
  await add({ key: "hub", kind: "github", issuer: bad.issuer, roleId });
});
afterAll(async () => {
  await real.stop();
  await bad.stop();
  await environment.stop();
});

const add = async (data: object) => {
  const answer = await environment.ask("POST", "/admin/api/auth-providers", {
    as: environment.admin.secret,
    body: { data: { name: "Some provider", clientId, clientSecret, ...data } },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data as { id: string };
};

/** A browser that has started a flow: the redirect target, and its cookie. */
interface Begun {
  readonly key: string;
  readonly url: URL;
  readonly cookie: string;
}
const cookieOf = (headers: Headers) => (headers.get("set-cookie") ?? "").split(";")[0] ?? "";
const begin = async (key: string, query = ""): Promise<Begun> => {
  const answer = await environment.ask("GET", `/api/auth/oauth/${key}${query}`);
  expect(answer.status, answer.text).toBe(302);
  expect(answer.headers.get("set-cookie")).toMatch(
    /^__Host-rowhouse_sign_in=\w+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  return {
    key,
    url: new URL(answer.headers.get("location") ?? ""),
    cookie: cookieOf(answer.headers),
  };
};
/** Returns from the provider; returns the parameters of the next page. */
const comeBack = async (begun: Begun, query: Record<string, string>, cookie = begun.cookie) => {
  const answer = await environment.ask(
    "GET",
    `/api/auth/oauth/${begun.key}/callback?${new URLSearchParams(query)}`,
    { headers: { Cookie: cookie } },
  );
  expect(answer.status, answer.text).toBe(302);
  const url = new URL(answer.headers.get("location") ?? "");
  expect(url.origin + url.pathname).toBe(`${publicUrl}/admin/auth/complete`);
  expect(url.search).toBe("");
  return Object.fromEntries(new URLSearchParams(url.hash.slice(1)));
};
const stateOf = (begun: Begun) => begun.url.searchParams.get("state") ?? "";
/** One whole sign-in through the misbehaving provider. */
const trySaying = async (what: Say, key = "bad") => {
  const begun = await begin(key);
  bad.say(begun.url.searchParams.get("nonce") ?? "", what);
  return comeBack(begun, { code: "c", state: stateOf(begun) });
};
const exchange = (code: unknown) =>
  environment.ask("POST", "/api/auth/oauth/exchange", { body: { code } });
const accounts = async () =>
  environment.test.database.query(
    "select issuer, subject from system.provider_accounts order by 1, 2",
  );

describe("sign-in through a real OpenID provider", () => {
  it("uses PKCE, state and nonce, and ends in a session for a one-time code", async () => {
    const begun = await begin("real", "?return_to=%2Fadmin%2Ftables");
    const asked = begun.url.searchParams;
    expect(asked.get("code_challenge_method")).toBe("S256");
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(asked.get(name)?.length).toBeGreaterThan(20);
    }
    const back = await signInAt(begun.url, "ada");
    const page = await comeBack(begun, Object.fromEntries(back.searchParams));
    expect(page.return_to).toBe("/admin/tables");
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(page.code)));
    const entered = answers.filter((answer) => answer.status === 200);
    expect(entered).toHaveLength(1);
    const { token, user } = entered[0]?.body.data ?? {};
    expect(user).toMatchObject({ email: "ada@example.com", name: "Ada" });
    const me = await environment.ask("GET", "/api/auth/me", { as: token });
    expect(me.body.data.roles).toMatchObject([{ name: "Members" }]);
    const sessions = await environment.ask("GET", "/api/auth/sessions", { as: token });
    expect(sessions.body.data).toMatchObject([{ method: "provider:real", current: true }]);

    // The same person gets the same account again.
    const again = await begin("real");
    const second = await signInAt(again.url, "ada");
    const { code } = await comeBack(again, Object.fromEntries(second.searchParams));
    expect((await exchange(code)).body.data.user.id).toBe(user.id);
  });

  it("rejects an address that the provider has not verified, and one that an account has", async () => {
    const refusals: unknown[] = [];
    await createUser(environment.test.database, "taken@example.com", "Members");
    for (const subject of ["unverified", "taken"]) {
      const begun = await begin("real");
      const back = await signInAt(begun.url, subject);
      refusals.push(await comeBack(begun, Object.fromEntries(back.searchParams)));
    }
    expect(refusals).toEqual([{ error: "unverified" }, { error: "account_exists" }]);
  });

  it("rejects a code with the PKCE verifier of another flow", async () => {
    const [first, second] = [await begin("real"), await begin("real")];
    const back = await signInAt(first.url, "eve");
    const query = Object.fromEntries(back.searchParams);
    const page = await comeBack(second, { ...query, state: stateOf(second) });
    expect(page).toEqual({ error: "provider_failed" });
  });
});

describe("a misbehaving provider (id_token with wrong issuer, audience, nonce, algorithm, unverified address)", () => {
  it.each<[string, Say]>([
    ["another issuer", { issuer: "https://evil.example" }],
    ["another audience", { audience: "another-client" }],
    ["another nonce", { nonce: "x".repeat(43) }],
    ["no nonce", { nonce: null }],
    ["no signature", { signature: "none" }],
    ["a signature with the client's secret", { signature: "HS256 with the client's secret" }],
    ["a signature of another key", { signature: "another key" }],
    ["an expired token", { expiresIn: -3600 }],
    ["a token from the future", { issuedIn: 120 }],
    ["a subject that cannot be stored", { subject: "a\u0000b" }],
    ["an empty subject", { subject: "" }],
    ["a blank subject", { subject: " \t" }],
    ["a subject of 256 characters", { subject: "s".repeat(256) }],
    ["no subject", { subject: null }],
    ["a number as the subject", { subject: 7 }],
    ["a list as the subject", { subject: ["guest"] }],
    ["an invalid address", { subject: "odd", email: "no address" }],
  ])("that sends %s signs no user in and links no account", async (_name, what) => {
    const before = await accounts();
    expect(await trySaying(what)).toEqual({ error: "provider_failed" });
    expect(await accounts()).toEqual(before);
  });

  it.each([[false], ["false"], ["True"], [1], [null], ["absent"]])(
    "whose address is verified %j creates no account",
    async (emailVerified) => {
      const before = await accounts();
      const page = await trySaying({ emailVerified, subject: "nobody" });
      expect(page).toEqual({ error: "unverified" });
      expect(await accounts()).toEqual(before);
    },
  );

  it("whose clock is half a minute ahead signs users in", async () => {
    const ahead = { subject: "ahead", email: "ahead@example.com", issuedIn: 30 };
    expect(await trySaying(ahead)).toHaveProperty("code");
  });

  it("whose metadata name another issuer is not used", async () => {
    const { id } = await add({ key: "posing", kind: "oidc", issuer: `${bad.issuer}/tenant` });
    const answer = await environment.ask("GET", "/api/auth/oauth/posing");
    expect(answer.faults).toEqual(["SERVICE_UNAVAILABLE"]);
    expect(answer.headers.get("location")).toBeNull();
    await environment.ask("DELETE", `/admin/api/auth-providers/${id}`, {
      as: environment.admin.secret,
    });
  });

  it("sends the verifier of its own flow, and redirects a canceled sign-in to a page", async () => {
    const begun = await begin("bad");
    bad.say(begun.url.searchParams.get("nonce") ?? "", { subject: "ok", email: "ok@example.com" });
    expect(await comeBack(begun, { code: "c", state: stateOf(begun) })).toHaveProperty("code");
    expect(bad.lastForm().get("code_verifier")?.length).toBeGreaterThan(40);
    expect(bad.lastForm().get("redirect_uri")).toBe(`${publicUrl}/api/auth/oauth/bad/callback`);
    const cancelled = await begin("bad");
    const query = { error: "access_denied", state: stateOf(cancelled) };
    expect(await comeBack(cancelled, query)).toEqual({ error: "canceled" });
  });

  it("that sends a verified address as text signs a new user in", async () => {
    const what = { emailVerified: "true", subject: "texts", email: "texts@example.com" };
    expect(await trySaying(what)).toHaveProperty("code");
  });

  it("that says nothing about the address signs in whom it is linked to, and nobody else", async () => {
    const known = { subject: "entra", email: "entra@example.com" };
    expect(await trySaying(known)).toHaveProperty("code");
    for (const emailVerified of ["absent", false, null]) {
      expect(await trySaying({ ...known, emailVerified })).toHaveProperty("code");
    }
    expect(await trySaying({ ...known, subject: "posing", emailVerified: "absent" })).toEqual({
      error: "unverified",
    });
  });
});

describe("a signing key of a provider", () => {
  let serial = 0;
  const signIn = (what: Say = {}) => {
    serial += 1;
    return trySaying({ subject: `key ${serial}`, email: `key${serial}@example.com`, ...what });
  };

  it("is loaded at its first use, however recently the others were loaded", async () => {
    for (let rotation = 0; rotation < 3; rotation += 1) {
      expect(await signIn()).toHaveProperty("code");
      await bad.rotate();
    }
    expect(await signIn()).toHaveProperty("code");
    const requests = bad.keyRequests();
    expect(await signIn()).toHaveProperty("code");
    expect(bad.keyRequests()).toBe(requests);
  });

  it("that replaces another one under the same id is loaded too", async () => {
    await bad.rotate("same");
    expect(await signIn()).toHaveProperty("code");
    await bad.rotate("same");
    expect(await signIn()).toHaveProperty("code");
  });

  it("that is unknown loads the keys once, and many unknown ones load them a few times", async () => {
    await signIn();
    const before = bad.keyRequests();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await signIn({ keyId: "one" })).toEqual({ error: "provider_failed" });
    }
    expect(bad.keyRequests()).toBe(before + 1);
    // A new key is still accepted.
    await bad.rotate();
    expect(await signIn()).toHaveProperty("code");
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect(await signIn({ keyId: `other ${attempt}` })).toEqual({ error: "provider_failed" });
    }
    expect(bad.keyRequests()).toBeLessThanOrEqual(before + 12);
    expect(await signIn()).toHaveProperty("code");
  });
});

describe("a provider of Google with domains", () => {
  it.each(["google", "oidc"] as const)(
    "signs in (%s) only accounts that a Workspace of the domain manages, in any case of its letters",
    async (kind) => {
      const google = await startMisbehavingProvider();
      const hosts = [bad.issuer, real.issuer, google.issuer].map((issuer) => new URL(issuer).host);
      await environment.set("auth.provider_hosts", hosts);
      const key = `google-${kind}`;
      await add({ key, kind, issuer: google.issuer, roleId, allowedDomains: ["example.com"] });
      let serial = 0;
      const enter = async (what: Say) => {
        serial += 1;
        const begun = await begin(key);
        const email = `${key}${serial}@example.com`;
        google.say(begun.url.searchParams.get("nonce") ?? "", { subject: email, email, ...what });
        return comeBack(begun, { code: "c", state: stateOf(begun) });
      };
      // Only Google has the claim; other providers are not asked for it.
      const refused = kind === "google" ? { error: "not_allowed" } : { code: expect.any(String) };
      expect(await enter({})).toEqual(refused);
      for (const hostedDomain of ["evil.example", "", "a\u0000b"]) {
        expect(await enter({ hostedDomain })).toEqual(refused);
      }
      expect(await enter({ hostedDomain: "Example.COM" })).toHaveProperty("code");
      expect(await enter({ hostedDomain: "example.com", email: "x@evil.example" })).toEqual({
        error: "not_allowed",
      });
      // Also an account that signed in before the person left the Workspace.
      const known = { subject: `${key} leaver`, email: `${key}leaver@example.com` };
      expect(await enter({ ...known, hostedDomain: "example.com" })).toHaveProperty("code");
      expect(await enter(known)).toEqual(refused);
      await google.stop();
    },
  );
});

describe("the state of a flow (reused, foreign, late)", () => {
  it("is accepted once, from the browser that started it, for its provider, and in time", async () => {
    const begun = await begin("bad");
    const other = await begin("bad");
    bad.say(begun.url.searchParams.get("nonce") ?? "", { subject: "s", email: "s@example.com" });
    const query = { code: "c", state: stateOf(begun) };
    const expired = { error: "expired" };
    expect(await comeBack(begun, query, other.cookie)).toEqual(expired);
    expect(await comeBack(begun, query, "")).toEqual(expired);
    // Any host of the domain could have set this cookie.
    const unbound = begun.cookie.replace("__Host-", "");
    expect(await comeBack(begun, query, unbound)).toEqual(expired);
    expect(await comeBack({ ...begun, key: "real" }, query)).toEqual(expired);
    expect(await comeBack(begun, { code: "c", state: "foreign" })).toEqual(expired);
    expect(await comeBack(begun, { code: "c" })).toEqual(expired);
    const results = await Promise.all(Array.from({ length: 10 }, () => comeBack(begun, query)));
    expect(results.filter((page) => "code" in page)).toHaveLength(1);
    await moveClock(environment.test.database, 601);
    const late = { code: "c", state: stateOf(other) };
    expect(await comeBack(other, late)).toEqual(expired);
    await moveClock(environment.test.database, 0);
  });

  it("returns a code that is valid for one minute", async () => {
    const { code } = await trySaying({ subject: "ok" });
    await moveClock(environment.test.database, 61);
    expect((await exchange(code)).faults).toEqual(["BODY_INVALID /code"]);
    await moveClock(environment.test.database, 0);
  });
});

describe("a return address", () => {
  it.each([
    "//evil",
    "/\\evil",
    "\\\\evil",
    "https:evil",
    "https://evil.example",
    "%2f%2fevil",
    "/%09/evil".replace("%09", "\t"),
    "javascript:alert(1)",
    "",
    // In their normal form these begin with two slashes.
    "/.//evil",
    "/admin/..//evil",
    "/%2e%2e//evil",
    "/./%2E//evil",
    // And these once they are decoded.
    "/%2fevil",
    "/%5cevil",
    "/admin/%2F..",
  ])("that leads to another origin is rejected: %j", async (path) => {
    const answer = await environment.ask(
      "GET",
      `/api/auth/oauth/bad?return_to=${encodeURIComponent(path)}`,
    );
    expect([answer.status, answer.faults]).toEqual([400, ["QUERY_INVALID return_to"]]);
  });
});

it("a return address is used in its normal form", async () => {
  const path = encodeURIComponent("/admin/./x/../tables?a=/..//b#c");
  const begun = await begin("bad", `?return_to=${path}`);
  bad.say(begun.url.searchParams.get("nonce") ?? "", { subject: "ok", email: "ok@example.com" });
  const page = await comeBack(begun, { code: "c", state: stateOf(begun) });
  expect(page.return_to).toBe("/admin/tables?a=/..//b#c");
});

it("a return address carries an authorization request of 5,000 characters, and none that is longer", async () => {
  const path = `/admin/auth/authorize?state=${"%C3%BC&".repeat(1000)}`.slice(0, 5000);
  const begun = await begin("real", `?return_to=${encodeURIComponent(path)}`);
  const back = await signInAt(begun.url, "ada");
  const page = await comeBack(begun, Object.fromEntries(back.searchParams));
  expect(page.return_to).toBe(path);
  const longer = `/api/auth/oauth/real?return_to=${encodeURIComponent(`${path}x`)}`;
  const answer = await environment.ask("GET", longer);
  expect([answer.status, answer.faults]).toEqual([400, ["QUERY_INVALID return_to"]]);
});

describe("an address of a provider that is not public", () => {
  const start = (key: string) => environment.ask("GET", `/api/auth/oauth/${key}`);

  it("is not requested unless its host is allowed", async () => {
    const inside = await startMisbehavingProvider();
    try {
      await add({ key: "inside", kind: "oidc", issuer: inside.issuer });
      await add({ key: "inside-hub", kind: "github", issuer: inside.issuer });
      expect((await start("inside")).faults).toEqual(["SERVICE_UNAVAILABLE"]);
      // GitHub has no metadata: its first request is for the token.
      const begun = await begin("inside-hub");
      const page = await comeBack(begun, { code: "c", state: stateOf(begun) });
      expect(page).toEqual({ error: "provider_failed" });
      expect(inside.requests()).toBe(0);
    } finally {
      await inside.stop();
    }
  });

  it("is not requested when an allowed provider names it in metadata or in a redirect", async () => {
    const [public_, inside] = [await startMisbehavingProvider(), await startMisbehavingProvider()];
    try {
      const hosts = [bad.issuer, real.issuer, public_.issuer].map((issuer) => new URL(issuer).host);
      await environment.set("auth.provider_hosts", hosts);
      for (const name of ["jwks_uri", "token_endpoint"]) {
        public_.metadata = { [name]: `${inside.issuer}/${name}` };
        const { id } = await add({
          key: name.replace("_", "-"),
          kind: "oidc",
          issuer: public_.issuer,
        });
        const begun = await begin(name.replace("_", "-"));
        public_.say(begun.url.searchParams.get("nonce") ?? "", { subject: name });
        const page = await comeBack(begun, { code: "c", state: stateOf(begun) });
        expect([name, page]).toEqual([name, { error: "provider_failed" }]);
        await environment.ask("DELETE", `/admin/api/auth-providers/${id}`, {
          as: environment.admin.secret,
        });
      }
      public_.movedTo = inside.issuer;
      await add({ key: "moved", kind: "oidc", issuer: public_.issuer });
      expect((await start("moved")).faults).toEqual(["SERVICE_UNAVAILABLE"]);
      expect(inside.requests()).toBe(0);
      expect(public_.requests()).toBeGreaterThan(0);
    } finally {
      await public_.stop();
      await inside.stop();
    }
  });
});

describe("a browser", () => {
  const navigate = (path: string, headers = {}) =>
    environment.ask("GET", `/api/auth/oauth/${path}`, { headers, from: "192.0.2.99" });
  const html = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const pageFor = (error: string) => [302, `${publicUrl}/admin/auth/complete#error=${error}`, ""];
  const shown = async (path: string, headers = {}) => {
    const answer = await navigate(path, headers);
    expect(answer.headers.get("content-type")).toBeNull();
    expect(answer.headers.get("x-request-id")).toBeTruthy();
    return [answer.status, answer.headers.get("location"), answer.text];
  };

  it("gets a page from the callback after any failure", async () => {
    for (const name of ["nope", "Foo_Bar", "x".repeat(300), "%C3%A9", "constructor"]) {
      const path = `${name}/callback?code=c&state=s`;
      expect([name, ...(await shown(path))]).toEqual([name, ...pageFor("unknown_provider")]);
      expect(await shown(path, html)).toEqual(pageFor("unknown_provider"));
      const program = await navigate(path, { Accept: "application/json" });
      expect([name, program.status, program.faults]).toEqual([name, 404, ["NOT_FOUND"]]);
    }
    expect(await shown("bad/callback")).toEqual(pageFor("expired"));
    await environment.set("auth.attempts_per_minute", 1);
    await navigate("bad/callback");
    expect(await shown("bad/callback")).toEqual(pageFor("rate_limited"));
    await environment.set("auth.attempts_per_minute", 100000);
  });

  it("gets a page from the start too if it accepts one, and a program gets the error", async () => {
    for (const name of ["nope", "Foo_Bar"]) {
      expect(await shown(name, html)).toEqual(pageFor("unknown_provider"));
      const head = await environment.ask("HEAD", `/api/auth/oauth/${name}`, { headers: html });
      expect([head.status, head.headers.get("location")]).toEqual(
        pageFor("unknown_provider").slice(0, 2),
      );
    }
    expect(await shown("bad?return_to=//evil", html)).toEqual(pageFor("provider_failed"));
    expect((await navigate("nope")).faults).toEqual(["NOT_FOUND"]);
    const wrong = await environment.ask("POST", "/api/auth/oauth/nope", {
      headers: html,
      body: {},
    });
    expect([wrong.status, wrong.faults]).toEqual([405, ["METHOD_NOT_ALLOWED"]]);
  });
});

describe("a return address on the error path", () => {
  it("is not used: a rejected sign-in ends on the error page only", async () => {
    const begun = await begin("bad", "?return_to=%2Fadmin%2Ftables");
    const query = { error: "access_denied", state: stateOf(begun), return_to: "//evil" };
    expect(await comeBack(begun, query)).toEqual({ error: "canceled" });
    expect(await comeBack(begun, { ...query, state: "foreign" })).toEqual({ error: "expired" });
  });
});

describe("linking", () => {
  it("requires a session, and then signs in", async () => {
    const user = await createUser(environment.test.database, "linker@example.com", "Members");
    const start = (as?: string) => environment.ask("POST", "/api/auth/oauth/bad/link", { as });
    expect((await start()).status).toBe(401);
    const answer = await start(user.secret);
    const url = new URL(answer.body.data.url);
    const begun = { key: "bad", url, cookie: cookieOf(answer.headers) };
    const nonce = url.searchParams.get("nonce") ?? "";
    bad.say(nonce, { subject: "linked", email: "x@example.com", emailVerified: false });
    expect(await comeBack(begun, { code: "c", state: stateOf(begun) })).toEqual({ linked: "bad" });
    const { code } = await trySaying({ subject: "linked", emailVerified: false });
    expect((await exchange(code)).body.data.user.id).toBe(user.id);
    await environment.test.database.query(
      `update system.users set active = false where id = '${user.id}'`,
    );
    expect(await trySaying({ subject: "linked" })).toEqual({ error: "not_allowed" });
  });
});

describe("a session that has ended", () => {
  it("links no account, even if the browser was already at the provider", async () => {
    const { database } = environment.test;
    const user = await createUser(database, "intruded@example.com", "Members");
    const answer = await environment.ask("POST", "/api/auth/oauth/bad/link", { as: user.secret });
    const url = new URL(answer.body.data.url);
    const begun = { key: "bad", url, cookie: cookieOf(answer.headers) };
    bad.say(url.searchParams.get("nonce") ?? "", { subject: "intruder", emailVerified: false });
    const path = `/admin/api/users/${user.id}/sessions`;
    expect((await environment.ask("DELETE", path, { as: environment.admin.secret })).status).toBe(
      204,
    );
    expect(await comeBack(begun, { code: "c", state: stateOf(begun) })).toEqual({
      error: "expired",
    });
    expect(await accounts()).not.toContainEqual({ issuer: bad.issuer, subject: "intruder" });
  });
});

describe("a session that was left open", () => {
  it("can neither link nor unlink an account: both require a sign-in of the last quarter of an hour", async () => {
    const { database } = environment.test;
    const user = await createUser(database, "left-open@example.com", "Members");
    await database.query(
      `insert into system.provider_accounts (issuer, subject, user_id) values ($1::text, 'left-open', $2::text::uuid)`,
      [bad.issuer, user.id],
    );
    const link = (as: string, key = "bad") =>
      environment.ask("POST", `/api/auth/oauth/${key}/link`, { as });
    const [account] = (
      await environment.ask("GET", "/api/auth/linked-accounts", { as: user.secret })
    ).body.data;
    const unlink = (as: string) =>
      environment.ask("DELETE", `/api/auth/linked-accounts/${account.id}`, { as });
    await database.query(
      `update system.sessions set created_at = system.clock() - interval '14 minutes' where user_id = '${user.id}'`,
    );
    expect((await link(user.secret)).status).toBe(200);
    await database.query(
      `update system.sessions set created_at = system.clock() - interval '15 minutes' where user_id = '${user.id}'`,
    );
    // Only signed-in callers may see whether the provider exists.
    for (const answer of [
      await link(user.secret),
      await link(user.secret, "nope"),
      await unlink(user.secret),
    ]) {
      expect([answer.status, answer.faults]).toEqual([403, ["RECENT_SIGN_IN_REQUIRED"]]);
    }
    const left = await environment.ask("GET", "/api/auth/linked-accounts", { as: user.secret });
    expect(left.body.data).toHaveLength(1);

    // The owner signs in again, at the provider if there is no password.
    const page = await trySaying({ subject: "left-open", emailVerified: false });
    const { token } = (await exchange(page.code)).body.data;
    expect((await link(token)).status).toBe(200);
    await database.query(`update system.users set password_hash = 'x' where id = '${user.id}'`);
    expect((await unlink(token)).status).toBe(204);
  });
});

describe("linked accounts", () => {
  const link = async (as: string, subject: string) => {
    const answer = await environment.ask("POST", "/api/auth/oauth/bad/link", { as });
    const url = new URL(answer.body.data.url);
    const begun = { key: "bad", url, cookie: cookieOf(answer.headers) };
    bad.say(url.searchParams.get("nonce") ?? "", { subject, emailVerified: false });
    expect(await comeBack(begun, { code: "c", state: stateOf(begun) })).toEqual({ linked: "bad" });
  };
  const list = async (as: string) =>
    (await environment.ask("GET", "/api/auth/linked-accounts", { as })).body.data as {
      id: string;
    }[];
  const unlink = async (as: string, id: string | undefined) =>
    (await environment.ask("DELETE", `/api/auth/linked-accounts/${id}`, { as })).status;
  const addPassword = (id: string) =>
    environment.test.database.query(
      `update system.users set password_hash = 'x' where id = '${id}'`,
    );

  it("can be listed and unlinked only by their owner, and then sign no user in; the audit log records it", async () => {
    const user = await createUser(environment.test.database, "unlinker@example.com", "Members");
    await addPassword(user.id);
    await link(user.secret, "unlinked");
    const [account] = await list(user.secret);
    expect(account).toMatchObject({ issuer: bad.issuer });
    expect(JSON.stringify(account)).not.toContain("unlinked");
    expect(await list(environment.member.secret)).toEqual([]);
    expect(await unlink(environment.member.secret, account?.id)).toBe(404);
    const page = await trySaying({ subject: "unlinked", emailVerified: false });
    const { token } = (await exchange(page.code)).body.data;
    const waiting = await trySaying({ subject: "unlinked", emailVerified: false });

    expect(await unlink(user.secret, account?.id)).toBe(204);
    expect(await unlink(user.secret, account?.id)).toBe(404);
    expect(await list(user.secret)).toEqual([]);
    // Sessions that started there end, and so does a sign-in that is under way.
    expect((await environment.ask("GET", "/api/auth/me", { as: token })).status).toBe(401);
    expect((await exchange(waiting.code)).status).toBe(400);
    expect((await environment.ask("GET", "/api/auth/me", { as: user.secret })).status).toBe(200);
    const refused = await trySaying({ subject: "unlinked", emailVerified: false });
    expect(refused).toEqual({ error: "unverified" });
    const path = `/admin/api/audit-log?action=user.unlink_provider&actorUserId=${user.id}`;
    const log = await environment.ask("GET", path, { as: environment.admin.secret });
    expect(log.body.data).toMatchObject([{ actorUserId: user.id, targetId: user.id }]);
  });

  it("are never unlinked if they are the last way to sign in, even by two concurrent requests", async () => {
    const user = await createUser(environment.test.database, "last-way@example.com", "Members");
    await link(user.secret, "first-way");
    const [only] = await list(user.secret);
    const refused = await environment.ask("DELETE", `/api/auth/linked-accounts/${only?.id}`, {
      as: user.secret,
    });
    expect([refused.status, refused.faults]).toEqual([409, ["CONFLICT"]]);
    await link(user.secret, "second-way");
    const both = await list(user.secret);
    const statuses = await Promise.all(both.map(({ id }) => unlink(user.secret, id)));
    expect(statuses.sort()).toEqual([204, 409]);
    const [left] = await list(user.secret);
    await addPassword(user.id);
    expect(await unlink(user.secret, left?.id)).toBe(204);
  });

  it("of a provider that is disabled do not count as a way to sign in", async () => {
    const off = await add({ key: "off", kind: "oidc", issuer: "https://off.example.com" });
    const user = await createUser(environment.test.database, "off-way@example.com", "Members");
    await link(user.secret, "on-way");
    await environment.test.database.query(
      `insert into system.provider_accounts (issuer, subject, user_id)
       values ('https://off.example.com', 'x', '${user.id}')`,
    );
    const patched = await environment.ask("PATCH", `/admin/api/auth-providers/${off.id}`, {
      as: environment.admin.secret,
      body: { data: { enabled: false } },
    });
    expect(patched.status).toBe(200);
    const accountsNow = await list(user.secret);
    const living = accountsNow.find((account) => JSON.stringify(account).includes(bad.issuer));
    expect(await unlink(user.secret, living?.id)).toBe(409);
  });
});

describe("GitHub", () => {
  it("signs users in by their number and the primary verified address", async () => {
    bad.github.emails = [
      { email: "second@example.com", primary: false, verified: true },
      { email: "octo@example.com", primary: true, verified: false },
    ];
    expect(await trySaying({}, "hub")).toEqual({ error: "unverified" });
    bad.github.emails = [{ email: "octo@example.com", primary: true, verified: true }];
    const { code } = await trySaying({}, "hub");
    const entered = await exchange(code);
    expect(entered.body.data.user).toMatchObject({ email: "octo@example.com", name: "octo" });
    expect(await accounts()).toContainEqual({ issuer: bad.issuer, subject: "7" });
  });
});

describe("providers", () => {
  it("are offered to everyone without secrets, and stored encrypted", async () => {
    const offered = await environment.ask("GET", "/api/auth/providers");
    expect(offered.body.data).toContainEqual({ key: "real", name: "Some provider", kind: "oidc" });
    const list = await environment.ask("GET", "/admin/api/auth-providers", {
      as: environment.admin.secret,
    });
    const rows = await environment.test.database.query("select * from system.auth_providers");
    for (const text of [offered.text, list.text, JSON.stringify(rows)]) {
      expect(text).not.toContain(clientSecret);
    }
  });

  it("restrict users to their domains, and create no account without a role", async () => {
    const { id } = await add({
      key: "strict",
      kind: "oidc",
      issuer: bad.issuer,
      allowedDomains: ["corp.example"],
    });
    const guest = { subject: "d1", email: "d1@corp.example" };
    expect(await trySaying(guest, "strict")).toEqual({ error: "not_allowed" });
    const patch = (data: object) =>
      environment.ask("PATCH", `/admin/api/auth-providers/${id}`, {
        as: environment.admin.secret,
        body: { data },
      });
    expect((await patch({ roleId })).status).toBe(200);
    const outside = { subject: "d2", email: "d2@evil-corp.example" };
    expect(await trySaying(outside, "strict")).toEqual({ error: "not_allowed" });
    expect(await trySaying(guest, "strict")).toHaveProperty("code");
    expect((await patch({ enabled: false })).body.data.enabled).toBe(false);
    expect((await environment.ask("GET", "/api/auth/oauth/strict")).status).toBe(404);
    for (const unknown of ["nope", "%00"]) {
      expect((await environment.ask("GET", `/api/auth/oauth/${unknown}`)).status).toBe(404);
    }
    const [admins] = await environment.test.database.query<{ id: string }>(
      "select id from system.roles where is_administrators",
    );
    expect((await patch({ roleId: admins?.id })).faults).toEqual(["VALUE_INVALID /data/roleId"]);
    expect((await patch({ issuer: "http://evil.example" })).faults).toEqual([
      "BODY_INVALID /data/issuer",
    ]);
    const gone = await environment.ask("DELETE", `/admin/api/auth-providers/${id}`, {
      as: environment.admin.secret,
    });
    expect(gone.status).toBe(204);
  });
});

/** Signs in at the real provider as a browser does; returns the URL that it redirects the browser to. */
async function signInAt(start: URL, subject: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 12; step += 1) {
    const answer = await fetch(url, {
      redirect: "manual",
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: form }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
      cookies.set(name, value);
    }
    form = undefined;
    const location = answer.headers.get("location");
    if (location !== null) {
      url = new URL(location, url);
      if (url.href.startsWith(publicUrl)) return url;
      continue;
    }
    const page = await answer.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (action === undefined || prompt === undefined) throw new Error(`No form: ${page}`);
    url = new URL(action, url);
    form = new URLSearchParams({ prompt, login: subject, password: "any" });
  }
  throw new Error("The provider redirected the browser in a loop");
}
