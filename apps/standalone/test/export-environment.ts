import { readFile } from "node:fs/promises";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import {
  createCheckedFetch,
  createRole,
  createTestDatabase,
  createUser,
  expose,
  startTestEnvironment,
  type TestDatabase,
  type TestUser,
  type TopologyName,
  topologyLogin,
} from "@rowhouse/testing";

/** A running service with a large table, and a user who reads it. */
export interface ExportEnvironment {
  readonly test: TestDatabase;
  readonly url: string;
  readonly roleId: string;
  readonly user: TestUser;
  /** Processes that serve the Data API. */
  readonly dataApis: number;
  /** Starts a request; the body of its response is not read yet. */
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<Opened>;
  /** Sends a request and reads the whole response. */
  ask(path: string, accept: string, method?: string, signal?: AbortSignal): Promise<Response>;
  set(key: string, value: unknown): Promise<void>;
  /** Returns the statements that PostgreSQL currently runs for exports. */
  statements(): Promise<string[]>;
  /** Returns the memory of each process in bytes. */
  memory(): Promise<number[]>;
  /** Kills every process at once. */
  kill(): void;
  /** Returns the output of the processes. */
  output(): string;
  stop(): Promise<void>;
}

export interface Opened {
  readonly request: ClientRequest;
  readonly answer: IncomingMessage;
}

export const rowCount = 300_000;

export async function openExportEnvironment(kind: TopologyName): Promise<ExportEnvironment> {
  const login = topologyLogin(kind);
  const test = await createTestDatabase(login === undefined ? {} : { login });
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
  const installation = await startTestEnvironment({ kind, test, ownProcess: true });
  const authorization = { Authorization: `Bearer ${user.secret}` };
  const checkedFetch = createCheckedFetch(installation);
  return {
    test,
    url: installation.url,
    roleId,
    user,
    dataApis: Object.keys(installation.metrics).filter((name) =>
      /^(data-api|standalone)/.test(name),
    ).length,
    open: (path, headers = {}) =>
      new Promise((resolve, reject) => {
        const options = { agent: false, headers: { ...authorization, ...headers } } as const;
        const request = get(`${installation.url}${path}`, options, (answer) =>
          resolve({ request, answer }),
        );
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
    memory: () => Promise.all(installation.processes.map(({ child }) => residentBytes(child.pid))),
    kill: () => {
      for (const { child } of installation.processes) child.kill("SIGKILL");
    },
    output: () => installation.output(),
    stop: () => installation.stop(),
  };
}

/** Only Linux shows another process's memory without a program; elsewhere it counts as zero. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+([0-9]+) kB/.exec(status)?.[1] ?? 0) * 1024;
}
