import { causeOf, faultIn, type Logger } from "@rowhouse/http";

/** Preferred (GOOD), degraded (DOUBTFUL) or unavailable (OUT). */
export type Standing = "GOOD" | "DOUBTFUL" | "OUT";

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
 * | GOOD, DOUBTFUL | a connection fails | DOUBTFUL for a second |
 * | GOOD, DOUBTFUL | a response closes its connection | DOUBTFUL for three seconds |
 * | GOOD, DOUBTFUL | the third timeout in a row | OUT: hanging |
 * | any | the probe is rejected with 401 | OUT: rejects this gateway |
 * | hanging, DOUBTFUL by a failure | any response | GOOD |
 * | rejects this gateway | the probe is accepted | GOOD |
 */
export class EndpointHealth {
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
    this.#doubtedUntil = Date.now() + doubtMs;
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
    return faultIn(JSON.parse(body));
  } catch {
    return undefined;
  }
}

function isTimeout(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "UND_ERR_CONNECT_TIMEOUT" || code === "UND_ERR_HEADERS_TIMEOUT";
}
