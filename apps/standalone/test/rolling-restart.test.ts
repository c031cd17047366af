// Tiers: all, long. Starts processes; more of them in a long run.
import {
  type AppName,
  type AppProcess,
  createTestDatabase,
  findFreePort,
  hasRedis,
  isLongRun,
  startApp,
  startBalancer,
  startRedis,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import { withoutNodeNotice } from "./node-notice.ts";

const secret = "a secret of the tests' own, long enough";
const signIn = { email: "admin@example.com", password: "correct horse battery staple" };

const comingAndGoing =
  /"name":"gateway".*"msg":"(?:Not ready|Ready again|A process of a service (?:does not respond|responds again))"/;
/** Longer than the balancer needs to notice, also on a busy machine. */
const DRAIN_MS = "3000";

/** One process of an app, which can be replaced by another at the same address. */
interface Place {
  readonly app: AppName;
  readonly url: string;
  replace(): Promise<void>;
  stop(): Promise<void>;
}

async function open(app: AppName, environment: Record<string, string>): Promise<Place> {
  const PORT = String(await findFreePort());
  const drain = app === "workflow-worker" ? {} : { DRAIN_MS };
  const start = () => startApp(app, { ...environment, ...drain, PORT });
  let running: AppProcess = await start();
  const stop = async () => {
    const code = await running.stop();
    // A gateway logs that a process stopped and started; any other entry fails the test.
    const told = withoutNodeNotice(running.output())
      .split("\n")
      .filter((line) => !comingAndGoing.test(line));
    expect([app, code, told]).toEqual([app, 0, [""]]);
  };
  return {
    app,
    url: running.url,
    replace: async () => {
      await stop();
      running = await start();
    },
    stop,
  };
}

/** A load of one kind that runs until it is stopped, with its results. */
interface Load {
  readonly done: number;
  readonly faults: string[];
  end(): Promise<void>;
}

function keepCalling(call: () => Promise<string | undefined>): Load {
  const faults: string[] = [];
  let done = 0;
  let ending = false;
  const loop = async () => {
    while (!ending) {
      const fault = await call().catch((error: unknown) => String(error));
      if (fault !== undefined) faults.push(fault);
      done += 1;
    }
  };
  const loops = Promise.all([loop(), loop()]);
  return {
    get done() {
      return done;
    },
    faults,
    end: async () => {
      ending = true;
      await loops;
    },
  };
}

// Two to five minutes: a part of `npm run test:long`.
const isLong = isLongRun();

describe.runIf(hasRedis() && isLong)(
  "replacing every process, one after another, under load",
  () => {
    const ends: (() => Promise<unknown>)[] = [];
    const places: Place[] = [];
    let url = "";
    let countRows: () => Promise<number> = async () => 0;
    let openRuns: () => Promise<number> = async () => 0;
    let failedRuns: () => Promise<number> = async () => 0;

    beforeAll(async () => {
      const test = await createTestDatabase();
      ends.push(() => test.drop());
      const redis = await startRedis();
      ends.push(() => redis.stop());
      const count = async (text: string) =>
        (await test.database.query<{ count: number }>(text))[0]?.count ?? -1;
      countRows = () => count("select count(*)::int from public.entries");
      openRuns = () =>
        count("select count(*)::int from system.workflow_runs where finished_at is null");
      failedRuns = () =>
        count("select count(*)::int from system.workflow_runs where status <> 'SUCCEEDED'");

      const shared = { DATABASE_URL: test.url, ROWHOUSE_SECRET: secret };
      const queue = { REDIS_URL: redis.url };
      const twice = async (
        app: AppName,
        environment: Record<string, string>,
      ): Promise<string[]> => {
        const pair = await Promise.all([open(app, environment), open(app, environment)]);
        places.push(...pair);
        for (const place of pair) ends.push(() => place.stop());
        return pair.map((place) => place.url);
      };
      const administrator = {
        ROWHOUSE_ADMIN_EMAIL: signIn.email,
        ROWHOUSE_ADMIN_PASSWORD: signIn.password,
      };
      const dataApis = await twice("data-api", { ...shared, ...queue });
      const adminApis = await twice("admin-api", { ...shared, ...queue, ...administrator });
      await twice("workflow-worker", { ...shared, ...queue });
      const gateways = await startBalancer(
        await twice("gateway", {
          ROWHOUSE_SECRET: secret,
          DATA_API_URL: dataApis.join(","),
          ADMIN_API_URL: adminApis.join(","),
        }),
      );
      ends.push(() => gateways.close());
      url = gateways.url;
    }, 300_000);
    afterAll(async () => {
      for (const end of ends.reverse()) await end();
    });

    it("fails no request and loses no run", async () => {
      const { ask } = createClient({ url });
      const login = await ask("POST", "/api/auth/login", { body: signIn });
      const as: string = login.body.data.token;
      const administer = async (method: string, path: string, data?: object) => {
        const answer = await ask(method, `/admin/api${path}`, {
          as,
          ...(data && { body: { data } }),
        });
        expect([path, answer.status < 300]).toEqual([path, true]);
        return answer.body.data;
      };
      const { resourceId } = await administer("POST", "/schema/public/tables", {
        name: "entries",
        columns: [
          { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true },
          { name: "kind", dataType: "text", nullable: false },
        ],
      });
      await administer("PATCH", `/resources/${resourceId}`, { exposedMethods: ["GET", "POST"] });
      for (const response of ["SYNCHRONOUS", "ASYNCHRONOUS"]) {
        const { id } = await administer("POST", "/workflows", {
          slug: `enter-${response.toLowerCase()}`,
          name: response,
          definition: {
            trigger: { kind: "webhook", access: "AUTHENTICATED", response },
            steps: [
              { id: "row", kind: "createRow", table: "entries", values: { kind: response } },
              { id: "end", kind: "finish", result: { id: "{{steps.row.id}}" } },
            ],
          },
        });
        await administer("POST", `/workflows/${id}/publish`);
        await administer("POST", `/workflows/${id}/enable`);
        const [role] = await administer("GET", "/roles?search=Administrators");
        await administer("POST", `/workflows/${id}/invoke-grants`, { roleId: role.id });
      }

      const runs: string[] = [];
      const expecting = async (
        status: number,
        method: string,
        path: string,
        body?: object,
      ): Promise<{ fault?: string; data?: { run?: string; status?: string } }> => {
        const answer = await fetch(`${url}${path}`, {
          method,
          headers: { Authorization: `Bearer ${as}`, "Content-Type": "application/json" },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        if (answer.status !== status)
          return { fault: `${method} ${path}: ${answer.status} ${text}` };
        return JSON.parse(text) as { data: { run?: string; status?: string } };
      };
      const table = "/api/public/table/entries";
      const loads = {
        reads: keepCalling(async () => (await expecting(200, "GET", `${table}?limit=5`)).fault),
        writes: keepCalling(
          async () => (await expecting(201, "POST", table, { data: { kind: "row" } })).fault,
        ),
        administration: keepCalling(
          async () => (await expecting(200, "GET", "/admin/api/roles")).fault,
        ),
        syncRuns: keepCalling(async () => {
          const { fault, data } = await expecting(
            200,
            "POST",
            "/api/workflows/enter-synchronous/webhook",
            {},
          );
          return fault ?? (data?.status === "SUCCEEDED" ? undefined : JSON.stringify(data));
        }),
        asyncRuns: keepCalling(async () => {
          const { fault, data } = await expecting(
            202,
            "POST",
            "/api/workflows/enter-asynchronous/webhook",
            {},
          );
          if (data?.run !== undefined) runs.push(data.run);
          return fault;
        }),
      };
      try {
        for (const place of places) {
          const before = Object.values(loads).map((load) => load.done);
          await place.replace();
          // Each kind of load continues: none depends on a stopped process.
          for (const [at, load] of Object.values(loads).entries()) {
            await expect
              .poll(() => load.done, { timeout: 60_000 })
              .toBeGreaterThan(before[at] ?? 0);
          }
        }
      } finally {
        await Promise.all(Object.values(loads).map((load) => load.end()));
      }
      for (const [kind, load] of Object.entries(loads)) {
        expect([kind, load.faults]).toEqual([kind, []]);
      }
      await expect.poll(openRuns, { timeout: 60_000 }).toBe(0);
      expect(await failedRuns()).toBe(0);
      const { writes, syncRuns, asyncRuns } = loads;
      expect(runs).toHaveLength(asyncRuns.done);
      // Each call has written exactly one row, whichever processes served it.
      expect(await countRows()).toBe(writes.done + syncRuns.done + asyncRuns.done);
    }, 600_000);
  },
);
