// Tiers: all, topologies. One of the slowest.
import { hasRedis, isInProcess, type RedisServer, startRedis } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Limits on sign-in attempts and requested mails of one source, counted in PostgreSQL and in Redis.

const nothing = { token: "nonsense", password: "correct horse battery staple" };
const attempts: readonly (readonly [string, string, unknown])[] = [
  ["POST", "/api/auth/login", { email: "nobody@example.com", password: "wrong" }],
  ["POST", "/api/auth/password/reset", nothing],
  ["POST", "/api/auth/email/verify", { token: "nonsense" }],
  ["POST", "/api/auth/invitations/accept", nothing],
  ["POST", "/api/auth/oauth/exchange", { code: "nonsense" }],
  ["GET", "/api/auth/oauth/nobody", undefined],
  ["GET", "/api/auth/oauth/nobody/callback", undefined],
];
/** Returns a response without the parts that differ between any two requests. */
const shape = (answer: Answer) => [
  answer.status,
  [...answer.headers].filter(([name]) => name !== "x-request-id" && name !== "retry-after"),
  answer.text,
];

describe.each(["POSTGRES", "REDIS"] as const)("one source, counted in %s", (backend) => {
  describe.runIf(backend === "POSTGRES" || hasRedis())("", () => {
    let redis: RedisServer | undefined;
    let environment: TestEnvironment;
    let second: TestEnvironment;
    let serial = 0;
    /** A source without counted requests. */
    const source = () => {
      serial += 1;
      return `198.51.100.${serial}`;
    };
    beforeAll(async () => {
      redis = backend === "REDIS" ? await startRedis() : undefined;
      const options = redis === undefined ? {} : { redisUrl: redis.url };
      environment = await openTestEnvironment(options);
      second = await environment.again();
      await environment.set("auth.attempts_per_minute", 10);
      await environment.set("auth.mails_per_minute", 5);
    });
    afterAll(async () => {
      await second.stop();
      await environment.stop();
      await redis?.stop();
    });

    it("may try so many times per minute over two processes, and gets Retry-After", async () => {
      const from = source();
      const body = { email: "nobody@example.com", password: "wrong" };
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          (index % 2 === 0 ? environment : second).ask("POST", "/api/auth/login", { body, from }),
        ),
      );
      const refused = answers.filter((answer) => answer.status === 429);
      expect(refused).toHaveLength(20);
      expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10);
      for (const answer of refused) {
        expect(answer.faults).toEqual(["RATE_LIMIT_EXCEEDED"]);
        const seconds = Number(answer.headers.get("retry-after"));
        expect(seconds).toBeGreaterThanOrEqual(1);
        expect(seconds).toBeLessThanOrEqual(60);
      }
      const other = await environment.ask("POST", "/api/auth/login", { body, from: source() });
      expect(other.status).toBe(401);
    });

    it("has one count for sign-ins, links and providers", async () => {
      const from = source();
      const statuses: number[] = [];
      for (const [method, path, body] of [...attempts, ...attempts]) {
        const { status, headers } = await environment.ask(method, path, { body, from });
        // A callback redirects the browser to a page.
        const isPage = headers.get("location")?.endsWith("#error=rate_limited") === true;
        statuses.push(isPage ? 429 : status);
      }
      expect(statuses.slice(0, 10)).not.toContain(429);
      expect(statuses.slice(10)).toEqual([429, 429, 429, 429]);
    });

    it("is rejected with the same response for every account, also with the correct password", async () => {
      const from = source();
      const ask = (email: string) =>
        environment.ask("POST", "/api/auth/login", { body: { email, password: "wrong" }, from });
      for (let call = 0; call < 10; call += 1) await ask("nobody@example.com");
      const [absent, known] = [
        await ask("nobody@example.com"),
        await ask(environment.member.email),
      ];
      expect(shape(known)).toEqual(shape(absent));
      expect(known.status).toBe(429);
      // Nothing was counted against the account.
      const rows = await environment.test.database.query(
        "select 1 from system.sign_in_attempts where address_digest = sha256($1::text::bytea)",
        [environment.member.email],
      );
      expect(rows).toEqual([]);
    });

    it("may request fewer mails than that, and causes no others", async () => {
      const from = source();
      const statuses: number[] = [];
      for (const path of ["password/forgot", "email/resend", "register", "password/forgot"]) {
        for (let call = 0; call < 2; call += 1) {
          const body =
            path === "register"
              ? { email: "new@example.com", password: "correct horse battery staple", name: "" }
              : { email: environment.member.email };
          statuses.push(
            (await environment.ask("POST", `/api/auth/${path}`, { body, from })).status,
          );
        }
      }
      expect(statuses).toEqual([204, 204, 204, 204, 404, 429, 429, 429]);
      const body = { email: environment.member.email, password: "wrong" };
      expect((await environment.ask("POST", "/api/auth/login", { body, from })).status).toBe(401);
    });

    it("is the /64 of an IPv6 address, and an IPv4 address in any notation", async () => {
      const body = { email: "nobody@example.com" };
      const forgot = async (from: string) =>
        (await environment.ask("POST", "/api/auth/password/forgot", { body, from })).status;
      for (let call = 1; call <= 5; call += 1) {
        expect(await forgot(`2001:db8:0:7:${call}::${call}`)).toBe(204);
      }
      expect(await forgot("2001:db8:0:7:ffff::1")).toBe(429);
      expect(await forgot("2001:db8:0:8::1")).toBe(204);
      for (let call = 1; call <= 5; call += 1) expect(await forgot("203.0.113.9")).toBe(204);
      expect(await forgot("::ffff:203.0.113.9")).toBe(429);
    });

    it("does not depend on headers", async () => {
      const from = source();
      const statuses: number[] = [];
      for (let call = 0; call < 6; call += 1) {
        const address = `203.0.113.${call}`;
        const headers = {
          "X-Forwarded-For": address,
          Forwarded: `for=${address}`,
          "X-Real-IP": address,
        };
        const body = { email: "nobody@example.com" };
        const answer = await environment.ask("POST", "/api/auth/password/forgot", {
          body,
          from,
          headers,
        });
        statuses.push(answer.status);
      }
      expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
    });

    it("may do more from the next request on when an administrator raises the limit", async () => {
      const from = source();
      const body = { email: "nobody@example.com" };
      const forgot = async () =>
        (await environment.ask("POST", "/api/auth/password/forgot", { body, from })).status;
      for (let call = 0; call < 5; call += 1) await forgot();
      expect(await forgot()).toBe(429);
      const changed = await environment.ask("PATCH", "/admin/api/settings", {
        as: environment.admin.secret,
        body: { data: { "auth.mails_per_minute": 8 } },
      });
      expect(changed.status, changed.text).toBe(200);
      expect([await forgot(), await forgot(), await forgot()]).toEqual([204, 204, 429]);
      await environment.set("auth.mails_per_minute", 5);
    });
  });
});

describe("the document", () => {
  it("gets the documented rejection on each of these routes", async () => {
    const environment = await openTestEnvironment();
    const { body } = await environment.ask("GET", "/api/openapi", { as: environment.admin.secret });
    const more = ["password/forgot", "email/resend", "register", "password/change", "email/change"];
    const routes = [
      ...attempts.map(([method, path]) => [method, path.replace("nobody", "{provider}")] as const),
      ...more.map((path) => ["POST", `/api/auth/${path}`] as const),
      ["POST", "/api/auth/oauth/{provider}/link"] as const,
    ];
    for (const [method, path] of routes) {
      const operation = body.paths[path]?.[method.toLowerCase()];
      expect([path, Object.keys(operation?.responses ?? {})]).toEqual([
        path,
        expect.arrayContaining(["429"]),
      ]);
    }
    await environment.stop();
  });
});

const isOne = isInProcess("an unavailable Redis: each of two processes would count by itself");
describe.runIf(isOne && hasRedis())("an unavailable Redis", () => {
  let redis: RedisServer;
  let environment: TestEnvironment;
  beforeAll(async () => {
    redis = await startRedis();
    environment = await openTestEnvironment({ redisUrl: redis.url });
    await environment.set("auth.attempts_per_minute", 3);
    await environment.ask("GET", "/api/auth/me", { as: environment.admin.secret });
  });
  afterAll(() => environment.stop());

  it("locks no caller out: each process counts by itself meanwhile", async () => {
    await redis.stop();
    const body = { email: "nobody@example.com", password: "wrong" };
    const statuses: number[] = [];
    for (let call = 0; call < 5; call += 1) {
      statuses.push((await environment.ask("POST", "/api/auth/login", { body })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });
});
