import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChaosEnvironment } from "./chaos-environment.ts";
import type { Member } from "./member.ts";
import type { Chance } from "./random.ts";
import type { CrashingRedis } from "./servers.ts";

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
  return new Disturber(environment, chance, say).run(seconds);
}

class Disturber {
  readonly #environment: ChaosEnvironment;
  readonly #chance: Chance;
  readonly #say: (what: string) => void;
  readonly #deaths: string[] = [];
  readonly #orphans: Orphan[] = [];
  readonly #outages: Outage[] = [];
  /** Workers that are frozen now. */
  readonly #thawing = new Set<Promise<void>>();

  constructor(environment: ChaosEnvironment, chance: Chance, say: (what: string) => void) {
    this.#environment = environment;
    this.#chance = chance;
    this.#say = say;
  }

  async run(seconds: number): Promise<Disturbed> {
    const kinds = this.#kinds();
    const until = Date.now() + seconds * 1000;
    do {
      for (const kind of this.#chance.shuffled(Object.keys(kinds))) {
        await sleep(this.#chance.between(300, 2000));
        await this.#replaceDead();
        await kinds[kind]?.();
      }
    } while (Date.now() < until);
    await Promise.all(this.#thawing);
    await this.#replaceDead();
    return { deaths: this.#deaths, orphans: this.#orphans, outages: this.#outages };
  }

  #kinds(): Readonly<Record<string, () => Promise<void>>> {
    const { redis } = this.#environment;
    return {
      "kill a worker": () => this.#killWorker(),
      "stop a worker": () => this.#stopWorker(),
      "freeze a worker": () => this.#freezeWorker(),
      "kill an API": () => this.#killApi(),
      "restart PostgreSQL": () => this.#restartPostgres(),
      "terminate backends": () => this.#terminateBackends(),
      "deliver twice": () => this.#deliverTwice(),
      "lose the queue": () => this.#loseQueue(),
      ...(redis === undefined ? {} : { "restart Redis": () => this.#restartRedis(redis) }),
    };
  }

  async #killWorker(): Promise<void> {
    const { workers } = this.#environment;
    const worker = this.#pickWell(workers);
    this.#say(`kill ${worker.name}`);
    await untilHolding(this.#environment, worker);
    await worker.kill();
    this.#orphans.push(...(await loadOrphans(this.#environment, worker)));
    await sleep(this.#chance.between(0, 1000));
    await worker.start();
  }

  async #stopWorker(): Promise<void> {
    const { workers } = this.#environment;
    const worker = this.#pickWell(workers);
    this.#say(`stop ${worker.name}`);
    await worker.stop();
    await worker.start();
  }

  async #freezeWorker(): Promise<void> {
    const { workers } = this.#environment;
    const worker = this.#pickWell(workers);
    this.#say(`freeze ${worker.name}`);
    await untilHolding(this.#environment, worker);
    worker.freeze();
    const thawed: Promise<void> = sleep(freezeMs).then(() => {
      this.#say(`thaw ${worker.name}`);
      worker.thaw();
      this.#thawing.delete(thawed);
    });
    this.#thawing.add(thawed);
  }

  async #killApi(): Promise<void> {
    const { apis } = this.#environment;
    const api = this.#pickWell(apis);
    this.#say(`kill ${api.name}`);
    await api.kill();
    await sleep(this.#chance.between(0, 500));
    await api.start();
  }

  async #restartPostgres(): Promise<void> {
    const { postgres } = this.#environment;
    this.#say("restart PostgreSQL immediately");
    await this.#outage(() => postgres.crash(this.#chance.between(0, 1000)));
  }

  async #terminateBackends(): Promise<void> {
    const { database } = this.#environment;
    this.#say("terminate backends");
    await this.#outage(async () => {
      await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and usename like any (array['worker%', 'api%']) and hashtext(pid::text) % 2 = 0`,
      );
    });
  }

  async #deliverTwice(): Promise<void> {
    const { database } = this.#environment;
    this.#say("deliver every open run's job twice more");
    const open = await database.query<{ id: string }>(
      "select id from system.workflow_runs where finished_at is null order by accepted_at limit 300",
    );
    const wakeUps = [...open, ...open].map(({ id }) => ({ runId: id, fence: randomUUID() }));
    await this.#environment.queue.wakeAll(wakeUps).catch(() => {});
  }

  async #loseQueue(): Promise<void> {
    const { redis, database } = this.#environment;
    this.#say(redis === undefined ? "delete the queue's jobs" : "flush Redis");
    await this.#outage(async () => {
      if (redis === undefined) await database.query("delete from rowhouse_queue.job");
      else await redis.flush();
    });
  }

  async #restartRedis(redis: CrashingRedis): Promise<void> {
    this.#say("restart Redis");
    await this.#outage(() => redis.crash(this.#chance.between(0, 1000)));
  }

  #pickWell(members: readonly Member[]): Member {
    return this.#chance.pick(members.filter((one) => one.isWell()));
  }

  async #outage(work: () => Promise<void>): Promise<void> {
    const from = Date.now();
    await work();
    this.#outages.push({ from, to: Date.now() + recoveryMs });
  }

  /** Restarts the processes that exited without a disturbance. */
  async #replaceDead(): Promise<void> {
    const { workers, apis, gateways } = this.#environment;
    for (const member of [...workers, ...apis, ...gateways]) {
      if (!member.hasDied()) continue;
      this.#say(`${member.name} has exited`);
      this.#deaths.push(`${member.name} exited without a disturbance`);
      await member.kill();
      await member.start();
    }
  }
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
