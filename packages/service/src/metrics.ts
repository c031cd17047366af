import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { CountedHistogram } from "./counted-histogram.ts";

/** A response of a service. */
export interface Answered {
  readonly method: string;
  /** The route's pattern, never the path: `/api/:schema/table/:table`; `none` for an unknown path. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** A value that is read at the moment of a scrape. */
export interface Watched {
  readonly name: `rowhouse_${string}`;
  readonly help: string;
  /** The label that distinguishes several values. */
  readonly label?: string;
  /** Returns one value, or one for each value of the label. */
  readonly read: () => Reading | Promise<Reading>;
}

type Reading = number | Readonly<Record<string, number>>;

/**
 * The metrics of one process. Labels name routes, stages and outcomes, never tables, users or ids: so their number is
 * bounded, and a scrape reveals no data.
 */
export interface Metrics {
  /** Returns the recorder of a service's responses. */
  readonly answersOf: (service: string) => (answer: Answered) => void;
  /** Recorders of a Data API engine: stages of requests, compiled and shared statements. */
  readonly data: {
    readonly stageEnded: (stage: string, seconds: number) => void;
    readonly statementAsked: (isHit: boolean) => void;
    /** Records a statement that several requests shared, with their number. */
    readonly statementShared: (requests: number) => void;
  };
  readonly principalAsked: (isHit: boolean) => void;
  /** Records a reload of catalogue, roles, grants and settings. */
  readonly snapshotLoaded: (seconds: number) => void;
  /** Records the end of a run, with the seconds since its acceptance. */
  readonly runEnded: (status: string, seconds: number, isTest: boolean) => void;
  /** Records a sign-in that was refused: by `password` or by `provider`. */
  readonly signInFailed: (means: "password" | "provider") => void;
  /** Records what a sweep of stored files has found: removed, expired, orphaned, unfinished. */
  readonly objectsSwept: (kind: string, count: number) => void;
  readonly watch: (watched: Watched) => void;
  /** Returns all metrics in the text format of Prometheus. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

const answerSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const stageSeconds = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1];
const runSeconds = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300, 3600, 86_400];

/** Creates a separate set of metrics, with those of Node: processor, memory, event-loop lag. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new CountedHistogram({
    name: "rowhouse_http_request_duration_seconds",
    help: "Time from the head of a request to the head of its response",
    labelNames: ["service", "method", "route", "status"],
    buckets: answerSeconds,
    registry,
  });
  const stages = new CountedHistogram({
    name: "rowhouse_data_stage_duration_seconds",
    help: "Duration of the stages of a Data API request",
    labelNames: ["stage"],
    buckets: stageSeconds,
    registry,
  });
  const shared = new CountedHistogram({
    name: "rowhouse_data_shared_statement_requests",
    help: "Number of requests that an SQL statement has answered together",
    buckets: [2, 4, 8, 16, 32],
    registry,
  }).of();
  const snapshots = new CountedHistogram({
    name: "rowhouse_snapshot_load_duration_seconds",
    help: "Duration of a reload of catalogue, roles, grants and settings after a change",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registry,
  }).of();
  const lookups = watchLookups(registers);
  const runs = new CountedHistogram({
    name: "rowhouse_run_duration_seconds",
    help: "Time from the acceptance of a run to its end",
    labelNames: ["status", "test"],
    buckets: runSeconds,
    registry,
  });
  const swept = new Counter({
    name: "rowhouse_objects_swept_total",
    help: "Objects and uploads that sweeps of stored files have found, by kind",
    labelNames: ["kind"] as const,
    registers,
  });
  const failedSignIns = new Counter({
    name: "rowhouse_sign_ins_failed_total",
    help: "Sign-ins that were refused, by password or by provider",
    labelNames: ["means"] as const,
    registers,
  });
  return {
    answersOf:
      (service) =>
      ({ method, route, status, seconds }) =>
        requests.of(service, method, route, String(status)).observe(seconds),
    data: {
      stageEnded: (stage, seconds) => stages.of(stage).observe(seconds),
      statementAsked: lookups("statement"),
      statementShared: (requests) => shared.observe(requests),
    },
    principalAsked: lookups("principal"),
    snapshotLoaded: (seconds) => snapshots.observe(seconds),
    runEnded: (status, seconds, isTest) => runs.of(status, isTest ? "yes" : "no").observe(seconds),
    signInFailed: (means) => failedSignIns.inc({ means }),
    objectsSwept: (kind, count) => swept.inc({ kind }, count),
    watch: (watched) => watch(registry, watched),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Returns the counter of a cache's lookups. */
function watchLookups(registers: Registry[]): (cache: string) => (isHit: boolean) => void {
  const caches = new Map<string, { hit: number; miss: number }>();
  new Counter({
    name: "rowhouse_cache_lookups_total",
    help: "Cache lookups by result",
    labelNames: ["cache", "result"] as const,
    registers,
    collect() {
      this.reset();
      for (const [cache, counts] of caches) {
        for (const [result, count] of Object.entries(counts)) {
          if (count > 0) this.inc({ cache, result }, count);
        }
      }
    },
  });
  return (cache) => {
    const counts = { hit: 0, miss: 0 };
    caches.set(cache, counts);
    return (isHit) => {
      counts[isHit ? "hit" : "miss"] += 1;
    };
  };
}

/**
 * Reports the load of each pool, labeled with the name of its connections in the database; that of the login that keeps the
 * schema `system`, if it is another one, has `-system` after it.
 */
export function watchPools(
  metrics: Pick<Metrics, "watch">,
  databases: Readonly<Record<string, WatchedDatabase>>,
): void {
  const pools = Object.fromEntries(
    Object.entries(databases).flatMap(([name, database]) =>
      database.service === database
        ? [[name, database] as const]
        : [[name, database.service] as const, [`${name}-system`, database] as const],
    ),
  );
  const each = (read: (pool: Pool) => number) => () =>
    Object.fromEntries(Object.entries(pools).map(([name, pool]) => [name, read(pool)]));
  metrics.watch({
    name: "rowhouse_database_work_in_progress",
    help: "Statements and transactions in progress or waiting in a pool",
    label: "pool",
    read: each((pool) => pool.load().inProgress),
  });
  metrics.watch({
    name: "rowhouse_database_connections_max",
    help: "Maximum number of connections of a pool",
    label: "pool",
    read: each((pool) => pool.load().connectionsMax),
  });
}

/** Reports for each use of Redis whether its connection is open: 1 or 0. Uses that have no Redis are omitted. */
export function watchRedis(
  metrics: Pick<Metrics, "watch">,
  uses: Readonly<Record<string, () => boolean | undefined>>,
): void {
  metrics.watch({
    name: "rowhouse_redis_connected",
    help: "Whether this process is connected to Redis, by use: limits, queue",
    label: "use",
    read: () =>
      Object.fromEntries(
        Object.entries(uses).flatMap(([use, isConnected]) => {
          const state = isConnected();
          return state === undefined ? [] : [[use, Number(state)]];
        }),
      ),
  });
}

interface Pool {
  load(): { readonly inProgress: number; readonly connectionsMax: number };
}

interface WatchedDatabase extends Pool {
  readonly service: Pool;
}

function watch(registry: Registry, { name, help, label, read }: Watched): void {
  new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      // Metrics whose source is unavailable are omitted; the rest of the scrape succeeds.
      const reading = await Promise.resolve()
        .then(read)
        .catch(() => undefined);
      this.reset();
      if (reading === undefined) {
        // A gauge with a label has no value after its reset.
        if (label === undefined) this.remove();
      } else if (typeof reading === "number") this.set(reading);
      else if (label !== undefined) {
        for (const [value, count] of Object.entries(reading)) this.set({ [label]: value }, count);
      }
    },
  });
}
