import { assertionFaultIn, assertionHeader, causeOf } from "@rowhouse/http";
import type { Logger } from "@rowhouse/service";
import { Client, type Dispatcher, Pool } from "undici";

/** Preferred (GOOD), degraded (DOUBTFUL) or unavailable (OUT). */
type Standing = "GOOD" | "DOUBTFUL" | "OUT";

/** Number of consecutive timeouts after which no request is sent until a probe succeeds. */
const timeoutsMax = 3;
const doubtMs = 1000;
/**
 * A stopping process announces itself with each response. After this long without an announcement, its address may
 * have another process.
 */
const leavingMs = 3000;

/**
 * The health of one process of a service.
 *
 * | state | event | next state |
 * |---|---|---|
 * | GOOD, DOUBTFUL | a connection fails, or an assertion is rejected | DOUBTFUL for a second |
 * | GOOD, DOUBTFUL | a response closes its connection | DOUBTFUL for three seconds |
 * | GOOD, DOUBTFUL | the third timeout in a row | OUT: hanging |
 * | any | the probe is rejected with 401 | OUT: rejects this gateway |
 * | hanging, DOUBTFUL by a failure | any response | GOOD |
 * | rejects this gateway | the probe is accepted | GOOD |
 */
class EndpointHealth {
  readonly #url: string;
  readonly #logger: Logger;
  #isAway = false;
  #timeoutsInRow = 0;
  #doubtedUntil = 0;
  #leavingUntil = 0;
  /** The kind of the rejection. */
  #refusal: string | undefined;

  constructor(url: string, logger: Logger) {
    this.#url = url;
    this.#logger = logger;
  }

  get standing(): Standing {
    // A hanging process gets no request as a test: the probe tests it every second.
    if (this.isHanging || this.#refusal !== undefined) return "OUT";
    return Date.now() < Math.max(this.#doubtedUntil, this.#leavingUntil) ? "DOUBTFUL" : "GOOD";
  }

  get isHanging(): boolean {
    return this.#timeoutsInRow >= timeoutsMax;
  }

  failed(error: unknown): void {
    const url = this.#url;
    if (!this.#isAway) {
      this.#logger.warn({ url, err: error }, "A process of a service does not respond");
    }
    this.#isAway = true;
    this.doubt();
    if (isTimeout(error)) this.#timeoutsInRow += 1;
  }

  answered(): void {
    if (this.#isAway) {
      this.#logger.warn({ url: this.#url }, "A process of a service responds again");
    }
    this.#isAway = false;
    this.#timeoutsInRow = 0;
    this.#doubtedUntil = 0;
  }

  doubt(): void {
    this.#doubtedUntil = Date.now() + doubtMs;
  }

  leaving(): void {
    this.#leavingUntil = Date.now() + leavingMs;
  }

  /** @param rejection the body of a rejection; undefined for any other response to the probe */
  probed(rejection: string | undefined): void {
    const url = this.#url;
    const fault = rejection === undefined ? undefined : readFault(rejection);
    const kind = fault?.kind;
    if (fault !== undefined && kind !== this.#refusal) {
      const message = `The process at ${url} rejects this gateway: ${causeOf(fault)}`;
      this.#logger.error({ url, fault }, message);
    }
    if (kind === undefined && this.#refusal !== undefined) {
      this.#logger.warn({ url }, "A process of a service accepts this gateway");
    }
    this.#refusal = kind;
  }
}

function readFault(body: string) {
  try {
    return assertionFaultIn(JSON.parse(body));
  } catch {
    return undefined;
  }
}

function isTimeout(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "UND_ERR_CONNECT_TIMEOUT" || code === "UND_ERR_HEADERS_TIMEOUT";
}

/** One process of a service: its connections and its health. */
export interface Endpoint {
  readonly url: string;
  readonly pool: Dispatcher;
  /** Number of requests in progress. */
  readonly busy: number;
  /** The health of the process; OUT as well while all connections are in use. */
  standing(): Standing;
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
  /** Reports that the process rejected an assertion. The next probe finds the reason, or that it is over. */
  rejects(): void;
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
  times: ProbeTimes = defaultProbe,
): Endpoint {
  return new ProbedEndpoint(url, logger, introduce, times);
}

class ProbedEndpoint implements Endpoint {
  readonly url: string;
  readonly pool: Pool;
  busy = 0;
  readonly #introduce: () => Promise<string>;
  readonly #health: EndpointHealth;
  readonly #probe: Client;
  readonly #timer: NodeJS.Timeout;
  /** The abort functions of the requests without a response. */
  readonly #unanswered = new Set<() => void>();
  #isProbing = false;
  #isClosed = false;

  constructor(
    url: string,
    logger: Logger,
    introduce: () => Promise<string>,
    { everyMs, timeoutMs }: ProbeTimes,
  ) {
    this.url = url;
    this.#introduce = introduce;
    this.#health = new EndpointHealth(url, logger);
    // No time limits here: a webhook waits for its run, an export for its reader. The probe detects a process that
    // hangs.
    const timeouts = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: connectMs };
    this.pool = new Pool(url, { ...timeouts, connections: connectionsMax, pipelining: 1 });
    this.#probe = new Client(url, {
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connectTimeout: connectMs,
    });
    this.#timer = setInterval(() => this.#probeOnce(), everyMs).unref();
  }

  standing(): Standing {
    return this.busy >= connectionsMax ? "OUT" : this.#health.standing;
  }

  begin(abort: () => void): (outcome: "ANSWERED" | "ENDED") => void {
    this.busy += 1;
    this.#unanswered.add(abort);
    let ended = false;
    return (outcome) => {
      if (this.#unanswered.delete(abort) && outcome === "ANSWERED") this.#health.answered();
      if (outcome === "ANSWERED" || ended) return;
      ended = true;
      this.busy -= 1;
    };
  }

  leaving(): void {
    this.#health.leaving();
  }

  rejects(): void {
    this.#health.doubt();
  }

  failed(error: unknown): void {
    // What breaks because this gateway stops says nothing of the process.
    if (!this.#isClosed) this.#health.failed(error);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await Promise.all([this.pool.destroy(), this.#probe.destroy()]);
  }

  #probeOnce(): void {
    if (this.#isProbing) return;
    this.#isProbing = true;
    void this.#ask().finally(() => {
      this.#isProbing = false;
    });
  }

  async #ask(): Promise<void> {
    const health = this.#health;
    try {
      const headers = { [assertionHeader]: await this.#introduce() };
      const answer = await this.#probe.request({ method: "GET", path: "/livez", headers });
      const rejection = answer.statusCode === 401 ? await answer.body.text() : undefined;
      if (rejection === undefined) await answer.body.dump();
      health.answered();
      health.probed(rejection);
      if (answer.headers.connection === "close") health.leaving();
    } catch (error) {
      this.failed(error);
      if (health.isHanging) for (const abort of [...this.#unanswered]) abort();
    }
  }
}
