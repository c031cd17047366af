// Tiers: usual, topologies.
import { readFile } from "node:fs/promises";
import { callerRowSql, createSecret } from "@rowhouse/access";
import { createUser, moveClock, runAs } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
});
afterAll(() => environment.stop());

const things = "/api/public/table/things";
let serial = 0;
/** A token of the member, or of another owner. */
const make = async (fields: object = {}, as = environment.member.secret) => {
  serial += 1;
  const answer = await environment.ask("POST", "/api/auth/tokens", {
    as,
    body: { name: `t${serial}`, plane: "api", ...fields },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data as { id: string; secret: string; name: string };
};
const status = async (method: string, path: string, as: string, body?: unknown) =>
  (await environment.ask(method, path, { as, body })).status;

describe("a personal access token", () => {
  it("shows its secret once, and reads what its owner may read", async () => {
    const answer = await environment.ask("POST", "/api/auth/tokens", {
      as: environment.member.secret,
      body: { name: " ci ", description: "for CI", plane: "api", lifetime: 7 },
    });
    expect(answer.status).toBe(201);
    const { secret, ...token } = answer.body.data;
    expect(secret).toMatch(/^rhp_[0-9A-Za-z]{36}$/);
    expect(token).toMatchObject({
      userId: environment.member.id,
      name: "ci",
      description: "for CI",
      plane: "api",
      lifetime: 7,
      state: "active",
      expiresSoon: true,
      previousSecretUntil: null,
      lastUsedAt: null,
    });
    const read = await environment.ask("GET", `/api/auth/tokens/${token.id}`, {
      as: environment.member.secret,
    });
    expect(read.body.data).toEqual(token);
    expect((await environment.ask("GET", things, { as: secret })).body.data).toEqual([
      { id: 1, name: "one" },
    ]);
    expect(await status("GET", "/api/auth/me", secret)).toBe(200);
    const rows = await environment.test.database.query(
      "select t.*, k.* from system.tokens t join system.token_secrets k on k.token_id = t.id",
    );
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it("has the default lifetime if none is given", async () => {
    const { id } = await make();
    const list = await environment.ask("GET", "/api/auth/tokens", {
      as: environment.member.secret,
    });
    expect(list.body.data.find((token: { id: string }) => token.id === id)).toMatchObject({
      lifetime: 365,
      expiresSoon: false,
    });
  });

  it("is rejected with all faults of its fields together", async () => {
    const answer = await environment.ask("POST", "/api/auth/tokens", {
      as: environment.member.secret,
      body: { name: "", plane: "root", lifetime: 3651, owner: "x" },
    });
    expect(answer.status).toBe(400);
    expect(answer.faults.sort()).toEqual([
      "BODY_INVALID /lifetime",
      "BODY_INVALID /name",
      "BODY_INVALID /owner",
      "BODY_INVALID /plane",
    ]);
    for (const lifetime of [0, -1, 1.5, "7"]) {
      const body = { name: "x", plane: "api", lifetime };
      expect(await status("POST", "/api/auth/tokens", environment.member.secret, body)).toBe(400);
    }
  });

  it("has a name that is unique among its owner's tokens", async () => {
    const { name } = await make();
    const body = { name: name.toUpperCase(), plane: "api" };
    const again = await environment.ask("POST", "/api/auth/tokens", {
      as: environment.member.secret,
      body,
    });
    expect([again.status, again.faults]).toEqual([409, ["CONFLICT /name"]]);
    await make({ name }, environment.admin.secret);
  });

  it("requires a role that may create tokens, and one of the admin plane an administrator", async () => {
    const { database } = environment.test;
    await database.query("insert into system.roles (name) values ('Plain')");
    const plain = await createUser(database, "plain@example.com", "Plain");
    const body = { name: "x", plane: "api" };
    expect(await status("POST", "/api/auth/tokens", plain.secret, body)).toBe(403);
    const refused = await environment.ask("POST", "/api/auth/tokens", {
      as: environment.member.secret,
      body: { name: "x", plane: "admin" },
    });
    expect([refused.status, refused.faults]).toEqual([403, ["ACTION_DENIED /plane"]]);
    // Administrators create one for users whose roles may not.
    const made = await environment.ask("POST", "/admin/api/tokens", {
      as: environment.admin.secret,
      body: { data: { ...body, userId: plain.id } },
    });
    expect(made.status).toBe(201);
    expect(await status("GET", "/api/auth/me", made.body.data.secret)).toBe(200);
    const [workflows] = await database.query<{ id: string }>(
      "select id from system.users where is_system",
    );
    const system = await environment.ask("POST", "/admin/api/tokens", {
      as: environment.admin.secret,
      body: { data: { ...body, userId: workflows?.id } },
    });
    expect([system.status, system.faults]).toEqual([409, ["CONFLICT"]]);
    const elevated = await environment.ask("POST", "/admin/api/tokens", {
      as: environment.admin.secret,
      body: { data: { name: "y", plane: "admin", userId: plain.id } },
    });
    expect([elevated.status, elevated.faults]).toEqual([403, ["ACTION_DENIED /data/plane"]]);
  });

  it("of another user is indistinguishable from a missing one (plane confusion)", async () => {
    const { id } = await make({}, environment.admin.secret);
    const nobody = "00000000-0000-4000-8000-000000000000";
    for (const [method, suffix, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { name: "mine" }],
      ["POST", "/regenerate", { gracePeriod: "none" }],
      ["POST", "/deactivate", undefined],
      ["POST", "/activate", undefined],
      ["POST", "/revoke", undefined],
    ] as const) {
      const [other, missing] = await Promise.all(
        [id, nobody].map((token) =>
          environment.ask(method, `/api/auth/tokens/${token}${suffix}`, {
            as: environment.member.secret,
            body,
          }),
        ),
      );
      expect([other?.status, other?.text]).toEqual([404, missing?.text]);
    }
  });

  it("can be changed, suspended, resumed and revoked, each with an audit entry and without a secret", async () => {
    const { id, secret } = await make();
    const path = `/api/auth/tokens/${id}`;
    const as = environment.member.secret;
    await environment.ask("PATCH", path, { as, body: { name: "renamed", description: "d" } });
    expect(await status("GET", things, secret)).toBe(200);
    expect(await status("POST", `${path}/deactivate`, as)).toBe(200);
    expect(await status("GET", things, secret)).toBe(401);
    expect(await status("POST", `${path}/deactivate`, as)).toBe(409);
    expect(await status("POST", `${path}/activate`, as)).toBe(200);
    expect(await status("GET", things, secret)).toBe(200);
    const regenerated = await environment.ask("POST", `${path}/regenerate`, {
      as,
      body: { gracePeriod: "1h" },
    });
    expect(regenerated.body.data).toMatchObject({ id, name: "renamed", state: "active" });
    expect(regenerated.body.data.previousSecretUntil).not.toBeNull();
    const both = [secret, regenerated.body.data.secret];
    for (const living of both) expect(await status("GET", things, living)).toBe(200);
    expect(await status("POST", `${path}/revoke`, as)).toBe(200);
    for (const dead of both) expect(await status("GET", things, dead)).toBe(401);
    expect(await status("POST", `${path}/activate`, as)).toBe(409);
    expect(await status("PATCH", path, as, { name: "x" })).toBe(409);
    const log = await environment.ask("GET", `/admin/api/audit-log?targetId=${id}`, {
      as: environment.admin.secret,
    });
    expect(log.body.data.map((entry: { action: string }) => entry.action)).toEqual([
      "token.revoke",
      "token.regenerate",
      "token.activate",
      "token.deactivate",
      "token.update",
      "token.create",
    ]);
    for (const shown of both) expect(log.text).not.toContain(shown);
  });

  it("keeps its previous secret for the whole grace period, also beyond the old expiry", async () => {
    const as = environment.member.secret;
    for (const [gracePeriod, seconds] of [
      ["1h", 3600],
      ["24h", 86_400],
      ["7d", 7 * 86_400],
    ] as const) {
      const { id, secret } = await make();
      // Both the token and its secret have four seconds left.
      await environment.test.database.query(
        "update system.tokens set expires_at = system.clock() + interval '4 seconds' where id = $1::text::uuid",
        [id],
      );
      const path = `/api/auth/tokens/${id}/regenerate`;
      const { data } = (await environment.ask("POST", path, { as, body: { gracePeriod } })).body;
      const left = (Date.parse(data.previousSecretUntil) - Date.now()) / 1000;
      expect(Math.abs(left - seconds)).toBeLessThan(60);
      for (const [ahead, expected] of [
        [5, 200],
        [seconds - 120, 200],
        [seconds + 60, 401],
      ] as const) {
        await environment.moveTime(ahead);
        expect([gracePeriod, ahead, await status("GET", things, secret)]).toEqual([
          gracePeriod,
          ahead,
          expected,
        ]);
        expect(await status("GET", things, data.secret)).toBe(200);
      }
      await environment.moveTime(0);
    }
  });

  it("that ends before the grace period of its previous secret says so", async () => {
    const as = environment.member.secret;
    const { id } = await make({ lifetime: 1 });
    const path = `/api/auth/tokens/${id}/regenerate`;
    const { data } = (await environment.ask("POST", path, { as, body: { gracePeriod: "7d" } }))
      .body;
    expect(data.previousSecretUntil).toBe(data.expiresAt);
  });

  it("appears in the audit log as itself", async () => {
    const { id, secret } = await make({ plane: "admin" }, environment.admin.secret);
    const role = await environment.ask("POST", "/admin/api/roles", {
      as: secret,
      body: { data: { name: "By token" } },
    });
    expect(role.status).toBe(201);
    const log = await environment.ask("GET", `/admin/api/audit-log?targetId=${role.body.data.id}`, {
      as: environment.admin.secret,
    });
    expect(log.body.data).toMatchObject([
      {
        actorTokenId: id,
        actorUserId: environment.admin.id,
        address: "192.0.2.7",
        requestId: "request-1",
      },
    ]);
  });

  it("records its last use at most once a minute: 1,000 calls on two processes are one write", async () => {
    const { id, secret } = await make();
    const second = await environment.again();
    const row = async () =>
      (
        await environment.test.database.query<{ at: string | null; version: string }>(
          `select last_used_at as at, xmin::text as version from system.tokens where id = '${id}'`,
        )
      )[0];
    /** Uses the token in every way, so many seconds after a moment; its row's version changes with each write. */
    const callMany = async (calls: number, seconds = 0, after?: string | null) => {
      for (let round = 0; round < calls / 50; round += 1) {
        // However long the calls take.
        if (after) await environment.moveTime((Date.parse(after) - Date.now()) / 1000 + seconds);
        await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            (index % 2 === 0 ? environment : second).ask(
              "GET",
              index % 5 === 0 ? "/api/auth/me" : things,
              { as: secret },
            ),
          ),
        );
      }
    };
    const before = await row();
    await callMany(50);
    await expect.poll(async () => (await row())?.at ?? null).not.toBeNull();
    const first = await row();
    expect(first?.version).not.toBe(before?.version);
    await callMany(950, 1, first?.at);
    await callMany(100, 40, first?.at);
    await environment.settle();
    await second.settle();
    expect(await row()).toEqual(first);
    await callMany(50, 70, first?.at);
    await expect.poll(async () => (await row())?.version).not.toBe(first?.version);
    const third = await row();
    await callMany(100, 40, third?.at);
    await environment.settle();
    await second.settle();
    expect(await row()).toEqual(third);
    await environment.moveTime(0);
    await second.stop();
  });
});

describe("a user", () => {
  it("has at most 200 usable tokens; ended ones do not count", async () => {
    const { database } = environment.test;
    const user = await createUser(database, "collector@example.com", "Members");
    const insert = (count: number, name: string, more: string) =>
      database.query(
        `insert into system.tokens (user_id, name, plane, lifetime_days, active, expires_at, revoked_at)
         select '${user.id}', '${name} ' || n, 'api', 1, ${more} from generate_series(1, ${count}) n`,
      );
    await insert(150, "revoked", "true, now() + interval '1 day', now()");
    await insert(150, "expired", "true, now() - interval '1 second', null");
    await insert(100, "active", "true, now() + interval '1 day', null");
    await insert(99, "deactivated", "false, now() + interval '1 day', null");
    const create = (name: string) =>
      environment.ask("POST", "/api/auth/tokens", {
        as: user.secret,
        body: { name, plane: "api" },
      });
    const last = await create("the last one");
    expect(last.status).toBe(201);
    const refused = await create("one too many");
    expect([refused.status, refused.body.errors]).toEqual([
      409,
      [
        {
          code: "CONFLICT",
          message: "A user has at most 200 usable tokens; revoke one first",
        },
      ],
    ]);
    const revoked = await environment.ask("POST", `/api/auth/tokens/${last.body.data.id}/revoke`, {
      as: user.secret,
    });
    expect(revoked.status).toBe(200);
    expect((await create("another")).status).toBe(201);
  });
});

describe("administrators", () => {
  it("can find all tokens by owner, state and text", async () => {
    const { id, name } = await make();
    const ids = async (query: string) =>
      (
        await environment.ask("GET", `/admin/api/tokens?${query}`, { as: environment.admin.secret })
      ).body.data.map((token: { id: string }) => token.id);
    expect(await ids(`search=${name}&userId=${environment.member.id}`)).toContain(id);
    expect(await ids(`userId=${environment.admin.id}&search=${name}`)).not.toContain(id);
    const revoked = await environment.ask("POST", `/admin/api/tokens/${id}/revoke`, {
      as: environment.admin.secret,
    });
    expect(revoked.body.data.state).toBe("revoked");
    expect(await ids("state=revoked&limit=1000")).toContain(id);
    expect(await ids("state=active&limit=1000")).not.toContain(id);
  });

  it("can find the tokens that expire soon, and each token names its owner", async () => {
    const [soon, late] = [await make({ lifetime: 7 }), await make({ lifetime: 300 })];
    const find = async (query: string) => {
      const as = environment.admin.secret;
      const path = `/admin/api/tokens?limit=1000&${query}`;
      return (await environment.ask("GET", path, { as })).body.data as {
        id: string;
        owner: object;
      }[];
    };
    const ids = async (query: string) => (await find(query)).map(({ id }) => id);
    expect(await ids("expiresSoon=true")).toContain(soon.id);
    expect(await ids("expiresSoon=true")).not.toContain(late.id);
    expect(await ids("expiresSoon=false")).not.toContain(soon.id);
    const found = (await find("expiresSoon=true")).find(({ id }) => id === soon.id);
    const { data } = (
      await environment.ask("GET", "/api/auth/me", { as: environment.member.secret })
    ).body;
    expect(found?.owner).toEqual({ email: data.email, name: data.name, active: true });
  });
});

describe("on the very next request", () => {
  it("a token is rejected when its owner is deactivated, loses API access, or loses Administrators", async () => {
    const { database } = environment.test;
    const second = await createUser(database, "second@example.com", "Administrators", "Members");
    const admin = await make({ plane: "admin" }, second.secret);
    const api = await make({ plane: "api" }, second.secret);
    const all = async () => [
      await status("GET", things, admin.secret),
      await status("GET", "/admin/api/roles", admin.secret),
      await status("GET", things, api.secret),
      await status("GET", "/admin/api/roles", api.secret),
    ];
    const change = (text: string) => runAs(database, environment.admin.id, text);
    const membership = (role: string, member: boolean) =>
      change(
        member
          ? `insert into system.role_members (role_id, user_id) select id, '${second.id}' from system.roles where name = '${role}'`
          : `delete from system.role_members where user_id = '${second.id}' and role_id = (select id from system.roles where name = '${role}')`,
      );
    expect(await all()).toEqual([200, 200, 200, 403]);
    await change(`update system.users set active = false where id = '${second.id}'`);
    expect(await all()).toEqual([401, 401, 401, 401]);
    await change(`update system.users set active = true where id = '${second.id}'`);
    expect(await all()).toEqual([200, 200, 200, 403]);
    await membership("Administrators", false);
    expect(await all()).toEqual([401, 401, 200, 403]);
    await membership("Members", false);
    expect(await all()).toEqual([401, 401, 401, 401]);
    await membership("Administrators", true);
    expect(await all()).toEqual([200, 200, 200, 403]);
  });

  it("a token is rejected after its expiry", async () => {
    const { secret } = await make({ lifetime: 1 });
    const owner = await createUser(environment.test.database, "later@example.com", "Members");
    expect(await status("GET", things, secret)).toBe(200);
    await moveClock(environment.test.database, 86_400 - 120);
    expect(await status("GET", things, secret)).toBe(200);
    expect(await status("GET", things, owner.secret)).toBe(401);
    await moveClock(environment.test.database, 86_400 + 1);
    expect(await status("GET", things, secret)).toBe(401);
    await moveClock(environment.test.database, 0);
  });
});

describe("the gate", () => {
  it("finds a token by the keys of its tables alone, without a function call in the plan", async () => {
    const plan = await environment.test.database.query<{ "QUERY PLAN": string }>(
      `explain (verbose, costs off) select u.version from ${callerRowSql("TOKEN", () => "'\\x00'::bytea")}`,
    );
    const text = plan.map((line) => line["QUERY PLAN"]).join("\n");
    expect(text).not.toContain("clock()");
    expect(text).toContain("now()");
  });
});

describe("the regular expression for secret scanners", () => {
  it("finds every kind of secret in a text, and equals that of the page", async () => {
    const page = await readFile(
      new URL("../../../docs/authentication.md", import.meta.url),
      "utf8",
    );
    const pattern = /```regex\n(.*)\n```/.exec(page)?.[1] ?? "";
    for (const kind of ["SESSION", "TOKEN", "LINK"] as const) {
      const secret = createSecret(kind);
      expect(new RegExp(pattern).exec(`{"key":"${secret}"}`)?.[0]).toBe(secret);
      expect(new RegExp(pattern).test(`x${secret}`)).toBe(false);
      expect(new RegExp(pattern).test(secret.slice(0, -1))).toBe(false);
    }
  });
});
