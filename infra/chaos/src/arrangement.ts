import { type Database, migrate, openDatabase } from "@rowhouse/db";
import { createUser, expose, findFreePort, type TestUser } from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import {
  createWorkflow,
  openWorkerConnections,
  publishWorkflow,
  setWorkflowEnabled,
  type WakeUpQueue,
} from "@rowhouse/workflows";
import { type CountingServer, startCountingServer } from "./counting-server.ts";
import { type Member, startMember } from "./member.ts";
import {
  type CrashingRedis,
  type CrashingServer,
  startCrashingRedis,
  startPostgres,
} from "./servers.ts";
import { createWitnesses } from "./witnesses.ts";
import { type LoadedWorkflow, loadedWorkflows } from "./workflows.ts";

export type Backend = "redis" | "postgres";

/** The whole installation: two ways in, three workers, and the servers they live on. */
export interface Arrangement {
  readonly backend: Backend;
  readonly postgres: CrashingServer;
  readonly redis: CrashingRedis | undefined;
  /** The observer's own pool, as a login that nobody disturbs. */
  readonly database: Database;
  /** The observer's way to deliver jobs twice. */
  readonly queue: WakeUpQueue;
  readonly counting: CountingServer;
  readonly caller: TestUser;
  readonly workflows: readonly LoadedWorkflow[];
  readonly gateways: readonly Member[];
  readonly apis: readonly Member[];
  readonly workers: readonly Member[];
  close(): Promise<void>;
}

const secret = "a secret of the chaos suite's own";
const databaseName = "chaos";
const actor = { userId: null, tokenId: null, address: null, requestId: null };

/** Starts everything. Each process has a login of its own, so that the database knows who did what. */
export async function openArrangement(backend: Backend): Promise<Arrangement> {
  const ends: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const postgres = await startPostgres();
    ends.push(() => postgres.stop());
    const redis = backend === "redis" ? await startCrashingRedis() : undefined;
    if (redis !== undefined) ends.push(() => redis.stop());
    const counting = await startCountingServer();
    ends.push(() => counting.close());

    const maintenance = openDatabase({ url: postgres.url, applicationName: "chaos" });
    await maintenance.query(`create database ${databaseName}`);
    const names = ["api_1", "api_2", "worker_1", "worker_2", "worker_3"];
    for (const name of names) {
      await maintenance.query(`create role ${name} superuser login password 'chaos'`);
    }
    await maintenance.close();
    const urlOf = (login?: string): string => {
      const url = new URL(postgres.url);
      url.pathname = `/${databaseName}`;
      if (login !== undefined) [url.username, url.password] = [login, "chaos"];
      return url.href;
    };
    const database = openDatabase({ url: urlOf(), applicationName: "chaos" });
    ends.push(() => database.close());
    await migrate(database);
    const caller = await createUser(database, "caller@example.org", "Administrators");
    await createWitnesses(database);
    await expose(database, "public", "effect", "GET", "POST");
    await database.query(
      "insert into system.settings (key, value) values ($1::text, $2::text::jsonb)",
      ["workflows.allowed_hosts", '["127.0.0.1"]'],
    );
    const workflows = loadedWorkflows(caller.id, counting.url);
    for (const { slug, definition } of workflows) {
      const { id } = await createWorkflow(database, { slug, name: slug, definition }, actor);
      await publishWorkflow(database, id, actor);
      await setWorkflowEnabled(database, id, true, actor);
    }
    const connections = await openWorkerConnections({
      database,
      databaseUrl: urlOf(),
      redisUrl: redis?.url,
      vault: createVault(() => secret),
      report: () => {},
    });
    ends.push(() => connections.close());

    const begin = async (...[name, ...rest]: Parameters<typeof startMember>): Promise<Member> => {
      const member = await startMember(name, ...rest);
      ends.push(() => member.end());
      return member;
    };
    const environmentOf = (login: string): Record<string, string> => ({
      DATABASE_URL: urlOf(login),
      ROWHOUSE_SECRET: secret,
      ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
    });
    const ports = [String(await findFreePort()), String(await findFreePort())];
    const beginApi = (PORT: string, index: number) =>
      begin(names[index] ?? "", "data-api", { ...environmentOf(names[index] ?? ""), PORT });
    const beginGateway = (port: string, index: number) =>
      begin(`gateway_${index + 1}`, "gateway", {
        DATA_API_URL: `http://127.0.0.1:${port}`,
        // Nothing goes there.
        ADMIN_API_URL: `http://127.0.0.1:${port}`,
        ROWHOUSE_SECRET: secret,
        // Every call of a public webhook comes from an address of its own.
        TRUSTED_PROXIES: "127.0.0.1",
      });
    const beginWorker = (name: string) => begin(name, "workflow-worker", environmentOf(name));
    const [apis, gateways, workers] = await Promise.all([
      Promise.all(ports.map(beginApi)),
      Promise.all(ports.map(beginGateway)),
      Promise.all(names.slice(2).map(beginWorker)),
    ]);
    return {
      backend,
      postgres,
      redis,
      database,
      queue: connections.queue,
      counting,
      caller,
      workflows,
      gateways,
      apis,
      workers,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
