import { type Database, migrate } from "@rowhouse/db";
import { createUser, expose, type TestUser } from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import {
  addInvokeGrant,
  createWorkflow,
  openWorkerConnections,
  publishWorkflow,
  setWorkflowEnabled,
  type WakeUpQueue,
} from "@rowhouse/workflows";
import { type CountingServer, startCountingServer } from "./counting-server.ts";
import type { Member } from "./member.ts";
import type { CrashingRedis, CrashingServer } from "./servers.ts";
import { loginPassword, openUpgradeEnvironment } from "./upgrade-environment.ts";
import { createWitnesses } from "./witnesses.ts";
import { type LoadedWorkflow, loadedWorkflows } from "./workflows.ts";

export type Backend = "redis" | "postgres";

/** A complete topology: two gateways, three workers, and their servers. */
export interface ChaosEnvironment {
  readonly backend: Backend;
  readonly postgres: CrashingServer;
  readonly redis: CrashingRedis | undefined;
  /** The observer's own pool, with a login that no disturbance affects. */
  readonly database: Database;
  /** The observer's queue, which delivers jobs twice. */
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
const actor = { userId: null, tokenId: null, address: null, requestId: null };

/** Starts all processes. Each has its own login, so that the database records which process did what. */
export async function openChaosEnvironment(backend: Backend): Promise<ChaosEnvironment> {
  const environment = await openUpgradeEnvironment({ hasRedis: backend === "redis" });
  const { postgres, redis, database, urlOf, close } = environment;
  try {
    const counting = await startCountingServer();
    environment.beforeClose(() => counting.close());
    const [apiNames, workerNames] = [
      ["api_1", "api_2"],
      ["worker_1", "worker_2", "worker_3"],
    ];
    for (const name of [...apiNames, ...workerNames]) {
      await database.query(`create role ${name} superuser login password '${loginPassword}'`);
    }
    await migrate(database);
    const caller = await createUser(database, "caller@example.org", "Administrators");
    await createWitnesses(database);
    await expose(database, "public", "effect", "GET", "POST");
    await database.query(
      "insert into system.settings (key, value) values ($1::text, $2::text::jsonb)",
      ["workflows.allowed_hosts", '["127.0.0.1"]'],
    );
    const vault = createVault(() => secret);
    const workflows = loadedWorkflows(caller.id, counting.url);
    const [administrators] = await database.query<{ id: string }>(
      "select id from system.roles where is_administrators",
    );
    for (const { slug, definition } of workflows) {
      const { id } = await createWorkflow(database, { slug, name: slug, definition }, actor);
      await publishWorkflow({ database, vault }, id, actor);
      await setWorkflowEnabled(database, id, true, actor);
      await addInvokeGrant(database, id, administrators?.id ?? "", actor);
    }
    const connections = await openWorkerConnections({
      database,
      databaseUrl: urlOf(),
      redisUrl: redis?.url,
      vault,
      report: () => {},
    });
    environment.beforeClose(() => connections.close());

    const environmentOf = (login: string): Record<string, string> => ({
      DATABASE_URL: urlOf(login),
      ROWHOUSE_SECRET: secret,
      ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
    });
    // No call uses the Admin API, but a gateway is not ready without one.
    const [apis, workers, [adminApi]] = await Promise.all([
      environment.start("data-api", apiNames, environmentOf),
      environment.start("workflow-worker", workerNames, environmentOf),
      environment.start("admin-api", ["admin_api"], () => ({
        ...environmentOf(""),
        DATABASE_URL: urlOf(),
      })),
    ]);
    const behind = new Map(apis.map((api, at) => [`gateway_${at + 1}`, api.url()]));
    const gateways = await environment.start("gateway", [...behind.keys()], (name) => ({
      DATA_API_URL: behind.get(name) ?? "",
      ADMIN_API_URL: adminApi?.url() ?? "",
      ROWHOUSE_SECRET: secret,
      // Every call of a public webhook has its own address.
      TRUSTED_PROXIES: "127.0.0.1",
    }));
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
