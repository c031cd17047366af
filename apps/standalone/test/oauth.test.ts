// Tiers: usual, topologies.
import * as oidc from "openid-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listTools, useTool } from "./mcp-call.ts";
import { connectMcp } from "./mcp-client.ts";
import {
  askFor,
  type ClientHost,
  connectOfficialClient,
  decide,
  discover,
  redirectUri,
  startClientHost,
} from "./oauth-client.ts";
import { openTestEnvironment, publicUrl, type TestEnvironment } from "./test-environment.ts";

// OAuth clients of the MCP server: openid-client as an honest one and as a hostile one, and raw requests for what it
// refuses to send.

let environment: TestEnvironment;
let clients: ClientHost;
let config: oidc.Configuration;
beforeAll(async () => {
  environment = await openTestEnvironment();
  clients = await startClientHost();
  for (const key of ["mcp.enabled", "mcp.oauth"]) await environment.set(key, true);
  await environment.set("mcp.access", "READ_WRITE");
  await environment.set("mcp.client_hosts", [clients.host]);
  config = await discover(environment, clients.idOf("agent"));
});
afterAll(async () => {
  await clients.stop();
  await environment.stop();
});

const form = (parameters: Record<string, string>) => ({
  raw: new URLSearchParams(parameters).toString(),
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
});
const send = (parameters: Record<string, string>, path = "/oauth/token") =>
  environment.ask("POST", path, form(parameters));
const tools = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const mcp = async (secret: string) =>
  (
    await environment.ask("POST", "/mcp", {
      as: secret,
      body: tools,
      headers: {
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-11-25",
      },
    })
  ).status;
const preview = (request: object, as = environment.member.secret) =>
  environment.ask("POST", "/api/auth/authorizations/preview", { as, body: request });

/** An approved request, up to the redirect. */
const approve = async (decision: object = {}, changes: Record<string, string> = {}) => {
  const asked = await askFor(config, changes);
  const answer = await decide(environment, asked, decision);
  expect(answer.status, answer.text).toBe(200);
  return { ...asked, callback: new URL(answer.body.data.redirectTo) };
};
const redeem = ({ callback, verifier, state }: Awaited<ReturnType<typeof approve>>) =>
  oidc.authorizationCodeGrant(
    config,
    callback,
    { pkceCodeVerifier: verifier, expectedState: state },
    { resource: `${publicUrl}/mcp` },
  );
const connect = async (decision: object = {}) => redeem(await approve(decision));
const tokens = async (query = "") =>
  (await environment.ask("GET", `/api/auth/tokens${query}`, { as: environment.member.secret })).body
    .data as { id: string; name: string; state: string; client: { id: string } | null }[];
/** Runs something when the clocks are ahead. */
const later = async <Result>(seconds: number, work: () => Promise<Result>): Promise<Result> => {
  await environment.moveTime(seconds);
  try {
    return await work();
  } finally {
    await environment.moveTime(0);
  }
};
const stateOf = async (name: string) => (await tokens()).find((t) => t.name === name)?.state;
const formOfCode = ({ callback, verifier }: Awaited<ReturnType<typeof approve>>) => ({
  grant_type: "authorization_code",
  client_id: clients.idOf("agent"),
  code: callback.searchParams.get("code") ?? "",
  redirect_uri: redirectUri,
  code_verifier: verifier,
});

describe("an honest client", () => {
  it("finds the authorization server from the refusal of the MCP server", async () => {
    const refused = await environment.ask("POST", "/mcp", { body: tools });
    expect(refused.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`,
    );
    const described = await environment.ask("GET", "/.well-known/oauth-protected-resource/mcp");
    expect(described.body).toEqual({
      resource: `${publicUrl}/mcp`,
      resource_name: "Rowhouse",
      authorization_servers: [publicUrl],
      scopes_supported: ["read", "write"],
      bearer_methods_supported: ["header"],
    });
    expect(config.serverMetadata()).toMatchObject({
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/admin/auth/authorize`,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    expect(config.serverMetadata().registration_endpoint).toBeUndefined();
  });

  it("is shown to the person with its host, its redirect and the scopes that it asks for", async () => {
    const { request } = await askFor(config);
    const { body } = await preview(request);
    expect(body.data).toEqual({
      kind: "CONSENT",
      client: {
        id: clients.idOf("agent"),
        name: "Agent",
        uri: "https://agent.example/",
        host: clients.host,
        kind: "DOCUMENT",
      },
      redirectUri,
      redirectHost: "127.0.0.1:4711",
      isLoopback: true,
      scopes: [
        { name: "read", isOffered: true },
        { name: "write", isOffered: true },
        { name: "workflows", isOffered: false },
      ],
      account: { name: expect.any(String), email: "member@example.com" },
      tokenName: "Agent",
      days: 365,
    });
  });

  it("gets an access token for the MCP server, under a token that the person sees", async () => {
    const issued = await connect({ name: "Honest agent", scopes: ["read", "write"] });
    expect(issued).toMatchObject({ token_type: "bearer", scope: "read write" });
    expect(issued.expires_in).toBeGreaterThan(3590);
    const client = await connectMcp(environment, issued.access_token);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("read_rows");
    const [token] = (await tokens("?client=true")).filter(({ name }) => name === "Honest agent");
    expect(token).toMatchObject({
      plane: "api",
      lifetime: 30,
      state: "active",
      scopes: ["read", "write"],
      client: {
        id: clients.idOf("agent"),
        name: "Agent",
        uri: "https://agent.example/",
        redirect: redirectUri,
        kind: "DOCUMENT",
      },
    });
    expect((await tokens("?client=false")).map(({ name }) => name)).not.toContain("Honest agent");
    const all = await environment.ask("GET", "/admin/api/tokens?client=true&search=Honest", {
      as: environment.admin.secret,
    });
    expect(all.body.data.map(({ id }: { id: string }) => id)).toEqual([token?.id]);
    const log = await environment.test.database.query<{ action: string; target_id: string }>(
      "select action, target_id from system.audit_log where action = 'oauth_client.authorize' order by id desc limit 1",
    );
    expect(log).toEqual([{ action: "oauth_client.authorize", target_id: clients.idOf("agent") }]);
  });

  it("exchanges its refresh token for the next one", async () => {
    const first = await connect({ name: "Refreshed agent" });
    const next = await oidc.refreshTokenGrant(config, first.refresh_token ?? "");
    expect(next.access_token).not.toBe(first.access_token);
    expect([await mcp(next.access_token), next.scope]).toEqual([200, "read"]);
  });

  it("ends its consent by revoking its refresh token", async () => {
    const issued = await connect({ name: "Parting agent" });
    await oidc.tokenRevocation(config, issued.refresh_token ?? "");
    expect([await mcp(issued.access_token), await stateOf("Parting agent")]).toEqual([
      401,
      "revoked",
    ]);
  });

  it("receives the denial of the person, with the issuer", async () => {
    const asked = await askFor(config);
    const answer = await decide(environment, asked, { decision: "DENY" });
    const { searchParams } = new URL(answer.body.data.redirectTo);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: "access_denied",
      state: asked.state,
      iss: publicUrl,
    });
  });

  it("is offered the tools of its scopes alone, whatever else the settings permit", async () => {
    const further = ["mcp.allow_deletes", "mcp.allow_workflows", "mcp.allow_sql"] as const;
    for (const key of further) await environment.set(key, true);
    await environment.set("sql_console.allow_api_tokens", true);
    const holding = async (scopes: readonly string[], as = environment.admin.secret) => {
      const asked = await askFor(config, { scope: "read write workflows" });
      const answer = await decide(environment, asked, { scopes }, as);
      expect(answer.status, answer.text).toBe(200);
      const callback = new URL(answer.body.data.redirectTo);
      return (await redeem({ ...asked, callback })).access_token;
    };
    const reads = ["search_resources", "read_rows", "aggregate_rows", "explain_access"];
    const writes = ["create_rows", "update_rows", "delete_rows"];
    const reader = await holding(["read"]);
    expect(await listTools(environment, reader)).toEqual(reads);
    for (const name of [...writes, "run_workflow", "run_sql"]) {
      const { faults } = await useTool(environment, reader, name);
      expect(faults).toEqual([`Unknown tool: ${name}`]);
    }
    const writer = await holding(["read", "write"]);
    expect(await listTools(environment, writer)).toEqual([...reads, ...writes]);
    const starter = await holding(["read", "workflows"]);
    expect(await listTools(environment, starter)).toEqual([...reads, "run_workflow"]);
    // A setting narrows what a person has approved, on the next request.
    await environment.set("mcp.access", "READ_ONLY");
    expect(await listTools(environment, writer)).toEqual(reads);
    await environment.set("mcp.access", "READ_WRITE");
    for (const key of further) await environment.set(key, false);
    await environment.set("sql_console.allow_api_tokens", false);
  });

  it("is stopped by every transition of the person's token on the next request", async () => {
    const issued = await connect({ name: "Stopped agent" });
    const token = (await tokens()).find(({ name }) => name === "Stopped agent");
    const act = async (verb: string, body?: object) =>
      (
        await environment.ask("POST", `/api/auth/tokens/${token?.id}/${verb}`, {
          as: environment.member.secret,
          body,
        })
      ).status;
    expect([await act("regenerate", { gracePeriod: "none" }), await act("deactivate")]).toEqual([
      409, 200,
    ]);
    expect(await mcp(issued.access_token)).toBe(401);
    expect([await act("activate"), await mcp(issued.access_token)]).toEqual([200, 200]);
    expect([await act("revoke"), await mcp(issued.access_token)]).toEqual([200, 401]);
    await expect(oidc.refreshTokenGrant(config, issued.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant",
    });
  });
});

describe("an access token", () => {
  it("is rejected by every API but the MCP server", async () => {
    const { access_token: as } = await connect();
    expect(await mcp(as)).toBe(200);
    const paths = ["/api/auth/me", "/api/public/table/things", "/admin/api/roles", "/app/api/me"];
    for (const path of [...paths, "/api/auth/tokens", "/api/openapi", "/admin/api/tokens"]) {
      expect([path, (await environment.ask("GET", path, { as })).status]).toEqual([path, 401]);
    }
    const batch = { as, body: { data: [{ method: "GET", path: "/api/public/table/things" }] } };
    expect((await environment.ask("POST", "/api/batch", batch)).status).toBe(401);
    expect(await mcp(as)).toBe(200);
  });

  it("is not exchanged, and a personal token and a session are no refresh tokens", async () => {
    const { access_token } = await connect();
    for (const refresh_token of [access_token, environment.member.secret]) {
      const client_id = clients.idOf("agent");
      const answer = await send({ grant_type: "refresh_token", client_id, refresh_token });
      expect([answer.status, answer.body.error]).toEqual([400, "invalid_grant"]);
    }
  });
});

describe("a hostile client", () => {
  it("gets no redirect to an address that is not the client's", async () => {
    const { request } = await askFor(config);
    for (const address of [
      `${redirectUri}/more`,
      `${redirectUri}?x=1`,
      `${redirectUri}#x`,
      "http://127.0.0.1:4711/callback/../evil",
      "http://127.0.0.1@evil.example/callback",
      "http://127.0.0.1.evil.example/callback",
      "http://localhost:4711/callback",
      "https://127.0.0.1/callback",
      "https://agent.example/callback2",
      "https://agent.example:8443/callback",
      "https://agent.example/callback/",
      "https://AGENT.example/callback",
      "https://agent.example.evil.example/callback",
      "javascript:alert(1)",
      "data:text/html,x",
      "",
    ]) {
      for (const path of ["/api/auth/authorizations/preview", "/api/auth/authorizations"]) {
        const decision = path.endsWith("preview") ? {} : { decision: "DENY" };
        const body = { ...request, redirectUri: address, ...decision };
        const answer = await environment.ask("POST", path, {
          as: environment.member.secret,
          body,
        });
        expect([address, answer.status, answer.faults]).toEqual([
          address,
          400,
          ["BODY_INVALID /redirectUri"],
        ]);
      }
    }
  });

  it.each([
    ["no PKCE", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    ["plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["no method of PKCE", { code_challenge_method: undefined }, "invalid_request"],
    ["an implicit grant", { response_type: "token" }, "unsupported_response_type"],
    ["another audience", { resource: "https://evil.example/mcp" }, "invalid_target"],
    ["the API as audience", { resource: `${publicUrl}/api` }, "invalid_target"],
    ["an unknown scope", { scope: "read admin" }, "invalid_scope"],
  ])("gets an error for %s, and no consent page", async (_, changes, error) => {
    const { request } = await askFor(config, changes);
    const { body } = await preview(request);
    expect(body.data.kind).toBe("REFUSED");
    const approved = await decide(environment, { request });
    for (const redirectTo of [body.data.redirectTo, approved.body.data.redirectTo]) {
      const { searchParams } = new URL(redirectTo);
      expect([searchParams.get("error"), searchParams.has("code")]).toEqual([error, false]);
      expect(searchParams.get("iss")).toBe(publicUrl);
    }
  });

  it("gets no scope that it did not ask for, or that the settings do not permit", async () => {
    const asked = await askFor(config, { scope: "read workflows" });
    for (const scopes of [["read", "write"], ["read", "workflows"], ["write"], []]) {
      const answer = await decide(environment, asked, { scopes });
      expect([scopes, answer.faults]).toEqual([scopes, ["BODY_INVALID /scopes"]]);
    }
  });

  it("ends the consent if it uses a code again, also after a refresh", async () => {
    const approved = await approve({ name: "Replayed code" });
    const issued = await redeem(approved);
    const next = await oidc.refreshTokenGrant(config, issued.refresh_token ?? "");
    await expect(redeem(approved)).rejects.toMatchObject({ error: "invalid_grant" });
    expect([await mcp(next.access_token), await stateOf("Replayed code")]).toEqual([
      401,
      "revoked",
    ]);
  });

  it("redeems a code once, however many requests arrive together", async () => {
    const parameters = formOfCode(await approve());
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(parameters)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    const secrets = answers.flatMap(({ body }) => body.access_token ?? []);
    for (const secret of secrets) expect(await mcp(secret)).toBe(401);
  });

  it.each([
    ["another verifier", { code_verifier: oidc.randomPKCECodeVerifier() }],
    ["the challenge as verifier", { code_verifier: "CHALLENGE" }],
    ["another client", { client_id: "https://evil.example/client" }],
    ["another redirect", { redirect_uri: "http://127.0.0.1:4712/callback" }],
  ])(
    "cannot redeem a stolen code with %s, and the code is lost for everyone",
    async (_, stolen) => {
      const approved = await approve();
      const challenge = approved.request.codeChallenge ?? "";
      const changes = Object.fromEntries(
        Object.entries(stolen).map(([name, value]) => [
          name,
          value === "CHALLENGE" ? challenge : value,
        ]),
      );
      const answer = await send({ ...formOfCode(approved), ...changes });
      expect([answer.status, answer.body.error]).toEqual([400, "invalid_grant"]);
      await expect(redeem(approved)).rejects.toMatchObject({ error: "invalid_grant" });
    },
  );

  it("cannot name another audience at the token endpoint", async () => {
    const approved = await approve();
    const resource = "https://evil.example/mcp";
    const answer = await send({ ...formOfCode(approved), resource });
    expect([answer.status, answer.body.error]).toEqual([400, "invalid_target"]);
    expect((await redeem(approved)).token_type).toBe("bearer");
  });

  describe("that uses a refresh token again", () => {
    const refused = { error: "invalid_grant" };
    const refresh = (secret: string | undefined) => oidc.refreshTokenGrant(config, secret ?? "");
    const unused = async (name: string) =>
      environment.test.database.query(
        `select from system.refresh_tokens r join system.tokens t on t.id = r.token_id
         where t.name = $1::text and r.used_at is null`,
        [name],
      );

    it.each([
      ["after the grace", "Late reuse", (work: () => Promise<void>) => later(11, work)],
      [
        "after its successor was used",
        "Reused successor",
        async (work: () => Promise<void>) => work(),
      ],
    ] as const)("ends the consent %s", async (_case, name, at) => {
      const first = await connect({ name });
      const next = await refresh(first.refresh_token);
      const last = name === "Late reuse" ? next : await refresh(next.refresh_token);
      await at(() => expect(refresh(first.refresh_token)).rejects.toMatchObject(refused));
      expect([await mcp(first.access_token), await mcp(last.access_token)]).toEqual([401, 401]);
      await expect(refresh(last.refresh_token)).rejects.toMatchObject(refused);
      expect(await stateOf(name)).toBe("revoked");
    });

    it("since the response was lost, receives another successor, which ends the lost one", async () => {
      const first = await connect({ name: "Lost response" });
      const lost = await refresh(first.refresh_token);
      const repeated = await refresh(first.refresh_token);
      expect(repeated.refresh_token).not.toBe(lost.refresh_token);
      const next = await refresh(repeated.refresh_token);
      expect(await mcp(next.access_token)).toBe(200);
      expect(await stateOf("Lost response")).toBe("active");
    });

    it("ends the consent if someone else holds the successor", async () => {
      const first = await connect({ name: "Two holders" });
      const lost = await refresh(first.refresh_token);
      const repeated = await refresh(first.refresh_token);
      await expect(refresh(lost.refresh_token)).rejects.toMatchObject(refused);
      expect(await mcp(repeated.access_token)).toBe(401);
      expect(await stateOf("Two holders")).toBe("revoked");
    });

    it("several times at once keeps one successor", async () => {
      const first = await connect({ name: "At once" });
      const issued = await Promise.all([1, 2, 3, 4].map(() => refresh(first.refresh_token)));
      expect(new Set(issued.map((one) => one.refresh_token)).size).toBe(4);
      expect(await unused("At once")).toHaveLength(1);
      expect(await stateOf("At once")).toBe("active");
    });

    it("does not receive a successor as another client", async () => {
      const first = await connect({ name: "Other client" });
      await refresh(first.refresh_token);
      const answer = await send({
        grant_type: "refresh_token",
        client_id: "https://evil.example/client",
        refresh_token: first.refresh_token ?? "",
      });
      expect([answer.status, answer.body.error]).toEqual([400, "invalid_grant"]);
      expect(await unused("Other client")).toHaveLength(1);
    });
  });

  it("cannot use the refresh token of another client, or widen its scopes", async () => {
    const issued = await connect({ name: "Kept refresh" });
    const refresh_token = issued.refresh_token ?? "";
    const grant = { grant_type: "refresh_token", refresh_token };
    const other = await send({ ...grant, client_id: "https://evil.example/client" });
    expect([other.status, other.body.error]).toEqual([400, "invalid_grant"]);
    const own = { ...grant, client_id: clients.idOf("agent") };
    const wider = await send({ ...own, scope: "read write" });
    expect([wider.status, wider.body.error]).toEqual([400, "invalid_scope"]);
    expect((await send(own)).status).toBe(200);
  });

  it("cannot make an honest client take its answer for one of this server", async () => {
    const { callback, verifier, state } = await approve();
    callback.searchParams.set("iss", "https://evil.example");
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    await expect(oidc.authorizationCodeGrant(config, callback, checks)).rejects.toThrow();
    callback.searchParams.delete("iss");
    await expect(oidc.authorizationCodeGrant(config, callback, checks)).rejects.toThrow();
  });

  it("sends no credential of its own, no parameter twice and no JSON to the token endpoint", async () => {
    const good = formOfCode(await approve());
    const secret = await send({ ...good, client_secret: "x" });
    expect([secret.status, secret.body.error]).toEqual([401, "invalid_client"]);
    const { raw, headers } = form(good);
    const twice = await environment.ask("POST", "/oauth/token", { raw: `${raw}&code=x`, headers });
    const json = await environment.ask("POST", "/oauth/token", { body: good });
    const other = await send({ ...good, grant_type: "password" });
    expect([twice.body.error, json.body.error, other.body.error]).toEqual([
      "invalid_request",
      "invalid_request",
      "unsupported_grant_type",
    ]);
  });
});

describe("a client whose library sends parameters without a value", () => {
  const basic = (text: string) => ({
    Authorization: `Basic ${Buffer.from(text).toString("base64")}`,
  });
  const askWith = (parameters: Record<string, string>, headers: object, path = "/oauth/token") => {
    const sent = form(parameters);
    return environment.ask("POST", path, { ...sent, headers: { ...sent.headers, ...headers } });
  };

  it("is served as if it had not sent them, and still not with a credential", async () => {
    const empty = {
      client_secret: "",
      client_assertion: "",
      client_assertion_type: "",
      scope: "",
      resource: "",
    };
    const answer = await send({ ...formOfCode(await approve()), ...empty });
    expect(answer.status, answer.text).toBe(200);
    const refresh = {
      grant_type: "refresh_token",
      client_id: clients.idOf("agent"),
      refresh_token: answer.body.refresh_token,
    };
    const next = await send({ ...refresh, ...empty });
    expect(next.status, next.text).toBe(200);
    const revoked = { client_id: refresh.client_id, token: next.body.refresh_token };
    expect(
      (await send({ ...revoked, ...empty, token_type_hint: "" }, "/oauth/revoke")).status,
    ).toBe(200);
    expect((await send({ ...refresh, code_verifier: "", grant_type: "" })).body).toMatchObject({
      error: "invalid_request",
      error_description: "grant_type is required",
    });
  });

  it("may name itself by HTTP Basic with an empty password", async () => {
    const id = clients.idOf("agent");
    for (const [name, others] of [
      [encodeURIComponent(id), {}],
      [id, {}],
      [encodeURIComponent(id), { client_id: id }],
      [encodeURIComponent(id), { client_id: "" }],
    ] as const) {
      const { client_id: _, ...good } = formOfCode(await approve());
      const answer = await askWith({ ...good, ...others }, basic(`${name}:`));
      expect([name, others, answer.status], answer.text).toEqual([name, others, 200]);
    }
    const good = formOfCode(await approve());
    for (const headers of [
      basic(`${encodeURIComponent(id)}:secret`),
      basic("another:"),
      basic(":"),
      basic(encodeURIComponent(id)),
      { Authorization: "Basic" },
      { Authorization: "Bearer x" },
    ]) {
      const answer = await askWith(good, headers);
      expect([headers, answer.status, answer.body.error]).toEqual([headers, 401, "invalid_client"]);
      expect(answer.headers.get("www-authenticate")).toBe("Basic");
    }
    expect((await askWith(good, { Authorization: "" })).status).toBe(200);
  });

  it("gets an invalid_request for any parameter that occurs twice, also without a value", async () => {
    const { raw, headers } = form(formOfCode(await approve()));
    for (const [path, more] of [
      ["/oauth/token", "client_secret=&client_secret="],
      ["/oauth/token", "grant_type="],
      ["/oauth/revoke", "token=a&token="],
    ]) {
      const answer = await environment.ask("POST", path ?? "", { raw: `${raw}&${more}`, headers });
      expect([more, answer.status, answer.body.error]).toEqual([more, 400, "invalid_request"]);
    }
  });

  it("is described to the person as if it had not sent them", async () => {
    const { request } = await askFor(config);
    const empty = { ...request, state: "", scope: "", resource: "" };
    const shown = await preview(empty);
    expect(shown.body.data.kind, shown.text).toBe("CONSENT");
    const denied = await decide(environment, { request: empty }, { decision: "DENY" });
    const back = new URL(denied.body.data.redirectTo).searchParams;
    expect([back.get("error"), back.has("state")]).toEqual(["access_denied", false]);
    const other = await preview({ ...request, codeChallengeMethod: "" });
    expect(new URL(other.body.data.redirectTo).searchParams.get("error")).toBe("invalid_request");
  });
});

describe("the consent of a person", () => {
  it("requires a session and a role that may create tokens", async () => {
    const asked = await askFor(config);
    const made = await environment.ask("POST", "/api/auth/tokens", {
      as: environment.member.secret,
      body: { name: "for consent", plane: "api" },
    });
    expect((await preview(asked.request, made.body.data.secret)).status).toBe(403);
    const { database } = environment.test;
    const permit = (may: boolean) =>
      database.query(
        "update system.roles set token_creation = $1::text::boolean where name = 'Members'",
        [String(may)],
      );
    await permit(false);
    expect((await preview(asked.request)).faults).toEqual(["ACTION_DENIED"]);
    expect((await decide(environment, asked)).faults).toEqual(["ACTION_DENIED"]);
    await permit(true);
    expect((await preview(asked.request)).status).toBe(200);
  });

  it("names every missing or taken term", async () => {
    const asked = await askFor(config);
    await connect({ name: "Taken name" });
    const taken = await decide(environment, asked, { name: "taken NAME" });
    expect([taken.status, taken.faults]).toEqual([409, ["CONFLICT /name"]]);
    const faults = await decide(environment, asked, { name: "", days: 3651, more: 1 });
    expect(faults.faults.sort()).toEqual([
      "BODY_INVALID /days",
      "BODY_INVALID /more",
      "BODY_INVALID /name",
    ]);
  });

  it("ends with its days, whatever the client holds", async () => {
    const issued = await connect({ name: "Short consent", days: 1 });
    const answer = await later(86_401, () =>
      send({
        grant_type: "refresh_token",
        client_id: clients.idOf("agent"),
        refresh_token: issued.refresh_token ?? "",
      }),
    );
    expect([answer.status, answer.body.error]).toEqual([400, "invalid_grant"]);
  });

  it("leaves a code of one minute, and no token if the client does not come for it", async () => {
    const late = await approve({ name: "Late agent" });
    await later(61, async () => {
      await expect(redeem(late)).rejects.toMatchObject({ error: "invalid_grant" });
      const again = await approve({ name: "Late agent" });
      expect((await redeem(again)).token_type).toBe("bearer");
    });
  });

  it("gives access tokens that end after an hour, also without a refresh", async () => {
    const issued = await connect();
    expect(await later(3_590, () => mcp(issued.access_token))).toBe(200);
    expect(await later(3_601, () => mcp(issued.access_token))).toBe(401);
  });
});

describe("the document of a client", () => {
  const idFault = ["BODY_INVALID /clientId"];

  it.each([
    ["another id", { client_id: "https://evil.example/client", redirect_uris: [redirectUri] }],
    ["no redirect", { redirect_uris: [] }],
    ["a redirect that is a script", { redirect_uris: ["javascript:alert(1)"] }],
    ["a secret", { redirect_uris: [redirectUri], client_secret: "x" }],
    [
      "another authentication",
      {
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "private_key_jwt",
      },
    ],
    ["another flow", { redirect_uris: [redirectUri], grant_types: ["client_credentials"] }],
    ["too many bytes", { redirect_uris: [redirectUri], client_name: "x".repeat(20_000) }],
    ["text", "not JSON"],
  ])("is refused with %s", async (what, document) => {
    const name = what.replaceAll(" ", "-");
    const id = clients.idOf(name);
    clients.put(name, typeof document === "string" ? document : { client_id: id, ...document });
    const { request } = await askFor(config, { client_id: id });
    expect((await preview({ ...request, clientId: id })).faults).toEqual(idFault);
  });

  it("is read from an address in its normal form, at a public or permitted host, without redirects", async () => {
    const { request } = await askFor(config);
    const before = clients.asked.length;
    const port = clients.host.split(":")[1];
    for (const clientId of [
      `http://127.0.0.1:${port}/x/../agent`,
      `http://127.0.0.1:${port}/agent#x`,
      `http://user@127.0.0.1:${port}/agent`,
      `HTTP://127.0.0.1:${port}/agent`,
      `http://0x7f.1:${port}/agent`,
      `http://2130706433:${port}/agent`,
      `https://localhost.:${port}/agent`,
      `http://localhost:${port}/agent`,
      `https://[::ffff:127.0.0.1]:${port}/agent`,
      "https://169.254.169.254/latest/meta-data",
      "https://10.0.0.1/client",
      "https://[64:ff9b::a00:1]/client",
      "file:///etc/passwd",
      "https://evil.example",
      "rhc_000000000000000000000000000000",
      "rhc_'; drop table system.tokens",
      "agent",
      "",
    ]) {
      const answer = await preview({ ...request, clientId });
      expect([clientId, answer.status, answer.faults]).toEqual([clientId, 400, idFault]);
    }
    expect(clients.asked.length).toBe(before);
    const moved = await preview({ ...request, clientId: clients.idOf("moved") });
    expect(moved.faults).toEqual(idFault);
    expect(clients.asked.slice(before)).toEqual(["/moved"]);
  });

  it("is not read at a host that is no longer permitted", async () => {
    clients.put("later", { client_id: clients.idOf("later"), redirect_uris: [redirectUri] });
    const { request } = await askFor(config);
    await environment.set("mcp.client_hosts", []);
    const answer = await preview({ ...request, clientId: clients.idOf("later") });
    expect(answer.faults).toEqual(idFault);
    await environment.set("mcp.client_hosts", [clients.host]);
  });

  it("is shown with its host if its name is the product's", async () => {
    const id = clients.idOf("imitator");
    clients.put("imitator", {
      client_id: id,
      client_name: "R0whouse",
      redirect_uris: [redirectUri],
    });
    const { request } = await askFor(config);
    const { body } = await preview({ ...request, clientId: id });
    expect(body.data.client.name).toBe(new URL(id).host);
  });

  it("has a name without characters that deceive", async () => {
    const id = clients.idOf("deceiver");
    const client_name = "Claude\u202e\u0000\u200b\n".concat("x".repeat(200));
    clients.put("deceiver", { client_id: id, client_name, redirect_uris: [redirectUri] });
    const { request } = await askFor(config);
    const { body } = await preview({ ...request, clientId: id });
    expect(body.data.client.name).toBe(`Claude${"x".repeat(94)}`);
  });
});

describe("dynamic registration", () => {
  const register = (body: object) => environment.ask("POST", "/oauth/register", { body });
  const metadata = { client_name: "Registered agent", redirect_uris: [redirectUri] };

  it("does not exist unless the setting permits it", async () => {
    expect((await register(metadata)).status).toBe(404);
    await environment.set("mcp.dynamic_registration", true);
    expect((await register(metadata)).status).toBe(201);
  });

  it("registers a public client that can connect", async () => {
    const url = `${publicUrl}/oauth/register`;
    const server = { issuer: publicUrl, registration_endpoint: url };
    const answer = await register({
      ...metadata,
      token_endpoint_auth_method: "client_secret_post",
    });
    expect([server.registration_endpoint, answer.body]).toEqual([
      (await discover(environment, "x")).serverMetadata().registration_endpoint,
      {
        client_id: expect.stringMatching(/^rhc_[0-9a-f]{30}$/),
        client_id_issued_at: expect.any(Number),
        client_name: "Registered agent",
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
    ]);
    const registered = await discover(environment, answer.body.client_id);
    const asked = await askFor(registered);
    const shown = await preview(asked.request);
    expect(shown.body.data.client).toMatchObject({ kind: "REGISTERED", host: null });
    const approved = await decide(environment, asked);
    const issued = await oidc.authorizationCodeGrant(
      registered,
      new URL(approved.body.data.redirectTo),
      { pkceCodeVerifier: asked.verifier, expectedState: asked.state },
    );
    expect(await mcp(issued.access_token)).toBe(200);
  });

  it("lets the official client connect by itself, and go on when its access token has ended", async () => {
    const client = await connectOfficialClient(environment, (asked) =>
      decide(environment, asked, { name: "Official client", scopes: ["read", "write"] }),
    );
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toContain("read_rows");
    expect(await later(3_601, names)).toContain("read_rows");
    await client.close();
  });

  it.each([
    "Rowhouse",
    "ROW HOUSE Console",
    "Rоwhоusе",
    "R\u200bowhouse",
    "rοvvhouse",
    "Ｒｏｗｈｏｕｓｅ",
    "R0wh0u5e",
    "Rówhöuse",
    "𝐑𝐨𝐰-𝐡𝐨𝐮𝐬𝐞",
  ])("refuses a name that a person may take for the product: %s", async (client_name) => {
    const answer = await register({ ...metadata, client_name });
    expect([answer.status, answer.body.error]).toEqual([400, "invalid_client_metadata"]);
  });

  it("refuses redirect hosts and pages that a person may take for this installation", async () => {
    for (const uri of [
      `${publicUrl}/callback`,
      "https://rowhouse.example.com.evil.net/x",
      "https://www.rowhouse.example.com.evil.net/x",
      "https://rowhouse-example-com.evil.net/x",
      "https://r0whouse.examp1e.com/x",
      "https://xn--rwhouse-9ig.example.com/x",
      "https://rowhouse.evil.net/x",
      "com.rowhouse.agent:/x",
    ]) {
      const answer = await register({ ...metadata, redirect_uris: [redirectUri, uri] });
      expect([uri, answer.status, answer.body.error]).toEqual([uri, 400, "invalid_redirect_uri"]);
    }
    const page = await register({
      ...metadata,
      client_uri: "https://rowhouse.example.com.evil.net",
    });
    expect([page.status, page.body.error]).toEqual([400, "invalid_client_metadata"]);
    for (const uri of ["https://agents.example.com/x", "https://a.rowhouse.example.com/x"]) {
      expect((await register({ ...metadata, redirect_uris: [uri] })).status).toBe(201);
    }
  });

  it("rejects redirects that run scripts or reach other hosts without TLS, and other flows", async () => {
    for (const uri of [
      "javascript:alert(1)",
      "http://evil.example/x",
      "data:,x",
      "x:y",
      "ms-msdt:/id",
    ]) {
      const answer = await register({ ...metadata, redirect_uris: [uri] });
      expect([uri, answer.status, answer.body.error]).toEqual([uri, 400, "invalid_redirect_uri"]);
    }
    for (const body of [
      {},
      { ...metadata, redirect_uris: "x" },
      { ...metadata, grant_types: [] },
    ]) {
      const answer = await register(body);
      expect([answer.status, answer.body.error]).toEqual([400, "invalid_client_metadata"]);
    }
  });

  it("holds a bounded number of clients that nobody uses", async () => {
    const { database } = environment.test;
    await database.query(
      `insert into system.oauth_clients (id, name, redirect_uris)
       select 'rhc_' || lpad(n::text, 30, '0'), 'flood', '{https://x.example/}' from generate_series(1, 1000) n`,
    );
    const answer = await register(metadata);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "3600"]);
    await database.query(
      "update system.oauth_clients set created_at = created_at - interval '2 days' where name = 'flood'",
    );
    expect((await register(metadata)).status).toBe(201);
    const left = await database.query("select from system.oauth_clients where name = 'flood'");
    expect(left).toEqual([]);
  });
});

it("while OAuth or the MCP server is off, nothing of it exists", async () => {
  const { access_token: secret } = await connect({ name: "Before the switch" });
  const { request } = await askFor(config);
  for (const key of ["mcp.oauth", "mcp.enabled"]) {
    await environment.set(key, false);
    for (const [method, path] of [
      ["GET", "/.well-known/oauth-authorization-server"],
      ["GET", "/.well-known/oauth-protected-resource/mcp"],
      ["POST", "/oauth/token"],
      ["POST", "/oauth/revoke"],
      ["POST", "/oauth/register"],
    ] as const) {
      const answer = await environment.ask(method, path);
      const unknown = await environment.ask(method, "/oauth/nothing");
      expect([path, answer.status, answer.text]).toEqual([path, 404, unknown.text]);
    }
    expect((await preview(request)).faults).toEqual(["NOT_FOUND"]);
    expect((await decide(environment, { request })).faults).toEqual(["NOT_FOUND"]);
    expect(await mcp(secret)).toBe(key === "mcp.enabled" ? 404 : 401);
    await environment.set(key, true);
  }
  expect(await mcp(secret)).toBe(200);
});
