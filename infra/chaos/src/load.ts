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
  return new WebhookCallers(environment, chance);
}

/** RUNNING from the constructor to `stop`, then STOPPED. */
class WebhookCallers implements Load {
  readonly calls: Call[] = [];
  readonly answers = new Map<string, number>();
  readonly faults: string[] = [];
  readonly #environment: ChaosEnvironment;
  readonly #called: readonly LoadedWorkflow[];
  readonly #loops: readonly Promise<void>[];
  #openRuns = 0;
  #state: "RUNNING" | "STOPPED" = "RUNNING";

  constructor(environment: ChaosEnvironment, chance: Chance) {
    this.#environment = environment;
    this.#called = environment.workflows.filter((workflow) => workflow.isCalled);
    this.#loops = [
      ...Array.from({ length: callers }, (_, caller) => this.#call(caller, chance.fork())),
      this.#watchOpenRuns(),
    ];
  }

  async stop(): Promise<void> {
    this.#state = "STOPPED";
    await Promise.all(this.#loops);
  }

  async #call(caller: number, own: Chance): Promise<void> {
    for (let serial = 0; this.#state === "RUNNING"; serial += 1) {
      if (this.#openRuns < openRunsMax) await this.#callOnce(caller, serial, own);
      await sleep(own.between(20, 150));
    }
  }

  async #watchOpenRuns(): Promise<void> {
    while (this.#state === "RUNNING") {
      this.#openRuns = await countOpenRuns(this.#environment).catch(() => this.#openRuns);
      await sleep(500);
    }
  }

  async #callOnce(caller: number, serial: number, own: Chance): Promise<void> {
    const workflow = own.pick(this.#called);
    const token = `${caller}-${serial}`;
    const isKeyed = own.next() < 0.5;
    const call: Call = {
      workflow,
      token,
      key: isKeyed ? `key-${token}` : undefined,
      runs: new Set(),
      statuses: new Set(),
    };
    this.calls.push(call);
    const gateway = () => own.pick(this.#environment.gateways).url();
    const first = gateway();
    const isTwice = isKeyed && own.next() < 0.3;
    const known = await Promise.all(
      isTwice
        ? [this.#attempt(call, first), this.#attempt(call, gateway())]
        : [this.#attempt(call, first)],
    );
    // A caller with a key may repeat the call until it receives a response.
    for (let tries = 0; isKeyed && !known.includes(true) && tries < 120; tries += 1) {
      await sleep(500);
      known.push(await this.#attempt(call, gateway()));
    }
    const [run] = call.runs;
    if (run === undefined || workflow.isPublic) return;
    const { status } = await this.#send(gateway(), "GET", `/api/workflows/runs/${run}/result`, {});
    if (status !== 200 && status !== 0 && !unavailable.has(status)) {
      this.faults.push(`the result of ${run} was answered with ${status}`);
    }
  }

  /** @returns whether the response named the run */
  async #attempt(call: Call, gateway: string): Promise<boolean> {
    const { workflow, token, key, runs } = call;
    const { status, body } = await this.#send(
      gateway,
      "POST",
      `/api/workflows/${workflow.slug}/webhook`,
      {
        "content-type": "application/json",
        "x-token": token,
        "x-forwarded-for": addressOf(this.calls.length),
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
      this.faults.push(
        `${workflow.slug} ${token} was answered with ${status} ${JSON.stringify(body)}`,
      );
    }
    return false;
  }

  async #send(
    gateway: string,
    method: string,
    path: string,
    headers: Record<string, string>,
  ): Promise<{ status: number; body: Answer }> {
    try {
      const response = await fetch(`${gateway}${path}`, {
        method,
        headers: { authorization: `Bearer ${this.#environment.caller.secret}`, ...headers },
        signal: AbortSignal.timeout(patienceMs),
        ...(method === "POST" ? { body: JSON.stringify({ token: headers["x-token"] }) } : {}),
      });
      const text = await response.text();
      const body = JSON.parse(text) as Answer;
      this.#count(`${method} ${response.status} ${body.errors?.[0]?.code ?? ""}`.trim());
      return { status: response.status, body };
    } catch {
      this.#count(`${method} 0`);
      return { status: 0, body: {} };
    }
  }

  #count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
  }
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
