import { createHook } from "node:async_hooks";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { hashPassword, verifyPassword } from "@rowhouse/access";
import {
  createSnapshotStore,
  type Database,
  type Queryable,
  type SnapshotStore,
} from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { createRole, createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFirstAdministrator, openAccountMails, register, signIn } from "../src/index.ts";

const rounds = 4;
const password = "correct horse battery staple";
const origin = { address: "192.0.2.1", requestId: "r", userAgent: null };

// The duration of a response is that of its work: sequential statements and hashes. Comparing the work instead of the
// elapsed time gives the same result on every machine and under any load.
const work: string[] = [];
// The native module that hashes does not name its asynchronous operations.
const hook = createHook({
  init: (_id, type) => {
    if (type === "undefined") work.push("hash");
  },
});

/** The same database with a record of every statement. */
function watch(database: Database): Database {
  const watchQueries = <On extends Queryable>(on: On): On => ({
    ...on,
    query: (text: string, ...rest: []) => {
      work.push(text);
      return on.query(text, ...rest);
    },
  });
  return {
    ...watchQueries(database),
    transaction: (run, options) =>
      database.transaction((transaction) => {
        work.push("begin");
        return run(watchQueries(transaction));
      }, options),
  };
}

let test: TestDatabase;
let watched: Database;
let snapshots: SnapshotStore;
beforeAll(async () => {
  hook.enable();
  test = await createTestDatabase();
  watched = watch(test.database);
  snapshots = createSnapshotStore(test.database);
  const hash = await hashPassword(password);
  // Each attempt has its own account, so that only the throttled kind is throttled.
  const roleId = await createRole(test.database, "Members");
  await test.database.query(
    `with people as (
       insert into system.users (email, email_verified_at, active, password_hash)
       select kind || n || '@example.com', now(), kind <> 'inactive', case when kind <> 'provider' then $1::text end
       from unnest(array['wrong', 'again', 'inactive', 'provider', 'locked', 'right']) kind, generate_series(0, ${rounds}) n
       returning id)
     insert into system.role_members (role_id, user_id)
       select $2::text::uuid, id from people`,
    [hash, roleId],
  );
});
afterAll(() => {
  hook.disable();
  return test.drop();
});

const tryOnce = async (email: string, secret: string): Promise<void> => {
  const snapshot = snapshots.peek() ?? (await snapshots.fresh());
  await signIn(watched, snapshot, { email, password: secret }, origin).catch((error) => {
    if (!(error instanceof AppError) || error.code !== "INVALID_CREDENTIALS") throw error;
  });
};

describe("work of a sign-in", () => {
  it("failed sign-ins of all kinds do the same work: the same statements, and one hash at the same position", async () => {
    await test.database.query(
      `insert into system.sign_in_attempts (address_digest, attempts, locked_until, last_at)
       values (sha256('locked0@example.com'), 10, now() + interval '1 day', now())`,
    );
    const attempts: Record<string, Attempt> = {
      wrong: (round) => tryOnce(`wrong${round}@example.com`, "wrong"),
      unknown: (round) => tryOnce(`unknown${round}@example.com`, password),
      impossible: (round) => tryOnce(`no address ${round}`, password),
      locked: () => tryOnce("locked0@example.com", password),
      inactive: (round) => tryOnce(`inactive${round}@example.com`, password),
      provider: (round) => tryOnce(`provider${round}@example.com`, password),
    };
    const done = await workOf(attempts);
    expect(done.filter((step) => step === "hash")).toHaveLength(1);
    expect(done.length).toBeGreaterThan(3);
  });

  it("a password that is not normalized costs two hashes, for every kind of account and also if it is right", async () => {
    const typed = "caf\u00e9 au lait \u00e0 emporter".normalize("NFD");
    const asTyped =
      "$argon2id$v=19$m=19456,t=2,p=1$QOSykQ2Fx/xfmXZitejTPQ$gBsity93bPmJFLKl125y4H10AdyXbH91sIEZ86oP/To";
    for (const hash of [asTyped, await hashPassword(typed), await hashPassword(password)]) {
      await test.database.query(
        "update system.users set password_hash = $1::text where email like 'inactive%' or email like 'wrong%'",
        [hash],
      );
      await test.database.query(
        "delete from system.sign_in_attempts where address_digest <> sha256('locked0@example.com')",
      );
      const done = await workOf({
        unknown: (round) => tryOnce(`unknown${round}@example.com`, typed),
        wrong: (round) => tryOnce(`wrong${round}@example.com`, `${typed}!`),
        inactive: (round) => tryOnce(`inactive${round}@example.com`, typed),
        provider: (round) => tryOnce(`provider${round}@example.com`, typed),
        locked: () => tryOnce("locked0@example.com", typed),
      });
      expect(done.filter((step) => step === "hash")).toHaveLength(2);
    }
  });

  it("every attempt does the same work before and after its account is locked", async () => {
    const attempt = () => tryOnce("again0@example.com", "wrong");
    await workOf(Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`try ${n}`, attempt])));
  });

  it("the event loop continues while a password is hashed", async () => {
    const hash = await hashPassword(password);
    const turnsDuring = async (hashed: Promise<unknown>): Promise<number> => {
      let isDone = false;
      const end = hashed.finally(() => {
        isDone = true;
      });
      let turns = 0;
      for (; !isDone; turns += 1) await nextTurn();
      await end;
      return turns;
    };
    // A hash on the event loop would permit only the turns before and after it.
    for (const begin of [() => hashPassword(password), () => verifyPassword(hash, password)]) {
      expect(await turnsDuring(begin())).toBeGreaterThan(10);
    }
  });
});

it("the password of the first administrator is normalized", async () => {
  const fresh = await createTestDatabase();
  const typed = "cafe\u0301 au lait a\u0300 emporter";
  const email = "first@example.com";
  expect(await createFirstAdministrator(fresh.database, { email, password: typed })).toBe(true);
  const snapshot = await createSnapshotStore(fresh.database).fresh();
  for (const form of ["NFC", "NFD"]) {
    const input = { email, password: typed.normalize(form) };
    expect((await signIn(fresh.database, snapshot, input, origin)).user.email).toBe(email);
  }
  await fresh.drop();
});

describe("work of a registration", () => {
  it("registrations of taken and new addresses do the same work", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rowhouse-timing-"));
    const vault = createVault(() => "a secret of the tests' own");
    const { database } = test;
    const mails = openAccountMails(
      { database, snapshots, vault },
      { MAIL_FROM: "house@example.com", ROWHOUSE_DATA_DIR: folder },
      { warn: () => {}, error: () => {} },
    );
    await database.query(
      "insert into system.settings (key, value) values ('auth.registration_enabled', 'true')",
    );
    const snapshot = await snapshots.fresh();
    const attempt = async (email: string) => {
      const input = { email, password, name: "Somebody" };
      await register({ database: watched, mails }, snapshot, input, origin);
    };
    const attempts: Record<string, Attempt> = {
      absent: (round) => attempt(`absent${round}@example.com`),
      active: (round) => attempt(`wrong${round}@example.com`),
      inactive: (round) => attempt(`inactive${round}@example.com`),
      provider: (round) => attempt(`provider${round}@example.com`),
    };
    const done = await workOf(attempts, mails.idle);
    expect(done.filter((step) => step === "hash")).toHaveLength(1);
    await mails.close();
    await rm(folder, { recursive: true, force: true });
  }, 300_000);
});

type Attempt = (round: number) => Promise<void>;

/**
 * Expects that every attempt does the same work before its response, and returns that work.
 *
 * @param idle waits for work that an attempt does after its response
 */
async function workOf(
  attempts: Readonly<Record<string, Attempt>>,
  idle: () => Promise<unknown> = async () => {},
): Promise<readonly string[]> {
  let first: readonly string[] | undefined;
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, attempt] of Object.entries(attempts)) {
      work.length = 0;
      await attempt(round);
      const done = [...work];
      first ??= done;
      expect(done, kind).toEqual(first);
      await idle();
    }
  }
  return first ?? [];
}
