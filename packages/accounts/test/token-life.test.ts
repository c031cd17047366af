import { loadPrincipal, parseSecret } from "@rowhouse/access";
import type { AuditActor } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { createTestDatabase, createUser, moveClock, type TestDatabase } from "@rowhouse/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  activateToken,
  createToken,
  deactivateToken,
  type GracePeriod,
  purgeIdentity,
  readToken,
  regenerateToken,
  revokeToken,
} from "../src/index.ts";

let test: TestDatabase;
let userId: string;
let actor: AuditActor;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.query("insert into system.roles (name) values ('Members')");
  const user = await createUser(test.database, "owner@example.com", "Members");
  userId = user.id;
  actor = { userId, tokenId: null, address: null, requestId: null };
});
afterAll(() => test.drop());

const hour = 3600;
const day = 24 * hour;
const warningDays = 30;
const graceSeconds: Record<GracePeriod, number> = {
  none: 0,
  "1h": hour,
  "24h": day,
  "7d": 7 * day,
};

/** What spec §3 says of one token, in a few lines that share nothing with the implementation. */
interface Model {
  now: number;
  readonly lifetime: number;
  state: "active" | "deactivated" | "revoked";
  expiresAt: number;
  /** Every secret there ever was, with the moment at which it ends by itself. */
  secrets: { readonly secret: string; end: number }[];
}
interface Real {
  readonly id: string;
}

let serial = 0;
const create = async (lifetime: number) => {
  serial += 1;
  const name = `token ${serial}`;
  return createToken(
    test.database,
    { userId, name, description: "", plane: "api", lifetime },
    warningDays,
    actor,
    "",
  );
};
const isGood = async (secret: string): Promise<boolean> => {
  const credential = parseSecret(secret);
  if (credential === undefined) throw new Error("not a secret");
  const principal = await loadPrincipal(test.database, { kind: "CREDENTIAL", credential });
  return principal?.userId === userId;
};
const requestOf = (id: string) => ({ id, owner: userId, actor, warningDays });
const stateOf = (model: Model) =>
  model.state !== "revoked" && model.expiresAt <= model.now ? "expired" : model.state;

async function compare(model: Model, real: Real): Promise<void> {
  const token = await readToken(test.database, real.id, userId, warningDays);
  expect(token.state).toBe(stateOf(model));
  expect(token.expiresSoon).toBe(
    stateOf(model) === "active" && model.expiresAt - model.now <= warningDays * day,
  );
  const good = await Promise.all(model.secrets.map(({ secret }) => isGood(secret)));
  expect(good).toEqual(
    model.secrets.map(({ end }) => stateOf(model) === "active" && end > model.now),
  );
  expect(good.filter(Boolean).length).toBeLessThanOrEqual(2);
}

/** A command that the model allows from some states only; elsewhere it must be refused and change nothing. */
function transition(
  name: string,
  from: readonly string[],
  act: (real: Real) => Promise<{ readonly secret?: string }>,
  effect: (model: Model, secret: string | undefined) => void,
): fc.AsyncCommand<Model, Real> {
  return {
    check: () => true,
    toString: () => name,
    run: async (model, real) => {
      if (from.includes(stateOf(model))) effect(model, (await act(real)).secret);
      else await expect(act(real)).rejects.toMatchObject({ code: "CONFLICT" });
      await compare(model, real);
    },
  };
}

const commands = [
  fc.constantFrom<GracePeriod>("none", "1h", "24h", "7d").map((grace) =>
    transition(
      `regenerate(${grace})`,
      ["active"],
      (real) => regenerateToken(test.database, requestOf(real.id), grace),
      (model, secret) => {
        const living = model.secrets.at(-1);
        for (const older of model.secrets.slice(0, -1)) older.end = Math.min(older.end, model.now);
        if (living !== undefined) {
          living.end = Math.min(living.end, model.now + graceSeconds[grace]);
        }
        model.expiresAt = model.now + model.lifetime * day;
        model.secrets.push({ secret: secret ?? "", end: model.expiresAt });
      },
    ),
  ),
  fc.constant(
    transition(
      "deactivate",
      ["active"],
      (real) => deactivateToken(test.database, requestOf(real.id)).then(() => ({})),
      (model) => {
        model.state = "deactivated";
      },
    ),
  ),
  fc.constant(
    transition(
      "activate",
      ["deactivated"],
      (real) => activateToken(test.database, requestOf(real.id)).then(() => ({})),
      (model) => {
        model.state = "active";
      },
    ),
  ),
  fc.constant(
    transition(
      "revoke",
      ["active", "deactivated"],
      (real) => revokeToken(test.database, requestOf(real.id)).then(() => ({})),
      (model) => {
        model.state = "revoked";
      },
    ),
  ),
  fc.constantFrom(hour / 2, hour, day, 7 * day, 20 * day).map(
    (seconds): fc.AsyncCommand<Model, Real> => ({
      check: () => true,
      toString: () => `wait(${seconds} s)`,
      run: async (model, real) => {
        // A minute more than a round number, so that no boundary is a matter of milliseconds.
        model.now += seconds + 60;
        await moveClock(test.database, model.now);
        await compare(model, real);
      },
    }),
  ),
];

describe("a token's life", () => {
  it("is what spec §3 says, whatever happens in whatever order, with time moved", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands(commands, { maxCommands: 14 }),
        fc.constantFrom(1, 2, 30, 400),
        async (sequence, lifetime) => {
          const token = await create(lifetime);
          const model: Model = {
            now: moment,
            lifetime,
            state: "active",
            expiresAt: moment + lifetime * day,
            secrets: [{ secret: token.secret, end: moment + lifetime * day }],
          };
          await fc.asyncModelRun(() => ({ model, real: { id: token.id } }), sequence);
          // Time never goes back, for the next sequence either.
          moment = model.now;
        },
      ),
      { numRuns: 25 },
    );
  }, 120_000);

  it("ends of two regenerations at once with one living secret, the others gone", async () => {
    for (const grace of ["none", "1h"] as const) {
      const token = await create(30);
      const results = await Promise.all(
        [1, 2, 3].map(() => regenerateToken(test.database, requestOf(token.id), grace)),
      );
      const good = await Promise.all(
        [token.secret, ...results.map((result) => result.secret)].map(isGood),
      );
      expect(good[0]).toBe(false);
      expect(good.filter(Boolean)).toHaveLength(grace === "none" ? 1 : 2);
    }
  });

  it("is over for good some days after its end, and not before", async () => {
    const [revoked, expired, living] = [await create(30), await create(1), await create(400)];
    await revokeToken(test.database, requestOf(revoked.id));
    const isThere = async (id: string) =>
      readToken(test.database, id, null, warningDays).then(
        () => true,
        (error: unknown) => {
          if (error instanceof AppError && error.code === "NOT_FOUND") return false;
          throw error;
        },
      );
    const there = () => Promise.all([revoked, expired, living].map(({ id }) => isThere(id)));
    await moveClock(test.database, moment + 29 * day);
    await purgeIdentity(test.database, 30);
    expect(await there()).toEqual([true, true, true]);
    await moveClock(test.database, moment + 30 * day + 60);
    await purgeIdentity(test.database, 30);
    expect(await there()).toEqual([false, true, true]);
    await moveClock(test.database, moment + 31 * day + 60);
    await purgeIdentity(test.database, 30);
    expect(await there()).toEqual([false, false, true]);
    moment += 31 * day + 60;
  });
});

/** Seconds that the test database is ahead. */
let moment = 0;

describe("invariants of tokens, whichever client writes", () => {
  const run = (text: string) => test.database.query(text);

  it("keep system accounts without tokens", async () => {
    await expect(
      run(`insert into system.tokens (user_id, name, plane, lifetime_days, expires_at)
           select id, 'x', 'api', 1, now() from system.users where is_system`),
    ).rejects.toThrow("A system account holds no token");
  });

  it("keep owner and plane, and a revoked token revoked", async () => {
    const token = await create(3000);
    await expect(
      run(`update system.tokens set plane = 'admin' where id = '${token.id}'`),
    ).rejects.toThrow("do not change");
    await revokeToken(test.database, requestOf(token.id));
    await expect(
      run(`update system.tokens set revoked_at = null where id = '${token.id}'`),
    ).rejects.toThrow("stays revoked");
  });

  it("stop every secret of a token at once that an SQL client suspends, ends or revokes", async () => {
    for (const change of [
      "active = false",
      "expires_at = system.clock()",
      "revoked_at = system.clock()",
    ]) {
      const token = await create(3000);
      const { secret } = await regenerateToken(test.database, requestOf(token.id), "7d");
      const good = () => Promise.all([token.secret, secret].map(isGood));
      expect(await good()).toEqual([true, true]);
      await run(`update system.tokens set ${change} where id = '${token.id}'`);
      expect(await good()).toEqual([false, false]);
    }
  });

  it("keep one name for each of a user's tokens", async () => {
    const token = await create(3000);
    await expect(
      createToken(
        test.database,
        { userId, name: token.name.toUpperCase(), description: "", plane: "api", lifetime: 1 },
        warningDays,
        actor,
        "/data",
      ),
    ).rejects.toMatchObject({ code: "CONFLICT", faults: [{ path: "/data/name" }] });
  });
});
