import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { account, type SoakEnvironment, stockRows } from "./soak-environment.ts";

export interface Outcome {
  readonly kind: string;
  readonly ms: number;
  /** Status and code of an error, a description of a response that breaks the error contract, or nothing. */
  readonly fault: string | undefined;
}

export interface SteadyLoad {
  /** Returns the outcomes since the previous call. */
  take(): Outcome[];
  /** Waits until each kind of request that begins from now on has succeeded once. */
  untilWell(timeoutMs: number): Promise<void>;
  stop(): Promise<void>;
  /** After the stop: accepted rows and runs that are missing or exist twice. */
  findLost(): Promise<string[]>;
}

export interface SteadyLoadOptions {
  /** Number of callers of each kind. */
  readonly callers: number;
  /** Pause of each caller between two requests. */
  readonly restMs: number;
}

const signInRestMs = 3000;
const patienceMs = 60_000;
const settleMs = 120_000;

/** Tokens of rows and ids of runs that responses have acknowledged. */
interface Accepted {
  readonly rows: string[];
  readonly runs: Set<string>;
}

type Target = Pick<SoakEnvironment, "session" | "url">;

/** Sends requests of every kind at a constant rate, to the gateways in turn, until it is stopped. */
export function startSteadyLoad(
  installation: Pick<SoakEnvironment, "database" | "session" | "url">,
  options: SteadyLoadOptions,
): SteadyLoad {
  const accepted: Accepted = { rows: [], runs: new Set() };
  const load = new Callers(createRequests(installation, accepted), options);
  return {
    take: () => load.take(),
    untilWell: (timeoutMs) => load.untilWell(timeoutMs),
    stop: () => load.stop(),
    findLost: () => findLost(installation, accepted),
  };
}

/** Callers that each repeat one kind of request: RUNNING from the constructor to `stop`, then STOPPED. */
class Callers {
  readonly #requests: Requests;
  readonly #loops: Promise<void>[];
  /** The start of the latest successful request of each kind. */
  readonly #wellSince = new Map<string, number>();
  #outcomes: Outcome[] = [];
  #state: "RUNNING" | "STOPPED" = "RUNNING";

  constructor(requests: Requests, { callers, restMs }: SteadyLoadOptions) {
    this.#requests = requests;
    this.#loops = Object.keys(requests).flatMap((kind) =>
      Array.from({ length: kind === "sign-in" ? 1 : callers }, () => this.#repeat(kind, restMs)),
    );
  }

  take(): Outcome[] {
    const taken = this.#outcomes;
    this.#outcomes = [];
    return taken;
  }

  async untilWell(timeoutMs: number): Promise<void> {
    const from = Date.now();
    const missing = () =>
      Object.keys(this.#requests).filter((kind) => (this.#wellSince.get(kind) ?? 0) < from);
    while (missing().length > 0) {
      if (Date.now() - from > timeoutMs) throw new Error(`no more: ${missing().join(", ")}`);
      await sleep(50);
    }
  }

  async stop(): Promise<void> {
    this.#state = "STOPPED";
    await Promise.all(this.#loops);
  }

  async #repeat(kind: string, restMs: number): Promise<void> {
    while (this.#state === "RUNNING") {
      const begun = Date.now();
      const fault = await this.#requests[kind]?.();
      this.#outcomes.push({ kind, ms: Date.now() - begun, fault });
      if (fault === undefined) this.#wellSince.set(kind, begun);
      await sleep(restMs);
    }
  }
}

/** The kinds of requests; each returns its fault. */
type Requests = Readonly<Record<string, () => Promise<string | undefined>>>;

function createRequests(target: Target, accepted: Accepted): Requests {
  const ask = (...request: Asked) => send(target, ...request);
  const table = "/api/public/table";
  return {
    read: async () => (await ask("GET", `${table}/stock?limit=25&order_by=-id`, 200)).fault,
    export: async () => {
      const { fault, text } = await ask("GET", `${table}/stock`, 200, undefined, {
        accept: "text/csv",
      });
      const lines = text.trimEnd().split("\n").length;
      return fault ?? (lines === stockRows + 1 ? undefined : `200 WITH ${lines} LINES`);
    },
    write: async () => {
      const token = randomUUID();
      const { fault } = await ask("POST", `${table}/entries`, 201, {
        data: { kind: "row", token },
      });
      if (fault === undefined) accepted.rows.push(token);
      return fault;
    },
    "admin read": async () => (await ask("GET", "/admin/api/roles", 200)).fault,
    "sync webhook": async () => {
      const body = { token: randomUUID() };
      const path = "/api/workflows/enter-synchronous/webhook";
      const { fault, text } = await ask("POST", path, 200, body);
      if (fault !== undefined) {
        const run = text.startsWith("{") ? runOf(text).meta?.run : undefined;
        if (run !== undefined) accepted.runs.add(run);
        return fault;
      }
      const { id, status, error } = runOf(text).data ?? {};
      if (id !== undefined) accepted.runs.add(id);
      return status === "SUCCEEDED" ? undefined : `RUN ${status} ${error?.code}`;
    },
    "async webhook": async () => {
      const body = { token: randomUUID() };
      const path = "/api/workflows/enter-asynchronous/webhook";
      const { fault, text } = await ask("POST", path, 202, body);
      if (fault !== undefined) return fault;
      const { run } = runOf(text).data ?? {};
      if (run !== undefined) accepted.runs.add(run);
      return run === undefined ? "202 WITHOUT A RUN" : undefined;
    },
    "sign-in": async () => {
      const { fault } = await ask("POST", "/api/auth/login", 200, account);
      // Far above the attempts of one address per minute.
      await sleep(signInRestMs);
      return fault;
    },
  };
}

type Asked = [
  method: string,
  path: string,
  expected: number,
  body?: object,
  headers?: Readonly<Record<string, string>>,
];

async function send(
  { session, url }: Target,
  method: string,
  path: string,
  expected: number,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ fault?: string; text: string }> {
  let status: number;
  let text = "";
  try {
    const answer = await fetch(`${url()}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${session}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patienceMs),
    });
    status = answer.status;
    try {
      text = await answer.text();
    } catch {
      return { fault: `${status} BROKEN OFF`, text };
    }
    if (status === expected) return { text };
    const code = codeOf(text);
    if (status === 503 && answer.headers.get("retry-after") === null) {
      return { fault: `${status} ${code} WITHOUT RETRY-AFTER`, text };
    }
    return { fault: `${status} ${code}`, text };
  } catch (error) {
    return { fault: `NO ANSWER (${causeOf(error)})`, text };
  }
}

function runOf(text: string): RunAnswer {
  return JSON.parse(text) as RunAnswer;
}

/** Returns accepted rows and runs that are missing or exist twice. */
async function findLost(
  { database }: Pick<SoakEnvironment, "database">,
  accepted: Accepted,
): Promise<string[]> {
  await settle({ database });
  const ids = JSON.stringify([...accepted.runs]);
  const tokens = JSON.stringify(accepted.rows);
  const rows = await database.query<{ wrong: string }>(
    `select 'row ' || t || ' is there ' || count(e.id) || ' times' as wrong
     from json_array_elements_text($1::text::json) t left join public.entries e on e.token = t
     group by t having count(e.id) <> 1
     union all
     select 'run ' || t || ' is not there' from json_array_elements_text($2::text::json) t
     where not exists (select from system.workflow_runs r where r.id::text = t)
     union all
     select 'run ' || r.id || ' is ' || r.status || coalesce(' with ' || (r.error ->> 'code'), '') || ' and wrote ' || count(e.id) || ' rows'
     from system.workflow_runs r left join public.entries e on e.token = r.input #>> '{body,token}'
     group by r.id having r.finished_at is null or count(e.id) <> case r.status when 'SUCCEEDED' then 1 else 0 end`,
    [tokens, ids],
  );
  return rows.map((row) => row.wrong);
}

/** Waits until every run has ended, or until no more runs end. */
async function settle({ database }: Pick<SoakEnvironment, "database">): Promise<void> {
  const until = Date.now() + settleMs;
  for (;;) {
    const [open] = await database.query(
      "select from system.workflow_runs where finished_at is null limit 1",
    );
    if (open === undefined || Date.now() > until) return;
    await sleep(200);
  }
}

/** Returns the code of the contract's error, or a description of the response without one. */
export function codeOf(text: string): string {
  try {
    const { errors } = JSON.parse(text) as { errors?: readonly { readonly code?: string }[] };
    return errors?.[0]?.code ?? "WITHOUT A CODE";
  } catch {
    return "WITHOUT JSON";
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause: unknown = error.cause;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}

interface RunAnswer {
  readonly data?: {
    readonly id?: string;
    readonly run?: string;
    readonly status?: string;
    readonly error?: { readonly code: string } | null;
  };
  readonly meta?: { readonly run?: string };
}
