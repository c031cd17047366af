import { assertionHeader, causeOf, faultIn, type Logger } from "@rowhouse/http";
import { Client, type Dispatcher, Pool } from "undici";

/** One process of a service: its connections, and what is known of its health. */
export interface Endpoint {
  readonly url: string;
  readonly pool: Dispatcher;
  /** Requests that it is at work on. */
  readonly busy: number;
  /** Whether it takes another request, and how gladly. */
  standing(): "GOOD" | "DOUBTFUL" | "OUT";
  /**
   * Says that a request goes there.
   *
   * @param abort ends the request while it has no answer, should the process turn out not to answer at all
   * @returns says how it went, once: `ANSWERED` by the first byte of an answer, `ENDED` when all is over
   */
  begin(abort: () => void): (outcome: "ANSWERED" | "ENDED") => void;
  /**
   * Says that an answer closes its connection: the process is about to stop. A connection that is opened to it then may never
   * be accepted, so that requests go there only where there is no other.
   */
  leaving(): void;
  /** Says that no connection came about, or that one broke. */
  failed(error: unknown): void;
  close(): Promise<void>;
}

const connectionsMax = 512;
const connectMs = 2000;
/** How often a process is asked whether it is there, and how long it may take to say so, in milliseconds. */
export interface ProbeTimes {
  readonly everyMs: number;
  readonly timeoutMs: number;
}

const defaultProbe: ProbeTimes = { everyMs: 1000, timeoutMs: 5000 };
/** Failures to answer in time, one after the other, after which nothing is sent there until the probe is answered. */
const timeoutsMax = 3;
const doubtMs = 1000;
/** A process that is about to stop says so again with each answer; this long after the last one it may be another. */
const leavingMs = 3000;

/**
 * Opens the connections to one process. It is asked for `/livez` every second, beside what goes there, so that one that is
 * back is found without a request that fails, and one that hangs is left alone. So is one that refuses what this gateway
 * signs: its callers would get 401.
 *
 * @param url `http://host:port`
 * @param introduce signs an assertion of this moment for the service
 */
export function openEndpoint(
  url: string,
  logger: Logger,
  introduce: () => Promise<string>,
  { everyMs, timeoutMs }: ProbeTimes = defaultProbe,
): Endpoint {
  // No time limits here: a webhook waits for its run, an export for its reader. Whoever hangs is found by the probe.
  const timeouts = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: connectMs };
  const pool = new Pool(url, { ...timeouts, connections: connectionsMax, pipelining: 1 });
  const probe = new Client(url, {
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connectTimeout: connectMs,
  });
  const waiting = new Set<() => void>();
  let busy = 0;
  let timeoutsInRow = 0;
  let doubtedUntil = 0;
  let leavingUntil = 0;

  let isAway = false;
  const failed = (error: unknown) => {
    if (!isAway) logger.warn({ url, err: error }, "A process of a service does not answer");
    isAway = true;
    doubtedUntil = Date.now() + doubtMs;
    if (isTimeout(error)) timeoutsInRow += 1;
  };
  const answered = () => {
    if (isAway) logger.warn({ url }, "A process of a service answers again");
    isAway = false;
    timeoutsInRow = 0;
    doubtedUntil = 0;
  };
  const leaving = () => {
    leavingUntil = Date.now() + leavingMs;
  };
  let refusal: string | undefined;
  /** @param body of a refusal, or nothing */
  const judge = (body: unknown) => {
    const fault = typeof body === "string" ? readFault(body) : undefined;
    const kind = fault?.kind;
    if (fault !== undefined && kind !== refusal) {
      logger.error({ url, fault }, `The process at ${url} refuses this gateway: ${causeOf(fault)}`);
    }
    if (kind === undefined && refusal !== undefined) {
      logger.warn({ url }, "A process of a service accepts this gateway");
    }
    refusal = kind;
  };
  const ask = async () => {
    try {
      const headers = { [assertionHeader]: await introduce() };
      const answer = await probe.request({ method: "GET", path: "/livez", headers });
      const body = answer.statusCode === 401 ? await answer.body.text() : await answer.body.dump();
      answered();
      judge(body);
      if (answer.headers.connection === "close") leaving();
    } catch (error) {
      failed(error);
      if (timeoutsInRow >= timeoutsMax) for (const abort of [...waiting]) abort();
    }
  };
  let asking = false;
  const timer = setInterval(() => {
    if (asking) return;
    asking = true;
    void ask().finally(() => {
      asking = false;
    });
  }, everyMs);
  timer.unref();

  return {
    url,
    pool,
    get busy() {
      return busy;
    },
    standing: () => {
      // Whoever hangs gets no request to find out by: the probe does, and each second.
      const isOut = busy >= connectionsMax || timeoutsInRow >= timeoutsMax || refusal !== undefined;
      if (isOut) return "OUT";
      return Date.now() < Math.max(doubtedUntil, leavingUntil) ? "DOUBTFUL" : "GOOD";
    },
    begin: (abort) => {
      busy += 1;
      waiting.add(abort);
      let ended = false;
      return (outcome) => {
        if (waiting.delete(abort) && outcome === "ANSWERED") answered();
        if (outcome === "ANSWERED" || ended) return;
        ended = true;
        busy -= 1;
      };
    },
    leaving,
    failed,
    close: async () => {
      clearInterval(timer);
      await Promise.all([pool.destroy(), probe.destroy()]);
    },
  };
}

function readFault(body: string) {
  try {
    return faultIn(JSON.parse(body));
  } catch {
    return undefined;
  }
}

function isTimeout(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "UND_ERR_CONNECT_TIMEOUT" || code === "UND_ERR_HEADERS_TIMEOUT";
}
