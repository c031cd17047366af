import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Place } from "./openapi/checked-fetch.ts";
import { type AppName, type AppProcess, startApp } from "./servers/app-process.ts";
import { findFreePort } from "./servers/free-port.ts";
import { type PgBouncerServer, startPgBouncer } from "./servers/pgbouncer-server.ts";
import { type RedisServer, startRedis } from "./servers/redis-server.ts";
import { createTestDatabase, type TestDatabase, type TestLogin } from "./servers/test-database.ts";
import { chosenTopology, shapeOf, type TopologyName } from "./topologies.ts";

/** A running service with its database and queue. */
export interface TestEnvironment {
  /** URL of the service; with two gateways it alternates on each read. */
  readonly url: string;
  readonly test: TestDatabase;
  /** URLs of the metrics of each process, by the name of its app. */
  readonly metrics: Readonly<Record<string, string>>;
  /** URL of the queue; undefined if it is in the database. */
  readonly redisUrl: string | undefined;
  /** Empty if the service runs in the test's process. */
  readonly processes: readonly AppProcess[];
  /** Returns the output of all its processes; the text for the operator alone, if the service runs in the test's process. */
  output(): string;
  /** Sets the clocks of its processes ahead of the real one. They must have been started with `movesClocks`. */
  moveClocks(aheadMs: number): Promise<void>;
  /** Ends all processes and drops the database. */
  stop(): Promise<void>;
}

export interface Edge {
  readonly requestId: string;
  readonly clientAddress: string;
}

export interface TestEnvironmentOptions {
  /** The kind of topology; by default the one chosen for the run, or one process. */
  readonly kind?: TopologyName;
  /** An existing database instead of a fresh one. It is dropped at the end. */
  readonly test?: TestDatabase;
  /** Additional environment variables of each process. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly movesClocks?: boolean;
  /**
   * Whether a service in one process has a process of its own. Otherwise it runs in the test's process, which has loaded it
   * before: that takes a quarter of the time.
   */
  readonly ownProcess?: boolean;
  /** Whether its gateways accept the client's address from any caller. */
  readonly hasProxy?: boolean;
}

export const installationSecret = "a secret of the tests' own, long enough";

/** The first administrator, if the database has none. */
export const signIn = {
  email: "admin@example.com",
  password: "correct horse battery staple",
} as const;

/** The login of the service: the service's login if the kind or the test file requires it. */
export function topologyLogin(kind = chosenTopology()): TestLogin | undefined {
  return kind !== undefined && shapeOf(kind).hasServiceLogin ? "service" : undefined;
}

const sessionSettingsSql = `do $$ begin
  execute format('alter database %I set intervalstyle = iso_8601', current_database());
  execute format('alter database %I set jit = off', current_database());
end $$`;

/** Starts the service: in one process with the queue in PostgreSQL, or as apps that reach each other by URL only. */
export async function startTestEnvironment(
  options: TestEnvironmentOptions = {},
): Promise<TestEnvironment> {
  const kind = options.kind ?? chosenTopology() ?? "one";
  const shape = shapeOf(kind);
  const login = topologyLogin(kind);
  const test = options.test ?? (await createTestDatabase(login === undefined ? {} : { login }));
  const ends: (() => Promise<unknown>)[] = [() => test.drop()];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  const files = await mkdtemp(join(tmpdir(), "rowhouse-files-"));
  ends.push(() => rm(files, { recursive: true, force: true }));
  const keep = <Started extends AppProcess | RedisServer | PgBouncerServer>(
    started: Started,
  ): Started => {
    ends.push(() => started.stop());
    return started;
  };
  const metrics: Record<string, string> = {};
  const processes: AppProcess[] = [];
  const { environment: more = {}, movesClocks = false } = options;
  const start = async (
    app: AppName,
    environment: Readonly<Record<string, string>>,
  ): Promise<AppProcess> => {
    const port = String(await findFreePort());
    const name = app in metrics ? `${app} 2` : app;
    metrics[name] = `http://127.0.0.1:${port}/metrics`;
    const variables = { FILES_DIR: files, ...environment, ...more, METRICS_PORT: port };
    const started = keep(await startApp(app, variables, { movesClock: movesClocks }));
    processes.push(started);
    return started;
  };
  const parts = {
    test,
    metrics,
    processes,
    output: () => processes.map((one) => one.output()).join(""),
    moveClocks: async (aheadMs: number) => {
      await Promise.all(processes.map((one) => one.moveClock(aheadMs)));
    },
    stop,
  };
  try {
    // A pooler passes no settings on: they are set for the login, or for the database for all logins.
    if (shape.poolSize !== undefined) await test.database.query(sessionSettingsSql);
    const systemUrls = test.systemUrl === undefined ? [] : [test.systemUrl];
    const pooler =
      shape.poolSize === undefined
        ? undefined
        : keep(await startPgBouncer([test.url, ...systemUrls], shape.poolSize));
    const secret = { ROWHOUSE_SECRET: installationSecret };
    const inner = {
      ...secret,
      ...(pooler === undefined
        ? { DATABASE_URL: test.url }
        : { DATABASE_URL: pooler.urlOf(test.url), DATABASE_DIRECT_URL: test.url }),
      ...(test.systemUrl === undefined
        ? {}
        : pooler === undefined
          ? { SYSTEM_DATABASE_URL: test.systemUrl }
          : {
              SYSTEM_DATABASE_URL: pooler.urlOf(test.systemUrl),
              SYSTEM_DATABASE_DIRECT_URL: test.systemUrl,
            }),
    };
    const administrator = {
      ROWHOUSE_ADMIN_EMAIL: signIn.email,
      ROWHOUSE_ADMIN_PASSWORD: signIn.password,
    };
    if (shape.twins === 0 && !(options.ownProcess ?? movesClocks)) {
      const variables = { FILES_DIR: files, ...inner, ...administrator, ...more };
      const started = await startInThisProcess(variables);
      ends.push(() => started.stop());
      return { ...parts, url: started.url, output: () => started.greeting, redisUrl: undefined };
    }
    if (shape.twins === 0) {
      const { url } = await start("standalone", { ...inner, ...administrator });
      return { ...parts, url, redisUrl: undefined };
    }
    const redisUrl = shape.hasRedis ? keep(await startRedis()).url : undefined;
    const shared = { ...inner, ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }) };
    const ports: string[] = [];
    for (let port = 0; port <= shape.twins; port += 1) ports.push(String(await findFreePort()));
    const [adminApiPort = "", ...dataApiPorts] = ports;
    const edge = {
      ...secret,
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
      DATA_API_URL: dataApiPorts.map((port) => `http://127.0.0.1:${port}`).join(","),
      ADMIN_API_URL: `http://127.0.0.1:${adminApiPort}`,
      TRUSTED_PROXIES: options.hasProxy === true ? "127.0.0.1" : "",
    };
    const [gateways] = await Promise.all([
      Promise.all(dataApiPorts.map(() => start("gateway", edge))),
      ...dataApiPorts.map((PORT) => start("data-api", { ...shared, PORT })),
      ...dataApiPorts.map(() => start("workflow-worker", shared)),
      start("admin-api", { ...shared, ...administrator, PORT: adminApiPort }),
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

interface Standalone {
  readonly url: string;
  readonly greeting: string;
  stop(): Promise<void>;
}

interface StandaloneProgram {
  readConfig(environment: Readonly<Record<string, string>>): object;
  startStandalone(config: object, options: { readonly sample: boolean }): Promise<Standalone>;
}

/** The program's own package imports this one in its tests. */
const standaloneProgram = new URL("../../../apps/standalone/src/index.ts", import.meta.url).href;

async function startInThisProcess(
  environment: Readonly<Record<string, string>>,
): Promise<Standalone> {
  const { readConfig, startStandalone }: StandaloneProgram = await import(
    /* @vite-ignore */ standaloneProgram
  );
  const port = environment.PORT ?? String(await findFreePort());
  const config = readConfig({ LOG_LEVEL: "fatal", ...environment, PORT: port });
  return startStandalone(config, { sample: false });
}

/** Sends a request as the proxy of a test environment that was started with `hasProxy`. */
export function fetchThrough(
  place: Place,
  path: string,
  init: RequestInit,
  edge: Edge,
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.append("X-Forwarded-For", edge.clientAddress);
  if (!headers.has("X-Request-Id")) headers.set("X-Request-Id", edge.requestId);
  return fetch(`${place.url}${path}`, { ...init, headers, redirect: "manual" });
}

/** Headers that the HTTP server adds to every response. */
const transportHeaders = ["connection", "date", "keep-alive", "transfer-encoding"];

/** Returns the headers of a response as the service set them. */
export function ownHeaders(answer: Response): Headers {
  return new Headers([...answer.headers].filter(([name]) => !transportHeaders.includes(name)));
}
