// Tier: all. One of the slowest.
import { createToken, createUser, runAs, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
});
afterAll(() => environment.test.drop());

const filesOf = (role: string) => ({
  "rowhouse.yaml": "version: 1\nparts: [roles]\n",
  "roles/Drivers.yaml": "apiAccess: false\n",
  [`roles/${role}.yaml`]: "description: New\n",
});
const plan = (role: string, secret?: string, more: object = {}) =>
  environment.ask("POST", "/configuration/plan", { files: filesOf(role), ...more }, secret);
const stateOf = async (planId: string) =>
  (await environment.ask("GET", `/configuration/plans/${planId}`)).body.data;
const hasRole = async (name: string) => {
  const find = "select from system.roles where name = $1::text";
  return (await environment.test.database.query(find, [name])).length > 0;
};

/** Holds a lock for which every plan and apply waits, until `work` ends. */
function locked<Result>(work: () => Promise<Result>): Promise<Result> {
  return environment.test.database.transaction(async (transaction) => {
    await transaction.query("lock table system.epoch in exclusive mode");
    return work();
  });
}

/** Sessions of plans and applies: all others end their transactions at once. */
async function countSessions(): Promise<number> {
  const rows = await environment.test.database.query(
    `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and wait_event_type = 'Lock'
       and xact_start is not null`,
  );
  return rows.length;
}

describe("an apply whose caller loses the right while it is in progress", () => {
  /** Runs a statement with an id in the place of `$1`, as another administrator. */
  const query = (text: string, id: string) =>
    runAs(environment.test.database, environment.admin.id, text.replace("$1::text", `'${id}'`));
  const cases: Record<
    string,
    [number, string, (user: TestUser, token: string) => Promise<unknown>]
  > = {
    "a revoked token": [
      401,
      "token",
      (_, token) =>
        query("update system.tokens set revoked_at = now() where id = $1::text::uuid", token),
    ],
    "an expired token": [
      401,
      "token",
      (_, token) =>
        query(
          "update system.tokens set expires_at = now() - interval '1 s' where id = $1::text::uuid",
          token,
        ),
    ],
    "a session that was signed out": [
      401,
      "session",
      ({ id }) => query("delete from system.sessions where user_id = $1::text::uuid", id),
    ],
    "an account that was deactivated": [
      401,
      "session",
      ({ id }) => query("update system.users set active = false where id = $1::text::uuid", id),
    ],
    "a token whose owner left Administrators": [
      401,
      "token",
      ({ id }) => query("delete from system.role_members where user_id = $1::text::uuid", id),
    ],
    "a session whose owner left Administrators": [
      403,
      "session",
      ({ id }) => query("delete from system.role_members where user_id = $1::text::uuid", id),
    ],
  };

  it.each(Object.entries(cases))("changes nothing: %s", async (name, [status, kind, take]) => {
    const { database } = environment.test;
    const user = await createUser(
      database,
      `${name.replaceAll(" ", "-")}@example.com`,
      "Administrators",
    );
    const token = await createToken(database, user.id, "admin");
    const secret = kind === "token" ? token.secret : user.secret;
    const role = `Role of ${name}`;
    // The plan of another administrator, which outlives this one.
    const made = (await plan(role)).body.data;
    const request = { planId: made.planId, digest: made.digest };
    const applying = await locked(async () => {
      const sent = environment.ask("POST", "/configuration/apply", request, secret);
      await expect.poll(async () => (await stateOf(made.planId)).state).toBe("APPLYING");
      await take(user, token.id);
      return { sent };
    });
    const answer = await applying.sent;
    expect([answer.status, answer.faults]).toEqual([
      status,
      [status === 401 ? "AUTHENTICATION_REQUIRED" : "ACTION_DENIED"],
    ]);
    expect(await hasRole(role)).toBe(false);
    expect(await stateOf(made.planId)).toMatchObject({ state: "FAILED", applyId: null });
  });

  it("changes nothing if the right is being taken in a transaction that has not ended", async () => {
    const { database } = environment.test;
    const user = await createUser(database, "late@example.com", "Administrators");
    const made = (await plan("Late")).body.data;
    const request = { planId: made.planId, digest: made.digest };
    const sent = await database.transaction(async (transaction) => {
      await transaction.query("delete from system.sessions where user_id = $1::text::uuid", [
        user.id,
      ]);
      const applying = environment.ask("POST", "/configuration/apply", request, user.secret);
      await expect.poll(countSessions).toBe(1);
      return { applying };
    });
    expect((await sent.applying).status).toBe(401);
    expect(await hasRole("Late")).toBe(false);
  });
});

describe("plans and applies", () => {
  it("are at most one of a caller and two in all at once, and others are served", async () => {
    const { database } = environment.test;
    const others = await Promise.all(
      ["second", "third"].map((name) =>
        createUser(database, `${name}@example.com`, "Administrators"),
      ),
    );
    const { own, foreign } = await locked(async () => {
      const own = Array.from({ length: 24 }, () => plan("Many"));
      await expect.poll(countSessions).toBe(1);
      const [second, third] = others.map(({ secret }) => secret);
      const foreign = [plan("Many", second)];
      await expect.poll(countSessions).toBe(2);
      foreign.push(plan("Many", third));
      for (let request = 0; request < 10; request += 1) {
        expect((await environment.ask("GET", "/users")).status).toBe(200);
        expect((await environment.ask("GET", "/configuration/managed")).status).toBe(200);
        expect(await countSessions()).toBe(2);
      }
      return { own, foreign };
    });
    const answers = await Promise.all(own);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBe(24 - 5);
    for (const { status, headers } of refused) {
      expect([status, headers.get("retry-after")]).toEqual([429, "5"]);
    }
    for (const { status } of await Promise.all(foreign)) expect(status).toBe(200);
  });

  it("answer within the time that their caller waits, and can be asked for", async () => {
    const made = await locked(async () => {
      const { status, body } = await plan("Slow", undefined, { wait: 1 });
      expect([status, body.data.state]).toEqual([200, "PLANNING"]);
      return body.data;
    });
    await expect.poll(async () => (await stateOf(made.planId)).state).toBe("PLANNED");
    const { planId, digest } = await stateOf(made.planId);
    const applying = await locked(async () => {
      const request = { planId, digest, wait: 1 };
      return environment.ask("POST", "/configuration/apply", request);
    });
    expect(applying.body.data).toMatchObject({ state: "APPLYING", applyId: null });
    await expect.poll(async () => (await stateOf(planId)).state).toBe("APPLIED");
    expect(await hasRole("Slow")).toBe(true);
  });

  it("of a caller who leaves: the plan ends, the apply goes on", async () => {
    const made = (await plan("Left")).body.data;
    const consents = ["drop:role:Slow"];
    const caller = new AbortController();
    const { signal } = caller;
    await locked(async () => {
      const planning = environment.raw(
        "POST",
        "/configuration/plan",
        { files: filesOf("Left") },
        signal,
      );
      await expect.poll(countSessions).toBe(1);
      caller.abort();
      await planning.catch(() => {});
      await expect.poll(countSessions).toBe(0);
    });
    const second = new AbortController();
    const request = { planId: made.planId, digest: made.digest, consents };
    const applying = await locked(async () => {
      const sent = environment.raw("POST", "/configuration/apply", request, second.signal);
      await expect.poll(async () => (await stateOf(made.planId)).state).toBe("APPLYING");
      second.abort();
      return { sent };
    });
    await applying.sent.catch(() => {});
    await expect.poll(async () => (await stateOf(made.planId)).state).toBe("APPLIED");
  });
});
