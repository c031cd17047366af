import { assertionHeader, causeOf, faultIn, type Logger } from "@rowhouse/http";
import { Client, type Dispatcher, Pool } from "undici";

/** One process of a service: its connections and its health. */
export interface Endpoint {
  readonly url: string;
  readonly pool: Dispatcher;
  /** Number of requests in progress. */
  readonly busy: number;
  /** Health of the endpoint: preferred (GOOD), degraded (DOUBTFUL) or unavailable (OUT). */
  standing(): "GOOD" | "DOUBTFUL" | "OUT";
  /**
   * Registers a request to this process.
   *
   * @param abort ends the request while it has no response, if the process turns out to hang
   * @returns a function that reports the outcome, each at most once: `ANSWERED` at the first byte of a response,
   * `ENDED` when the request is complete
   */
  begin(abort: () => void): (outcome: "ANSWERED" | "ENDED") => void;
  /**
   * Reports that a response closes its connection: the process is about to stop. It may never accept a new connection,
   * so requests use it only if there is no other.
   */
  leaving(): void;
  /** Reports that a connection failed or broke. */
  failed(error: unknown): void;
  close(): Promise<void>;
}

const connectionsMax = 512;
const connectMs = 2000;
/** Interval and timeout of the health probe, in milliseconds. */
export interface ProbeTimes {
  readonly everyMs: number;
  readonly timeoutMs: number;
}

const defaultProbe: ProbeTimes = { everyMs: 1000, timeoutMs: 5000 };
/** Number of consecutive timeouts after which no request is sent until a probe succeeds. */
const timeoutsMax = 3;
const doubtMs = 1000;
/**
 * A stopping process announces itself with each response. After this long without an announcement, its address may
 * have another process.
 */
const leavingMs = 3000;

/**
 * Opens the connections to one process. A probe requests `/livez` every second, apart from the forwarded requests: so
 * a recovered process is found without a failed request, and a hanging one gets no requests. A process that rejects
 * this gateway's assertions gets none either: its callers would get 401.
 *
 * @param url `http://host:port`
 * @param introduce signs a new assertion for the service
 */
export function openEndpoint(
  url: string,
  logger: Logger,
  introduce: () => Promise<string>,
  { everyMs, timeoutMs }: ProbeTimes = defaultProbe,
): Endpoint {
  // No time limits here: a webhook waits for its run, an export for its reader. The probe detects a process that hangs.
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
    if (!isAway) logger.warn({ url, err: error }, "A process of a service does not respond");
    isAway = true;
    doubtedUntil = Date.now() + doubtMs;
    if (isTimeout(error)) timeoutsInRow += 1;
  };
  const answered = () => {
    if (isAway) logger.warn({ url }, "A process of a service responds again");
    isAway = false;
    timeoutsInRow = 0;
    doubtedUntil = 0;
  };
  const leaving = () => {
    leavingUntil = Date.now() + leavingMs;
  };
  let refusal: string | undefined;
  /** @param body of a rejection; undefined for any other response */
  const judge = (body: unknown) => {
    const fault = typeof body === "string" ? readFault(body) : undefined;
    const kind = fault?.kind;
    if (fault !== undefined && kind !== refusal) {
      logger.error({ url, fault }, `The process at ${url} rejects this gateway: ${causeOf(fault)}`);
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
      // A hanging process gets no request as a test: the probe tests it every second.
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
