// Tier: long. Waits for the heartbeat of a plan.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@rowhouse/db";
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyPlan, planConfiguration, readStoredPlan } from "../src/index.ts";
import { type Configurator, createConfigurator, faultsOf, root } from "./configuration.ts";

let test: TestDatabase;
let own: Configurator;
beforeEach(async () => {
  test = await createTestDatabase();
  own = await createConfigurator(test);
});
afterEach(() => test.drop());

const clerks = { ...root("roles"), "roles/Clerks.yaml": "description: Those who write\n" };
const stateOf = async (planId: string) => (await readStoredPlan(test.service, planId)).state;

/** Holds a lock that an apply waits for, until `work` ends. */
function locked<Result>(work: () => Promise<Result>): Promise<Result> {
  return test.database.transaction(async (transaction) => {
    await transaction.query("lock table system.epoch in exclusive mode");
    return work();
  });
}

describe("a stored plan", () => {
  it("is returned as it was answered, with its state", async () => {
    const made = await own.plan(clerks);
    expect(made).toMatchObject({ state: "PLANNED", attempts: 0, applyId: null, errors: null });
    expect(await readStoredPlan(test.service, made.planId)).toEqual(made);
    const { applyId } = await own.apply(made);
    expect(await readStoredPlan(test.service, made.planId)).toEqual({
      ...made,
      ...{ state: "APPLIED", attempts: 1, applyId },
    });
    expect(await faultsOf(readStoredPlan(test.service, randomUUID()))).toEqual([
      expect.stringContaining("NOT_FOUND"),
    ]);
  });

  it("is applied once, however often its apply is asked for", async () => {
    const made = await own.plan(clerks);
    const request = { planId: made.planId, digest: made.digest, consents: [] };
    const applies = await Promise.all(
      [1, 2, 3].map(() => applyPlan(test.service, request, own.caller).catch((error) => error)),
    );
    const done = applies.filter(({ state }) => state === "APPLIED");
    expect(done.length).toBeGreaterThan(0);
    for (const one of applies) {
      if (!done.includes(one)) expect(one.faults[0]).toMatchObject({ code: "CONFLICT" });
    }
    const again = await own.apply(made);
    expect(again).toMatchObject({ applyId: done[0].applyId, steps: 1, isRepeated: true });
    // Also one without steps, whose digest stays as it is.
    const empty = await own.plan(clerks);
    const first = await own.apply(empty);
    expect(await own.apply(empty)).toEqual({ ...first, isRepeated: true });
  });

  it("of another build, or of none, is stale", async () => {
    for (const build of ["'other'", "null"]) {
      const made = await own.plan(clerks);
      await test.database.query(`update system.configuration_plans set build = ${build}`);
      expect(await faultsOf(own.apply(made))).toEqual([
        "PLAN_STALE -:-:- Another version of the service has made the plan; make a new plan",
      ]);
    }
  });

  it("says which step is in progress, and refuses another apply meanwhile", async () => {
    const made = await own.plan(clerks);
    const applying = await locked(async () => {
      const begun = own.apply(made);
      await expect.poll(() => stateOf(made.planId)).toBe("APPLYING");
      expect(await readStoredPlan(test.service, made.planId)).toMatchObject({
        ...{ attempts: 1, done: 0, current: { kind: "role.create", subject: "Clerks" } },
      });
      expect(await faultsOf(own.apply(made))).toEqual(["CONFLICT -:-:- The plan is being applied"]);
      return { begun };
    });
    expect(await applying.begun).toMatchObject({ state: "APPLIED", isRepeated: false });
    expect(await stateOf(made.planId)).toBe("APPLIED");
  });

  it("keeps the fault of its last apply, and can be applied again", async () => {
    await own.set(clerks);
    const made = await own.plan(root("roles"));
    expect(await faultsOf(own.apply(made))).toHaveLength(1);
    expect(await readStoredPlan(test.service, made.planId)).toMatchObject({
      state: "FAILED",
      attempts: 1,
      errors: [{ code: "BODY_INVALID", path: "/data/consents" }],
    });
    await own.apply(made, ["drop:role:Clerks"]);
    expect(await stateOf(made.planId)).toBe("APPLIED");
  });

  it("is not in progress for ever if its process has ended", async () => {
    const made = await own.plan(clerks);
    await test.database.query(
      "update system.configuration_plans set attempts = 1, step = 0, touched_at = system.clock() - interval '11 s'",
    );
    expect(await readStoredPlan(test.service, made.planId)).toMatchObject({
      state: "FAILED",
      errors: [{ code: "SERVICE_UNAVAILABLE" }],
    });
    expect(await own.apply(made)).toMatchObject({ state: "APPLIED" });
  });

  it("is applied if only the answer to its commit was lost", async () => {
    const made = await own.plan(clerks);
    const losing: Database = {
      ...test.service,
      stage: async (work, options) => {
        await test.service.stage(work, options);
        throw new Error("The connection was lost");
      },
    };
    const request = { planId: made.planId, digest: made.digest, consents: [] };
    const applied = await applyPlan(losing, request, own.caller);
    expect(applied).toMatchObject({ state: "APPLIED", steps: 1 });
    expect(await stateOf(made.planId)).toBe("APPLIED");
  });
});

describe("a caller who waits for some time only", () => {
  const waitMs = 50;

  it("gets the plan by its id", async () => {
    const made = await locked(async () => {
      const begun = await planConfiguration(test.service, clerks, {}, own.caller, { waitMs });
      expect(begun).toMatchObject({ state: "PLANNING", digest: "", steps: [] });
      expect(await stateOf(begun.planId)).toBe("PLANNING");
      return begun;
    });
    await expect.poll(() => stateOf(made.planId)).toBe("PLANNED");
    const plan = await readStoredPlan(test.service, made.planId);
    expect(plan.steps).toHaveLength(1);
    await own.apply(plan);
  });

  it("gets the faults of the plan by its id", async () => {
    const files = { ...clerks, "settings.yaml": "data.default_limit: 7\n" };
    const wrong = {
      ...files,
      ...root("roles", "views"),
      "views/public/v.yaml": "",
      "views/public/v.sql": "select x\n",
    };
    const made = await locked(() =>
      planConfiguration(test.service, wrong, {}, own.caller, { waitMs }),
    );
    await expect.poll(() => stateOf(made.planId)).toBe("FAILED");
    const { errors } = await readStoredPlan(test.service, made.planId);
    expect(errors?.[0]?.details).toMatchObject({ file: expect.stringContaining("views/public/v") });
  });

  it("gets the apply by the id of its plan", async () => {
    const { planId, digest } = await own.plan(clerks);
    const request = { planId, digest, consents: [] };
    const begun = await locked(() => applyPlan(test.service, request, own.caller, { waitMs }));
    expect(begun).toMatchObject({ state: "APPLYING", applyId: null });
    await expect.poll(() => stateOf(planId)).toBe("APPLIED");
  });
});

describe("a caller who leaves", () => {
  const sessions = () =>
    test.database.query(
      "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null",
    );

  it("ends the plan and its transaction", async () => {
    await locked(async () => {
      const caller = new AbortController();
      const planning = planConfiguration(test.service, clerks, {}, own.caller, {
        signal: caller.signal,
      }).catch((error: unknown) => error);
      // The session of the test that holds the lock, and that of the plan.
      await expect.poll(sessions).toHaveLength(2);
      caller.abort();
      await planning;
      await expect.poll(sessions).toHaveLength(1);
    });
  });

  it("ends the plan also by no longer asking for it", async () => {
    await locked(async () => {
      const made = await planConfiguration(test.service, clerks, {}, own.caller, { waitMs: 50 });
      await test.database.query(
        "update system.configuration_plans set asked_at = system.clock() - interval '61 s'",
      );
      await expect.poll(sessions, { timeout: 10_000 }).toHaveLength(1);
      await sleep(50);
      expect(await stateOf(made.planId)).toBe("FAILED");
    });
  });
});
