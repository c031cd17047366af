import {
  type AppName,
  type AppProcess,
  createTestDatabase,
  findFreePort,
  hasPgBouncer,
  hasRedis,
  type PgBouncerServer,
  type RedisServer,
  startApp,
  startPgBouncer,
  startRedis,
} from "@rowhouse/testing";

/** A running service and what it runs on. */
export interface Arrangement {
  /** Where it is called: of two gateways another one each time that it is read. */
  readonly url: string;
  readonly databaseUrl: string;
  /** Where each process tells its metrics, by the name of its app. */
  readonly metrics: Readonly<Record<string, string>>;
  /** Where the queue is, unless it is in the database. */
  readonly redisUrl: string | undefined;
  /** Everything that its processes have written. */
  output(): string;
  stop(): Promise<void>;
}

interface Shape {
  /** Processes of each app that runs more than once; in one process there are none. */
  readonly twins: 0 | 1 | 2;
  readonly hasServiceLogin: boolean;
  readonly isPooled: boolean;
  readonly hasRedis: boolean;
}

const alone = { twins: 0, hasServiceLogin: false, isPooled: false, hasRedis: false } as const;
const four = { ...alone, twins: 1, hasRedis: true } as const;
const pooled = { hasServiceLogin: true, isPooled: true } as const;

/** Four are one of each app. Seven are two gateways, two Data APIs, an Admin API and two workers. */
const shapes = {
  "one process": alone,
  "four processes": four,
  // Without Redis, so that queue and replies show what they need of Postgres.
  "four processes, PgBouncer": { ...four, ...pooled, hasRedis: false },
  "seven processes": { ...four, twins: 2 },
  "seven processes, PgBouncer": { ...four, ...pooled, twins: 2 },
} as const satisfies Readonly<Record<string, Shape>>;

export type ArrangementKind = keyof typeof shapes;

/** Kinds between which everything that a set-up may have or lack occurs, and is missing, once. */
const telling: readonly ArrangementKind[] = [
  "one process",
  "four processes, PgBouncer",
  "seven processes",
  "seven processes, PgBouncer",
];

/** Those kinds that this machine has the servers for. Says aloud which it has not. */
export function arrangementKinds(): ArrangementKind[] {
  const [redis, pooler] = [hasRedis(), hasPgBouncer()];
  return telling.filter((kind) => {
    const shape: Shape = shapes[kind];
    return (redis || !shape.hasRedis) && (pooler || !shape.isPooled);
  });
}

const secret = "a secret of the tests' own, long enough";
const administrator = {
  ROWHOUSE_ADMIN_EMAIL: "admin@example.com",
  ROWHOUSE_ADMIN_PASSWORD: "correct horse battery staple",
};

/**
 * Starts the service on a fresh database: in one process with the queue in Postgres, or as apps that know one another by
 * URL alone.
 *
 * @param more environment of each process
 */
export async function startArrangement(
  kind: ArrangementKind,
  more: Readonly<Record<string, string>> = {},
): Promise<Arrangement> {
  const shape: Shape = shapes[kind];
  const test = await createTestDatabase(shape.hasServiceLogin ? { login: "service" } : {});
  const ends: (() => Promise<unknown>)[] = [() => test.drop()];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  const keep = <Started extends AppProcess | RedisServer | PgBouncerServer>(
    started: Started,
  ): Started => {
    ends.push(() => started.stop());
    return started;
  };
  const metrics: Record<string, string> = {};
  const processes: AppProcess[] = [];
  const output = () => processes.map((one) => one.output()).join("");
  const startMeasured = async (
    app: AppName,
    environment: Readonly<Record<string, string>>,
  ): Promise<AppProcess> => {
    const port = String(await findFreePort());
    const name = app in metrics ? `${app} 2` : app;
    metrics[name] = `http://127.0.0.1:${port}/metrics`;
    const started = keep(await startApp(app, { ...environment, ...more, METRICS_PORT: port }));
    processes.push(started);
    return started;
  };
  try {
    // The first administrator comes from the standalone app; it sets the database up and goes.
    const pooler = shape.isPooled ? keep(await startPgBouncer(test.url, 5)) : undefined;
    const database =
      pooler === undefined
        ? { DATABASE_URL: test.url }
        : { DATABASE_URL: pooler.urlOf(test.url), DATABASE_DIRECT_URL: test.url };
    const standalone = await startMeasured("standalone", {
      ...database,
      ROWHOUSE_SECRET: secret,
      ...administrator,
    });
    const parts = { databaseUrl: test.ownerUrl, metrics, output, stop };
    if (shape.twins === 0) return { ...parts, url: standalone.url, redisUrl: undefined };
    await standalone.stop();
    delete metrics.standalone;

    const redisUrl = shape.hasRedis ? keep(await startRedis()).url : undefined;
    const shared = {
      ...database,
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
      ROWHOUSE_SECRET: secret,
    };
    const ports: string[] = [];
    for (let port = 0; port <= shape.twins; port += 1) ports.push(String(await findFreePort()));
    const [adminApiPort = "", ...dataApiPorts] = ports;
    const edge = {
      DATA_API_URL: dataApiPorts.map((port) => `http://127.0.0.1:${port}`).join(","),
      ADMIN_API_URL: `http://127.0.0.1:${adminApiPort}`,
      ROWHOUSE_SECRET: secret,
    };
    const [gateways] = await Promise.all([
      Promise.all(dataApiPorts.map(() => startMeasured("gateway", edge))),
      ...dataApiPorts.map((PORT) => startMeasured("data-api", { ...shared, PORT })),
      ...dataApiPorts.map(() => startMeasured("workflow-worker", shared)),
      startMeasured("admin-api", { ...shared, PORT: adminApiPort }),
    ]);
    let turn = 0;
    return {
      ...parts,
      get url() {
        turn += 1;
        return gateways[turn % gateways.length]?.url ?? "";
      },
      redisUrl,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export const signIn = {
  email: administrator.ROWHOUSE_ADMIN_EMAIL,
  password: administrator.ROWHOUSE_ADMIN_PASSWORD,
};
