import { settleWithin } from "@rowhouse/limits";
import type { Database } from "./queryable.ts";

/** How long a hold waits for transactions that have changed the epoch and not ended, in milliseconds. */
const waitMs = 250;
/** How long one hold lasts at most, in milliseconds. */
const holdMs = 2000;

/** Runs work while no change of the epoch commits. */
export type WhileHeld = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A hold in progress: work may start until its end. */
interface Hold {
  /** Settles when changes of the epoch wait, or when the hold has been given up. */
  readonly begun: Promise<void>;
  readonly works: Set<Promise<unknown>>;
}

/**
 * Creates the hold that lets a load of the snapshot and the statement after it take place between two changes of the
 * epoch. Without it a reader could lose every such race while another client changes the catalogue without a pause.
 *
 * Changes wait for at most `holdMs`; work that takes longer continues without the hold. All work of a process shares one
 * hold at a time, and processes do not exclude each other. If the hold cannot begin within `waitMs`, the work runs
 * without it.
 */
export function createEpochHold(database: Pick<Database, "transaction">): WhileHeld {
  let current: Hold | undefined;

  const open = (): Hold => {
    const works = new Set<Promise<unknown>>();
    const hold: Hold = {
      works,
      begun: new Promise((resolve) => {
        database
          .transaction(
            async (transaction) => {
              await transaction.query(`set local lock_timeout = ${waitMs}`);
              await transaction.query("lock table system.epoch in share mode");
              resolve();
              await settleWithin(holdMs, ended(works));
            },
            { runsCode: false },
          )
          // The work runs without a hold, and proves its rights as always.
          .catch(() => {})
          .finally(() => {
            if (current === hold) current = undefined;
            resolve();
          });
      }),
    };
    return hold;
  };

  return async (work) => {
    current ??= open();
    const { begun, works } = current;
    const result = begun.then(work);
    const settled = result
      .catch(() => {})
      .then(() => {
        works.delete(settled);
      });
    works.add(settled);
    return result;
  };
}

/** Waits until no work is left, also none that starts meanwhile. */
async function ended(works: ReadonlySet<Promise<unknown>>): Promise<void> {
  while (works.size > 0) await Promise.all(works);
}
