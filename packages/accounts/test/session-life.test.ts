import {
  createSecret,
  digestSecret,
  hashPassword,
  loadPrincipal,
  parseSecret,
} from "@rowhouse/access";
import { createSnapshotStore, type SnapshotStore } from "@rowhouse/db";
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
  auditActorOf,
  changePassword,
  endSession,
  listSessions,
  purgeIdentity,
  resetPassword,
  signIn,
  signOut,
} from "../src/index.ts";

let test: TestDatabase;
let snapshots: SnapshotStore;
beforeAll(async () => {
  test = await createTestDatabase();
  snapshots = createSnapshotStore(test.database);
  await test.database.query("insert into system.roles (name) values ('Members')");
  await test.database.query(
    "insert into system.settings (key, value) values ('auth.session_ttl_hours', '10')",
  );
});
afterAll(() => test.drop());

const hour = 3600;
const lifetime = 10 * hour;
const origin = { address: "192.0.2.1", requestId: "r", userAgent: null };
const passwords = ["correct horse battery staple", "another horse battery staple"] as const;

/**
 * The rules for one user's sessions: each lives for `lifetime` unless it ends earlier, and counts only while the
 * account is active.
 */
interface Model {
  now: number;
  active: boolean;
  password: 0 | 1;
  /** Every session ever opened; ending one moves its end to the past. */
  sessions: { readonly secret: string; end: number }[];
}
interface Real {
  readonly userId: string;
  readonly email: string;
}

const principalOf = async (secret: string) => {
  const credential = parseSecret(secret);
  if (credential === undefined) throw new Error("not a secret");
  return loadPrincipal(test.database, { kind: "CREDENTIAL", credential });
};
const enter = async (real: Real, password: string) =>
  signIn(test.database, await snapshots.fresh(), { email: real.email, password }, origin);
const living = (model: Model) => model.sessions.filter(({ end }) => end > model.now);
const isGood = (model: Model, end: number) => model.active && end > model.now;

async function compare(model: Model): Promise<void> {
  const found = await Promise.all(model.sessions.map(({ secret }) => principalOf(secret)));
  expect(found.map((principal) => principal !== undefined)).toEqual(
    model.sessions.map(({ end }) => isGood(model, end)),
  );
}

type Command = fc.AsyncCommand<Model, Real>;
const command = (
  name: string,
  check: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command => ({
  check,
  toString: () => name,
  run: async (model, real) => {
    await run(model, real);
    await compare(model);
  },
});
/** One of the active sessions, by an index that is valid for any list. */
const pick = (model: Model, index: number) => {
  const list = living(model);
  const session = list[index % list.length];
  if (session === undefined) throw new Error("no session");
  return session;
};
const principalFor = async (secret: string) => {
  const principal = await principalOf(secret);
  if (principal === undefined) throw new Error("no principal");
  return principal;
};

const commands = [
  fc.constantFrom<0 | 1>(0, 1).map((guess) =>
    command(
      `signIn(${guess})`,
      () => true,
      async (model, real) => {
        // The throttle has its own tests; here every attempt is verified.
        await test.database.query("delete from system.sign_in_attempts");
        if (!model.active || guess !== model.password) {
          await expect(enter(real, passwords[guess])).rejects.toMatchObject({
            code: "INVALID_CREDENTIALS",
          });
          return;
        }
        const { token } = await enter(real, passwords[guess]);
        model.sessions.push({ secret: token, end: model.now + lifetime });
      },
    ),
  ),
  fc.nat(9).map((index) =>
    command(
      `signOut(${index})`,
      (model) => model.active && living(model).length > 0,
      async (model) => {
        const session = pick(model, index);
        await signOut(test.database, await principalFor(session.secret), origin);
        session.end = model.now;
      },
    ),
  ),
  fc.tuple(fc.nat(9), fc.nat(9)).map(([by, of]) =>
    command(
      `endSession(${by}, ${of})`,
      (model) => model.active && living(model).length > 0,
      async (model, real) => {
        const own = await principalFor(pick(model, by).secret);
        const target = pick(model, of);
        const listed = await listSessions(test.database, real.userId, own.session?.id ?? null);
        expect(listed).toHaveLength(living(model).length);
        const { session } = await principalFor(target.secret);
        await endSession(
          test.database,
          real.userId,
          session?.id ?? "",
          auditActorOf(real.userId, origin),
        );
        target.end = model.now;
      },
    ),
  ),
  fc.nat(9).map((index) =>
    command(
      `changePassword(${index})`,
      (model) => model.active && living(model).length > 0,
      async (model) => {
        await test.database.query("delete from system.sign_in_attempts");
        const session = pick(model, index);
        const next = model.password === 0 ? 1 : 0;
        await changePassword(
          test.database,
          await principalFor(session.secret),
          { currentPassword: passwords[model.password], newPassword: passwords[next] },
          origin,
        );
        model.password = next;
        for (const other of living(model)) if (other !== session) other.end = model.now;
      },
    ),
  ),
  fc.constantFrom<0 | 1>(0, 1).map((next) =>
    command(
      `resetPassword(${next})`,
      () => true,
      async (model, real) => {
        const token = createSecret("LINK");
        await test.database.query(
          `insert into system.links (digest, kind, user_id, expires_at)
           values ('${digestSecret(token)}', 'RESET', '${real.userId}', system.clock() + interval '1 minute')
           on conflict (user_id, kind) do update set digest = excluded.digest, expires_at = excluded.expires_at`,
        );
        const input = { token, password: passwords[next] };
        if (!model.active) {
          await expect(resetPassword(test.database, input, origin)).rejects.toMatchObject({
            code: "BODY_INVALID",
          });
          return;
        }
        await resetPassword(test.database, input, origin);
        model.password = next;
        for (const session of living(model)) session.end = model.now;
      },
    ),
  ),
  fc.boolean().map((active) =>
    command(
      active ? "activate" : "deactivate",
      () => true,
      async (model, real) => {
        await test.database.query(
          `update system.users set active = ${active} where id = '${real.userId}'`,
        );
        model.active = active;
      },
    ),
  ),
  fc.constantFrom(1, 5, 9, 11).map((hours) =>
    command(
      `wait(${hours} h)`,
      () => true,
      async (model) => {
        model.now += hours * hour + 60;
        await moveClock(test.database, model.now);
      },
    ),
  ),
  fc.constant(
    command(
      "purge",
      () => true,
      async () => {
        await purgeIdentity(test.database, 30);
      },
    ),
  ),
];

describe("sessions of a user", () => {
  it("a session is valid exactly until its end under any sequence of sign-ins, changes and waits", async () => {
    const hashes = await Promise.all(passwords.map(hashPassword));
    let serial = 0;
    let moment = 0;
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 14 }), async (sequence) => {
        serial += 1;
        const email = `person${serial}@example.com`;
        const { id } = await createUser(test.database, email, "Members");
        await test.database.query(`delete from system.sessions where user_id = '${id}'`);
        await test.database.query(
          "update system.users set password_hash = $1::text where id = $2::text::uuid",
          [hashes[0] ?? "", id],
        );
        const model: Model = { now: moment, active: true, password: 0, sessions: [] };
        await fc.asyncModelRun(() => ({ model, real: { userId: id, email } }), sequence);
        moment = model.now;
      }),
      { numRuns: generatedRuns(20) },
    );
  });
});
