import { readFile } from "node:fs/promises";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import {
  type AppProcess,
  createCheckedFetch,
  createRole,
  createTestDatabase,
  createUser,
  expose,
  findFreePort,
  startApp,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";

export type HouseKind = "one process" | "gateway and services";

/** A running service with a large table, and somebody who reads it. */
export interface ExportHouse {
  readonly test: TestDatabase;
  readonly roleId: string;
  readonly user: TestUser;
  /** Begins a request; its answer's body waits to be read. */
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<Opened>;
  /** Asks and reads all of it. */
  ask(path: string, accept: string, method?: string, signal?: AbortSignal): Promise<Response>;
  set(key: string, value: unknown): Promise<void>;
  /** What Postgres does for exports at this moment. */
  statements(): Promise<string[]>;
  /** Bytes of memory that each process has. */
  memory(): Promise<number[]>;
  /** What the processes wrote. */
  output(): string;
  stop(): Promise<void>;
}

export interface Opened {
  readonly request: ClientRequest;
  readonly answer: IncomingMessage;
}

export const rowCount = 300_000;
const secret = "a secret of the tests' own, long enough";

export async function openExportHouse(kind: HouseKind): Promise<ExportHouse> {
  const test = await createTestDatabase();
  const { database } = test;
  const roleId = await createRole(database, "Readers");
  const user = await createUser(database, "reader@example.com", "Readers");
  await database.query(`
    create table public.large (id int primary key, label text, note text);
    insert into public.large select n, 'row ' || n, repeat(md5(n::text), 8) from generate_series(1, ${rowCount}) n;
    create table public."Löhne, ""2024""" (id int primary key, name text, amount numeric);
    insert into public."Löhne, ""2024""" values (1, '=1+1', -5), (2, 'Zoë', 10.50), (3, null, null);
    create view public.slow as select id, pg_sleep(60)::text as waited from public.large;
    create view public.failing as select id, note, 1 / (id - 100000) as quotient from public.large`);
  for (const name of ["large", 'Löhne, "2024"', "slow", "failing"]) {
    await expose(database, "public", name, "GET");
    await database.query(
      `insert into system.grants (role_id, resource_id, action, all_fields)
       select $1::text::uuid, id, 'READ', true from system.resources where relation_name = $2::text`,
      [roleId, name],
    );
  }
  const apps = await startApps(kind, test.url);
  const url = apps.at(-1)?.url ?? "";
  const authorization = { Authorization: `Bearer ${user.secret}` };
  const checkedFetch = createCheckedFetch(url);
  return {
    test,
    roleId,
    user,
    open: (path, headers = {}) =>
      new Promise((resolve, reject) => {
        const options = { agent: false, headers: { ...authorization, ...headers } } as const;
        const request = get(`${url}${path}`, options, (answer) => resolve({ request, answer }));
        request.on("error", reject);
      }),
    ask: (path, accept, method = "GET", signal = new AbortController().signal) =>
      checkedFetch(path, { method, signal, headers: { ...authorization, Accept: accept } }),
    set: async (key, value) => {
      await database.query(
        "insert into system.settings (key, value) values ($1::text, $2::text::jsonb) on conflict (key) do update set value = excluded.value",
        [key, JSON.stringify(value)],
      );
    },
    statements: async () => {
      const rows = await database.query<{ doing: string }>(
        "select coalesce(wait_event, 'computing') as doing from pg_stat_activity where query like '/*%' and state = 'active' and datname = current_database()",
      );
      return rows.map(({ doing }) => doing);
    },
    memory: () => Promise.all(apps.map(({ child }) => residentBytes(child.pid))),
    output: () => apps.map((app) => app.output()).join(""),
    stop: async () => {
      for (const app of apps.reverse()) await app.stop();
      await test.drop();
    },
  };
}

/** The last one is the public port. */
async function startApps(kind: HouseKind, databaseUrl: string): Promise<AppProcess[]> {
  const shared = { DATABASE_URL: databaseUrl, ROWHOUSE_SECRET: secret };
  if (kind === "one process") {
    const account = {
      ROWHOUSE_ADMIN_EMAIL: "admin@example.com",
      ROWHOUSE_ADMIN_PASSWORD: "correct horse battery staple",
    };
    return [await startApp("standalone", { DATABASE_URL: databaseUrl, ...account })];
  }
  const [dataApiPort, adminApiPort] = [await findFreePort(), await findFreePort()];
  const services = await Promise.all([
    startApp("data-api", { ...shared, PORT: String(dataApiPort) }),
    startApp("admin-api", { ...shared, PORT: String(adminApiPort) }),
  ]);
  const gateway = await startApp("gateway", {
    ROWHOUSE_SECRET: secret,
    DATA_API_URL: `http://127.0.0.1:${dataApiPort}`,
    ADMIN_API_URL: `http://127.0.0.1:${adminApiPort}`,
  });
  return [...services, gateway];
}

/** Linux alone tells of another process's memory without a program to run; elsewhere it counts as none. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+([0-9]+) kB/.exec(status)?.[1] ?? 0) * 1024;
}
