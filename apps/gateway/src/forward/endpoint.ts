import { assertionHeader, type Logger } from "@rowhouse/http";
import { Client, type Dispatcher, Pool } from "undici";
import { EndpointHealth, type Standing } from "./endpoint-health.ts";

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

  failed(error: unknown): void {
    this.#health.failed(error);
  }

  async close(): Promise<void> {
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
      health.failed(error);
      if (health.isHanging) for (const abort of [...this.#unanswered]) abort();
    }
  }
}
