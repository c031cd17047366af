import { setTimeout as sleep } from "node:timers/promises";
import type { ChaosEnvironment } from "./chaos-environment.ts";
import type { Chance } from "./random.ts";
import type { LoadedWorkflow } from "./workflows.ts";

/** The intention of a caller, and the response. */
export interface Call {
  readonly workflow: LoadedWorkflow;
  readonly token: string;
  readonly key: string | undefined;
  /** Every id in a response. */
  readonly runs: Set<string>;
  /** The statuses of runs in responses. */
  readonly statuses: Set<string>;
}

export interface Load {
  readonly calls: readonly Call[];
  /** The number of each response status, `0` without a response. */
  readonly answers: ReadonlyMap<string, number>;
  /** Responses that must never occur. */
  readonly faults: readonly string[];
  /** Lets every caller finish its current call. */
  stop(): Promise<void>;
}

const callers = 8;
/** Maximum of open runs, so that the load fits the machine. */
const openRunsMax = 250;
const patienceMs = 40_000;
/** Error codes of a gateway or a service while one of its dependencies is unavailable. */
const unavailable: ReadonlySet<number> = new Set([502, 503]);

/** Starts callers that call one webhook after another, each in its own order, until they are stopped. */
export function startLoad(environment: ChaosEnvironment, chance: Chance): Load {
  const calls: Call[] = [];
  const answers = new Map<string, number>();
  const faults: string[] = [];
  let stopping = false;
  let openRuns = 0;
  const called = environment.workflows.filter((workflow) => workflow.isCalled);

  const count = (answer: string) => answers.set(answer, (answers.get(answer) ?? 0) + 1);

  const send = async (
    gateway: string,
    method: string,
    path: string,
    headers: Record<string, string>,
  ): Promise<{ status: number; body: Answer }> => {
    try {
      const response = await fetch(`${gateway}${path}`, {
        method,
        headers: { authorization: `Bearer ${environment.caller.secret}`, ...headers },
        signal: AbortSignal.timeout(patienceMs),
        ...(method === "POST" ? { body: JSON.stringify({ token: headers["x-token"] }) } : {}),
      });
      const text = await response.text();
      const body = JSON.parse(text) as Answer;
      count(`${method} ${response.status} ${body.errors?.[0]?.code ?? ""}`.trim());
      return { status: response.status, body };
    } catch {
      count(`${method} 0`);
      return { status: 0, body: {} };
    }
  };

  /** @returns whether the response named the run */
  const attempt = async (call: Call, gateway: string): Promise<boolean> => {
    const { workflow, token, key, runs } = call;
    const { status, body } = await send(
      gateway,
      "POST",
      `/api/workflows/${workflow.slug}/webhook`,
      {
        "content-type": "application/json",
        "x-token": token,
        "x-forwarded-for": addressOf(calls.length),
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
    );
    const run = status === 202 ? body.data?.run : status === 200 ? body.data?.id : body.meta?.run;
    if (run !== undefined) {
      runs.add(run);
      if (body.data?.status !== undefined) call.statuses.add(body.data.status);
      return true;
    }
    if (status !== 0 && !unavailable.has(status)) {
      faults.push(`${workflow.slug} ${token} was answered with ${status} ${JSON.stringify(body)}`);
    }
    return false;
  };

  const callOnce = async (caller: number, serial: number, own: Chance): Promise<void> => {
    const workflow = own.pick(called);
    const token = `${caller}-${serial}`;
    const isKeyed = own.next() < 0.5;
    const call: Call = {
      workflow,
      token,
      key: isKeyed ? `key-${token}` : undefined,
      runs: new Set(),
      statuses: new Set(),
    };
    calls.push(call);
    const gateway = () => own.pick(environment.gateways).url();
    const first = gateway();
    const isTwice = isKeyed && own.next() < 0.3;
    const known = await Promise.all(
      isTwice ? [attempt(call, first), attempt(call, gateway())] : [attempt(call, first)],
    );
    // A caller with a key may repeat the call until it receives a response.
    for (let tries = 0; isKeyed && !known.includes(true) && tries < 120; tries += 1) {
      await sleep(500);
      known.push(await attempt(call, gateway()));
    }
    const [run] = call.runs;
    if (run === undefined || workflow.isPublic) return;
    const { status } = await send(gateway(), "GET", `/api/workflows/runs/${run}/result`, {});
    if (status !== 200 && status !== 0 && !unavailable.has(status)) {
      faults.push(`the result of ${run} was answered with ${status}`);
    }
  };

  const work = Array.from({ length: callers }, async (_, caller) => {
    const own = chance.fork();
    for (let serial = 0; !stopping; serial += 1) {
      if (openRuns < openRunsMax) await callOnce(caller, serial, own);
      await sleep(own.between(20, 150));
    }
  });
  const watch = (async () => {
    while (!stopping) {
      openRuns = await countOpenRuns(environment).catch(() => openRuns);
      await sleep(500);
    }
  })();
  return {
    calls,
    answers,
    faults,
    stop: async () => {
      stopping = true;
      await Promise.all([...work, watch]);
    },
  };
}

/** Counts runs that have not ended. */
export async function countOpenRuns({
  database,
}: Pick<ChaosEnvironment, "database">): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    "select count(*)::integer as count from system.workflow_runs where finished_at is null",
  );
  return row?.count ?? 0;
}

function addressOf(serial: number): string {
  return `2001:db8:${(serial >> 16).toString(16)}:${(serial & 0xffff).toString(16)}::1`;
}

interface Answer {
  readonly data?: { readonly run?: string; readonly id?: string; readonly status?: string };
  readonly errors?: readonly { readonly code: string }[];
  readonly meta?: { readonly run?: string };
}
