import {
  createAuthenticator,
  createTokenUseRecorder,
  loadPrincipal,
  parseSecret,
} from "@rowhouse/access";
import { type AuditActor, createSnapshotStore } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import {
  createTestDatabase,
  createUser,
  generatedRuns,
  moveClock,
  type TestDatabase,
} from "@rowhouse/testing";
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
  processes = [startProcess(), startProcess()];
  actor = { userId, tokenId: null, address: null, requestId: null };
});
afterAll(() => test.drop());

/** Seconds by which time is moved, in PostgreSQL and in the processes. */
let moment = 0;
/** The state that each of two processes has: its snapshot store and its recorded token uses. */
const startProcess = () => {
  const uses = createTokenUseRecorder(
    test.database,
    (error) => {
      throw error;
    },
    () => Date.now() + moment * 1000,
  );
  const snapshots = createSnapshotStore(test.database);
  return { uses, authenticator: createAuthenticator(test.database, snapshots, uses) };
};
let processes: readonly [ReturnType<typeof startProcess>, ReturnType<typeof startProcess>];

const hour = 3600;
const day = 24 * hour;
const warningDays = 30;
const graceSeconds: Record<GracePeriod, number> = {
  none: 0,
  "1h": hour,
  "24h": day,
  "7d": 7 * day,
};

/** The rules for one token, in a few lines that share nothing with the implementation. */
interface Model {
  now: number;
  /** When the last use was written, and when each process last recorded a use. */
  lastUsed: number | null;
  readonly heard: [number | null, number | null];
  revokedAt: number | null;
  isPurged: boolean;
  readonly lifetime: number;
  state: "active" | "deactivated" | "revoked";
  expiresAt: number;
  /** Every secret ever issued, with the moment of its expiry. */
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

/** Seconds that may pass between an action and its check; no wait is this close to a minute. */
const toleranceS = 12;

async function compare(model: Model, real: Real): Promise<void> {
  if (model.isPurged) {
    const reading = readToken(test.database, real.id, userId, warningDays);
    await expect(reading).rejects.toMatchObject({ code: "NOT_FOUND" });
    const found = await Promise.all(model.secrets.map(({ secret }) => isGood(secret)));
    expect(found).not.toContain(true);
    return;
  }
  const token = await readToken(test.database, real.id, userId, warningDays);
  expect(token.state).toBe(stateOf(model));
  if (model.lastUsed === null) expect(token.lastUsedAt).toBeNull();
  else {
    const ahead = (Date.parse(token.lastUsedAt ?? "") - Date.now()) / 1000;
    expect(Math.abs(ahead - model.lastUsed)).toBeLessThan(toleranceS);
  }
  expect(token.expiresSoon).toBe(
    stateOf(model) === "active" && model.expiresAt - model.now <= warningDays * day,
  );
  const end = model.state === "revoked" ? 0 : (model.secrets.at(-2)?.end ?? 0);
  if (token.previousSecretUntil === null) expect(end).toBeLessThanOrEqual(model.now + toleranceS);
  else {
    const ahead = (Date.parse(token.previousSecretUntil) - Date.now()) / 1000;
    expect(Math.abs(ahead - end)).toBeLessThan(toleranceS);
  }
  const good = await Promise.all(model.secrets.map(({ secret }) => isGood(secret)));
  expect(good).toEqual(
    model.secrets.map(({ end }) => stateOf(model) === "active" && end > model.now),
  );
  expect(good.filter(Boolean).length).toBeLessThanOrEqual(2);
}

/** A command that the model allows from some states only; in the others it must fail and change nothing. */
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
      if (model.isPurged) await expect(act(real)).rejects.toMatchObject({ code: "NOT_FOUND" });
      else if (from.includes(stateOf(model))) effect(model, (await act(real)).secret);
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
        model.expiresAt = model.now + model.lifetime * day;
        if (living !== undefined) {
          living.end = Math.min(model.expiresAt, model.now + graceSeconds[grace]);
        }
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
        model.revokedAt = model.now;
      },
    ),
  ),
  fc.tuple(fc.constantFrom<0 | 1>(0, 1), fc.nat(3)).map(
    ([process, older]): fc.AsyncCommand<Model, Real> => ({
      check: () => true,
      toString: () => `use(process ${process}, ${older} secrets ago)`,
      run: async (model, real) => {
        const used = model.secrets.at(-1 - (older % model.secrets.length));
        if (used === undefined) throw new Error("no secret");
        const { authenticator, uses } = processes[process];
        const entering = authenticator.authenticate(`Bearer ${used.secret}`);
        if (!model.isPurged && stateOf(model) === "active" && used.end > model.now) {
          expect(await entering).toMatchObject({ tokenId: real.id, userId });
          const heard = model.heard[process];
          if (heard === null || model.now - heard >= 60) {
            model.heard[process] = model.now;
            if (model.lastUsed === null || model.now - model.lastUsed >= 60) {
              model.lastUsed = model.now;
            }
          }
        } else {
          await expect(entering).rejects.toMatchObject({ code: "AUTHENTICATION_REQUIRED" });
        }
        await uses.idle();
        await compare(model, real);
      },
    }),
  ),
  fc.constant<fc.AsyncCommand<Model, Real>>({
    check: () => true,
    toString: () => "purge",
    run: async (model, real) => {
      await purgeIdentity(test.database, 30);
      const end = Math.min(model.revokedAt ?? model.expiresAt, model.expiresAt);
      if (end + 30 * day <= model.now) model.isPurged = true;
      await compare(model, real);
    },
  }),
  fc.constantFrom(22, hour / 2, hour, day, 7 * day, 20 * day).map(
    (seconds): fc.AsyncCommand<Model, Real> => ({
      check: () => true,
      toString: () => `wait(${seconds} s)`,
      run: async (model, real) => {
        // A round number plus one minute, so that no boundary depends on milliseconds.
        model.now += seconds === 22 ? seconds : seconds + 60;
        // Moves both clocks: recording the last use reads the clock of the process.
        moment = model.now;
        await moveClock(test.database, model.now);
        await compare(model, real);
      },
    }),
  ),
];

describe("life of a token", () => {
  it("a token and its secrets are valid exactly as its state says under any sequence of commands and waits", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands(commands, { maxCommands: 20 }),
        fc.constantFrom(1, 2, 30, 400),
        async (sequence, lifetime) => {
          const token = await create(lifetime);
          const model: Model = {
            now: moment,
            lastUsed: null,
            heard: [null, null],
            revokedAt: null,
            isPurged: false,
            lifetime,
            state: "active",
            expiresAt: moment + lifetime * day,
            secrets: [{ secret: token.secret, end: moment + lifetime * day }],
          };
          // Time never goes back, not even between sequences.
          await fc.asyncModelRun(() => ({ model, real: { id: token.id } }), sequence);
        },
      ),
      { numRuns: generatedRuns(40) },
    );
  });

  it("two concurrent regenerations equal two sequential ones: the original secret is invalid", async () => {
    const pairs = [
      ["none", "none"],
      ["1h", "1h"],
      ["none", "7d"],
      ["24h", "none"],
    ] as const;
    for (const pair of pairs) {
      const token = await create(30);
      const results = await Promise.all(
        pair.map((grace) => regenerateToken(test.database, requestOf(token.id), grace)),
      );
      const [before, ...after] = await Promise.all(
        [token.secret, ...results.map((result) => result.secret)].map(isGood),
      );
      expect(before).toBe(false);
      const { previousSecretUntil } = await readToken(test.database, token.id, null, warningDays);
      // The second regeneration decides whether the first one's secret gets a grace period.
      expect(after.filter(Boolean)).toHaveLength(previousSecretUntil === null ? 1 : 2);
      if (pair[0] === pair[1]) expect(previousSecretUntil === null).toBe(pair[0] === "none");
    }
  });

  it("an expired or revoked token is purged after the configured number of days, and not before", async () => {
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

describe("invariants of tokens, for every client that writes", () => {
  const run = (text: string) => test.database.query(text);

  it("a system account cannot have a token", async () => {
    await expect(
      run(`insert into system.tokens (user_id, name, plane, lifetime_days, expires_at)
           select id, 'x', 'api', 1, now() from system.users where is_system`),
    ).rejects.toThrow("A system account holds no token");
  });

  it("a token's owner and plane cannot change, and a revoked token stays revoked", async () => {
    const token = await create(3000);
    await expect(
      run(`update system.tokens set plane = 'admin' where id = '${token.id}'`),
    ).rejects.toThrow("do not change");
    await revokeToken(test.database, requestOf(token.id));
    await expect(
      run(`update system.tokens set revoked_at = null where id = '${token.id}'`),
    ).rejects.toThrow("stays revoked");
  });

  it("a token that an SQL client suspends, expires or revokes loses all its secrets at once", async () => {
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

  it("two tokens of one user cannot have the same name", async () => {
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
