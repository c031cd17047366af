import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChaosEnvironment } from "./chaos-environment.ts";
import type { Member } from "./member.ts";
import type { Chance } from "./random.ts";

/** A run that a worker held when it was killed. */
export interface Orphan {
  readonly runId: string;
  readonly fence: string;
  readonly worker: string;
  /** By the clock of the database. */
  readonly killedAt: string;
}

/** A period without possible progress: PostgreSQL or Redis was unavailable, or the queue had lost all jobs. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

export interface Disturbed {
  /** Processes that exited without a disturbance, as sentences. */
  readonly deaths: readonly string[];
  readonly orphans: readonly Orphan[];
  readonly outages: readonly Outage[];
}

/** A lease is 10 seconds; after a longer freeze other workers have claimed the runs. */
const freezeMs = 13_000;
/** How long processes may take after an outage to reconnect, and the reconciler to run. */
const recoveryMs = 7000;

/**
 * Disturbs the topology in an order that the seed determines: each kind at least once, then repeatedly until the time
 * is over.
 *
 * @param say receives a line when each disturbance begins
 */
export async function disturb(
  environment: ChaosEnvironment,
  chance: Chance,
  seconds: number,
  say: (what: string) => void,
): Promise<Disturbed> {
  const { postgres, redis, database, workers, apis, gateways } = environment;
  const deaths: string[] = [];
  const orphans: Orphan[] = [];
  const outages: Outage[] = [];
  const thawing = new Set<Promise<void>>();
  const well = (members: readonly Member[]) => chance.pick(members.filter((one) => one.isWell()));
  const outage = async (work: () => Promise<void>) => {
    const from = Date.now();
    await work();
    outages.push({ from, to: Date.now() + recoveryMs });
  };

  const ways: Record<string, () => Promise<void>> = {
    "kill a worker": async () => {
      const worker = well(workers);
      say(`kill ${worker.name}`);
      await untilHolding(environment, worker);
      await worker.kill();
      orphans.push(...(await loadOrphans(environment, worker)));
      await sleep(chance.between(0, 1000));
      await worker.start();
    },
    "stop a worker": async () => {
      const worker = well(workers);
      say(`stop ${worker.name}`);
      await worker.stop();
      await worker.start();
    },
    "freeze a worker": async () => {
      const worker = well(workers);
      say(`freeze ${worker.name}`);
      await untilHolding(environment, worker);
      worker.freeze();
      const thawed: Promise<void> = sleep(freezeMs).then(() => {
        say(`thaw ${worker.name}`);
        worker.thaw();
        thawing.delete(thawed);
      });
      thawing.add(thawed);
    },
    "kill an API": async () => {
      const api = well(apis);
      say(`kill ${api.name}`);
      await api.kill();
      await sleep(chance.between(0, 500));
      await api.start();
    },
    "restart PostgreSQL": async () => {
      say("restart PostgreSQL immediately");
      await outage(() => postgres.crash(chance.between(0, 1000)));
    },
    "terminate backends": async () => {
      say("terminate backends");
      await outage(async () => {
        await database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and usename like any (array['worker%', 'api%']) and hashtext(pid::text) % 2 = 0`,
        );
      });
    },
    "deliver twice": async () => {
      say("deliver every open run's job twice more");
      const open = await database.query<{ id: string }>(
        "select id from system.workflow_runs where finished_at is null order by accepted_at limit 300",
      );
      const wakeUps = [...open, ...open].map(({ id }) => ({ runId: id, fence: randomUUID() }));
      await environment.queue.wakeAll(wakeUps).catch(() => {});
    },
    "lose the queue": async () => {
      say(redis === undefined ? "delete the queue's jobs" : "flush Redis");
      await outage(async () => {
        if (redis === undefined) await database.query("delete from rowhouse_queue.job");
        else await redis.flush();
      });
    },
    ...(redis === undefined
      ? {}
      : {
          "restart Redis": async () => {
            say("restart Redis");
            await outage(() => redis.crash(chance.between(0, 1000)));
          },
        }),
  };

  const bury = async () => {
    for (const member of [...workers, ...apis, ...gateways]) {
      if (!member.hasDied()) continue;
      say(`${member.name} has exited`);
      deaths.push(`${member.name} exited without a disturbance`);
      await member.kill();
      await member.start();
    }
  };

  const until = Date.now() + seconds * 1000;
  do {
    for (const way of chance.shuffled(Object.keys(ways))) {
      await sleep(chance.between(300, 2000));
      await bury();
      await ways[way]?.();
    }
  } while (Date.now() < until);
  await Promise.all(thawing);
  await bury();
  return { deaths, orphans, outages };
}

/** Waits briefly until the worker holds a run, so that a disturbance does not hit an idle worker. */
async function untilHolding(environment: ChaosEnvironment, worker: Member): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await loadOrphans(environment, worker)).length > 0) return;
    await sleep(20);
  }
}

/** Returns the runs that this worker holds according to the database. */
async function loadOrphans(
  { database }: Pick<ChaosEnvironment, "database">,
  worker: Member,
): Promise<Orphan[]> {
  return database.query<Orphan>(
    `select r.id as "runId", r.fence::text as fence, c.worker, clock_timestamp()::text as "killedAt"
     from system.workflow_runs r join witness.claims c on c.run_id = r.id and c.fence = r.fence
     where c.worker = $1::text and r.finished_at is null and r.lease_until is not null`,
    [worker.name],
  );
}
