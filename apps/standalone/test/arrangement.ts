import {
  type AppName,
  type AppProcess,
  createTestDatabase,
  findFreePort,
  type PgBouncerServer,
  type RedisServer,
  startApp,
  startPgBouncer,
  startRedis,
} from "@rowhouse/testing";

/** A running service and what it runs on. */
export interface Arrangement {
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

export type ArrangementKind =
  | "one process"
  | "four processes"
  | "four processes, two logins"
  | "four processes, PgBouncer";

const secret = "a secret of the tests' own, long enough";
const administrator = {
  ROWHOUSE_ADMIN_EMAIL: "admin@example.com",
  ROWHOUSE_ADMIN_PASSWORD: "correct horse battery staple",
};

/**
 * Starts the service on a fresh database: in one process with the queue in Postgres, or as the four apps, which know one
 * another by URL alone, with the queue in Redis. Behind PgBouncer there is no Redis, so that queue and replies show what
 * they need of Postgres.
 *
 * @param more environment of each process
 */
export async function startArrangement(
  kind: ArrangementKind,
  more: Readonly<Record<string, string>> = {},
): Promise<Arrangement> {
  const login = kind === "one process" || kind === "four processes" ? undefined : "service";
  const test = await createTestDatabase(login === undefined ? {} : { login });
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
    metrics[app] = `http://127.0.0.1:${port}/metrics`;
    const started = keep(await startApp(app, { ...environment, ...more, METRICS_PORT: port }));
    processes.push(started);
    return started;
  };
  try {
    // The first administrator comes from the standalone app; it sets the database up and goes.
    const pooler =
      kind === "four processes, PgBouncer" ? keep(await startPgBouncer(test.url, 5)) : undefined;
    const database =
      pooler === undefined
        ? { DATABASE_URL: test.url }
        : { DATABASE_URL: pooler.urlOf(test.url), DATABASE_DIRECT_URL: test.url };
    const alone = { ...database, ROWHOUSE_SECRET: secret, ...administrator };
    const standalone = await startMeasured("standalone", alone);
    const parts = { databaseUrl: test.ownerUrl, metrics, output, stop };
    if (kind === "one process") return { ...parts, url: standalone.url, redisUrl: undefined };
    await standalone.stop();
    delete metrics.standalone;

    const redisUrl = pooler === undefined ? keep(await startRedis()).url : undefined;
    const shared = {
      ...database,
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
      ROWHOUSE_SECRET: secret,
    };
    const [dataApiPort, adminApiPort] = [await findFreePort(), await findFreePort()];
    const apps = await Promise.all([
      startMeasured("data-api", { ...shared, PORT: String(dataApiPort) }),
      startMeasured("admin-api", { ...shared, PORT: String(adminApiPort) }),
      startMeasured("workflow-worker", shared),
      startMeasured("gateway", {
        DATA_API_URL: `http://127.0.0.1:${dataApiPort}`,
        ADMIN_API_URL: `http://127.0.0.1:${adminApiPort}`,
        ROWHOUSE_SECRET: secret,
      }),
    ]);
    return { ...parts, url: apps[3].url, redisUrl };
  } catch (error) {
    await stop();
    throw error;
  }
}

export const signIn = {
  email: administrator.ROWHOUSE_ADMIN_EMAIL,
  password: administrator.ROWHOUSE_ADMIN_PASSWORD,
};
