import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { hashPassword } from "@rowhouse/access";
import { createSnapshotStore, type SnapshotStore } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { createRole, createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAccountMails, register, signIn } from "../src/index.ts";

const rounds = 200;
const password = "correct horse battery staple";
const origin = { address: "192.0.2.1", requestId: "r", userAgent: null };

let test: TestDatabase;
let snapshots: SnapshotStore;
beforeAll(async () => {
  test = await createTestDatabase();
  snapshots = createSnapshotStore(test.database);
  const hash = await hashPassword(password);
  // An account of its own for each try, so that none is slowed down but the one that is meant to be.
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
afterAll(() => test.drop());

const tryOnce = async (email: string, secret: string): Promise<void> => {
  const snapshot = snapshots.peek() ?? (await snapshots.fresh());
  await signIn(test.database, snapshot, { email, password: secret }, origin).catch((error) => {
    if (!(error instanceof AppError) || error.code !== "INVALID_CREDENTIALS") throw error;
  });
};

describe("how long a sign-in takes", () => {
  it("tells no kind of failure from another: medians differ by no more than those of one kind", async () => {
    const kinds: Record<string, Attempt> = {
      wrong: { run: (round) => tryOnce(`wrong${round}@example.com`, "wrong") },
      again: { run: (round) => tryOnce(`again${round}@example.com`, "wrong") },
      unknown: { run: (round) => tryOnce(`unknown${round}@example.com`, password) },
      // Locked from its tenth try on, and every try before is made below.
      locked: { run: () => tryOnce("locked0@example.com", password) },
      inactive: { run: (round) => tryOnce(`inactive${round}@example.com`, password) },
      provider: { run: (round) => tryOnce(`provider${round}@example.com`, password) },
    };
    await test.database.query(
      `insert into system.sign_in_attempts (address_digest, attempts, locked_until, last_at)
       values (sha256('locked0@example.com'), 10, now() + interval '1 day', now())`,
    );
    await expectEqualTimes(kinds, { one: "wrong", same: "again" }, rounds);
  }, 300_000);

  it("holds the event loop for a part of what a hash takes: hashing is done elsewhere", async () => {
    await tryOnce("right0@example.com", password);
    // The best of some short runs: whatever else the machine does can only add to the others.
    const perSignIn: number[] = [];
    const perHash: number[] = [];
    for (let round = 0; round < 60; round += 5) {
      const began = performance.now();
      await hashPassword(password);
      perHash.push(performance.now() - began);
      const before = performance.eventLoopUtilization();
      for (let at = round; at < round + 5; at += 1) {
        await tryOnce(`right${at + 1}@example.com`, password);
      }
      perSignIn.push(performance.eventLoopUtilization(before).active / 5);
    }
    expect(Math.min(...perSignIn)).toBeLessThan(Math.min(...perHash) / 2);
  });
});

describe("how long a registration takes", () => {
  it("tells no taken address from a new one", async () => {
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
    const attempt = (email: string) =>
      register({ database, mails }, snapshot, { email, password, name: "Somebody" }, origin);
    const kinds: Record<string, Attempt> = {
      absent: { run: (round) => attempt(`absent${round}@example.com`), after: mails.idle },
      again: { run: (round) => attempt(`other${round}@example.com`), after: mails.idle },
      active: { run: (round) => attempt(`wrong${round}@example.com`), after: mails.idle },
      inactive: { run: (round) => attempt(`inactive${round}@example.com`), after: mails.idle },
      provider: { run: (round) => attempt(`provider${round}@example.com`), after: mails.idle },
    };
    await expectEqualTimes(kinds, { one: "absent", same: "again" }, 100);
    await mails.close();
    await rm(folder, { recursive: true, force: true });
  }, 300_000);
});

interface Attempt {
  run(round: number): Promise<void>;
  /** What has to end before the next attempt is measured. */
  after?(): Promise<void>;
}

/** Expects that the medians of all kinds differ from that of `one` by no more than those of two that are alike. */
async function expectEqualTimes(
  kinds: Readonly<Record<string, Attempt>>,
  { one, same }: { readonly one: string; readonly same: string },
  times: number,
): Promise<void> {
  const measured = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  for (let round = 0; round < times; round += 1) {
    // In turn, so that whatever else the machine does falls on all alike.
    for (const [kind, attempt] of Object.entries(kinds)) {
      const began = performance.now();
      await attempt.run(round);
      measured.get(kind)?.push(performance.now() - began);
      await attempt.after?.();
    }
  }
  const [first, second] = [measured.get(one) ?? [], measured.get(same) ?? []];
  const noise = Math.max(
    Math.abs(median(first) - median(second)),
    4 * Math.hypot(errorOfMedian(first), errorOfMedian(second)),
  );
  for (const [kind, values] of measured) {
    const difference = Math.abs(median(values) - median(first));
    expect(difference, `${kind}: ${median(values)} ms`).toBeLessThanOrEqual(noise);
  }
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The standard error of a median, from the spread of the middle half. */
function errorOfMedian(values: readonly number[]): number {
  const deviation = (quantile(values, 0.75) - quantile(values, 0.25)) / 1.349;
  return (1.2533 * deviation) / Math.sqrt(values.length);
}
