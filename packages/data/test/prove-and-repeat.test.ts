import { createPrincipalCache, parseSecret } from "@rowhouse/access";
import { createSnapshotStore, readPostgresFailure } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { createRole, createTestDatabase, createUser, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ProofOutcome,
  proveAndRepeat,
  type RepeatOptions,
} from "../src/answer/prove-and-repeat.ts";

let test: TestDatabase;
let run: (
  outcomeOf: (attempt: number) => Promise<ProofOutcome<string>>,
  options?: Omit<RepeatOptions, "caller">,
) => Promise<{ readonly attempts: number; readonly result: unknown }>;
let roles = 0;

beforeAll(async () => {
  test = await createTestDatabase({ login: "service" });
  await createRole(test.database, "Members");
  const user = await createUser(test.database, "member@example.com", "Members");
  const credential = parseSecret(user.secret);
  if (credential === undefined) throw new Error("not a secret");
  const caller = { kind: "CREDENTIAL", credential } as const;
  // Rights are read and proved by the login that executes statements on rows.
  const database = test.service;
  const principals = createPrincipalCache(database.service, { record: () => {} });
  const dependencies = { database, principals, snapshots: createSnapshotStore(database.service) };
  run = async (outcomeOf, options) => {
    let attempts = 0;
    const result = await proveAndRepeat(dependencies, { caller, ...options }, () => {
      attempts += 1;
      return outcomeOf(attempts);
    }).catch((error: unknown) => error);
    return { attempts, result };
  };
});
afterAll(() => test.drop());

/** Makes every snapshot of this moment stale. */
const changeRights = (): Promise<unknown> => {
  roles += 1;
  return createRole(test.database, `Role ${roles}`);
};

const done = { kind: "PROVEN", value: "done" } as const;
const explained = createError("CONFLICT");

/** A failure of PostgreSQL with this SQLSTATE, as an attempt reports it. */
const failed = async (state: string): Promise<ProofOutcome<string>> => {
  const raise = `do $$ begin raise exception using errcode = '${state}'; end $$`;
  const error: unknown = await test.database.query(raise).catch((thrown: unknown) => thrown);
  expect(readPostgresFailure(error)?.code).toBe(state);
  return { kind: "FAILED", error, explain: async () => explained };
};

describe("an attempt", () => {
  it("that proved its rights ends the loop", async () => {
    expect(await run(async () => done)).toEqual({ attempts: 1, result: "done" });
  });

  it("without a proof counts only if its rights are still current", async () => {
    const current = await run(async () => ({ kind: "UNPROVEN", value: "done" }));
    expect(current).toEqual({ attempts: 1, result: "done" });
    const stale = await run(async (attempt) => {
      if (attempt === 1) await changeRights();
      return { kind: "UNPROVEN", value: `attempt ${attempt}` };
    });
    expect(stale).toEqual({ attempts: 2, result: "attempt 2" });
  });

  it.each([
    ["an unknown part", null],
    ["a stale snapshot", { snapshot: true, principal: false }],
    ["a stale principal", { snapshot: false, principal: true }],
  ])("that reports %s is repeated", async (_, part) => {
    const stale = { kind: "STALE", part } as const;
    const repeated = await run(async (attempt) => (attempt === 1 ? stale : done));
    expect(repeated).toEqual({ attempts: 2, result: "done" });
  });

  it("is answered although the rights change before each of its first proofs", async () => {
    const answered = await run(async (attempt) => {
      if (attempt <= 12) await changeRights();
      return { kind: "UNPROVEN", value: `attempt ${attempt}` };
    });
    expect(answered).toEqual({ attempts: 13, result: "attempt 13" });
  });

  it("does not wait for a transaction that has changed rights and does not end", async () => {
    await test.database.transaction(async (transaction) => {
      await transaction.query("select system.bump_epoch()");
      const stale = { kind: "STALE", part: null } as const;
      const repeated = await run(async (attempt) => (attempt < 4 ? stale : done));
      expect(repeated).toEqual({ attempts: 4, result: "done" });
    });
    const current = await run(async () => ({ kind: "UNPROVEN", value: "done" }));
    expect(current).toEqual({ attempts: 2, result: "done" });
  });

  it("is repeated for two seconds at most", async () => {
    const { attempts, result } = await run(async () => ({ kind: "REPEAT" }));
    expect(attempts).toBe(27);
    expect(result).toMatchObject({ code: "SERVICE_UNAVAILABLE", headers: { "Retry-After": "1" } });
  });
});

describe("an error", () => {
  const refusal = createError("NOT_FOUND");

  it("is reported at once if its rights are current", async () => {
    const refused = await run(() => Promise.reject(refusal));
    expect(refused).toEqual({ attempts: 1, result: refusal });
  });

  it("that stale rights caused is not reported", async () => {
    const refused = await run(async (attempt) => {
      if (attempt > 1) return done;
      await changeRights();
      throw refusal;
    });
    expect(refused).toEqual({ attempts: 2, result: "done" });
  });

  it("of a caller that has left is SERVICE_UNAVAILABLE without another attempt", async () => {
    const isAbandoned = () => true;
    const { attempts, result } = await run(() => Promise.reject(refusal), { isAbandoned });
    expect(attempts).toBe(1);
    expect(result).toMatchObject({ code: "SERVICE_UNAVAILABLE", cause: refusal });
  });
});

describe("a failed statement", () => {
  it.each(["40001", "40P01"])(
    "with SQLSTATE %s is repeated outside a transaction",
    async (state) => {
      const repeated = await run(async (attempt) => (attempt === 1 ? failed(state) : done));
      expect(repeated).toEqual({ attempts: 2, result: "done" });
    },
  );

  it.each(["40001", "23505"])(
    "with SQLSTATE %s ends the transaction of its caller",
    async (state) => {
      const ended = await run(() => failed(state), { on: test.database });
      expect(ended).toEqual({ attempts: 1, result: explained });
    },
  );

  it("is explained if its rights are current", async () => {
    expect(await run(() => failed("23505"))).toEqual({ attempts: 1, result: explained });
  });

  it("under stale rights is repeated, and in a transaction left to its owner", async () => {
    const failsOnce = async (attempt: number): Promise<ProofOutcome<string>> => {
      if (attempt > 1) return done;
      await changeRights();
      return failed("23505");
    };
    expect(await run(failsOnce)).toEqual({ attempts: 2, result: "done" });
    const { attempts, result } = await run(failsOnce, { on: test.database });
    expect(attempts).toBe(1);
    expect(result).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  it("of an unavailable server is reported without a proof", async () => {
    const { attempts, result } = await run(() => failed("53300"));
    expect(attempts).toBe(1);
    expect(readPostgresFailure(result)?.code).toBe("53300");
  });
});
