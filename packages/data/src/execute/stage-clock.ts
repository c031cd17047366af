/** What the six stages of a request come to on a clock: all before the statement, the statement, the answer's text. */
export type Stage = "prepare" | "execute" | "render";

/** Times the stages of one request. A stage that ran again, after a stale attempt, counts each time. */
export class StageClock {
  readonly #tell: ((stage: Stage, seconds: number) => void) | undefined;
  readonly #milliseconds = new Map<Stage, number>();
  #last = performance.now();

  constructor(tell: ((stage: Stage, seconds: number) => void) | undefined) {
    this.#tell = tell;
  }

  /** Everything since the end of the stage before was this one. */
  ended(stage: Stage): void {
    const now = performance.now();
    const milliseconds = now - this.#last;
    this.#last = now;
    this.#milliseconds.set(stage, (this.#milliseconds.get(stage) ?? 0) + milliseconds);
    this.#tell?.(stage, milliseconds / 1000);
  }

  /** The value of a `Server-Timing` header (W3C Server Timing), in milliseconds. */
  text(): string {
    return Array.from(
      this.#milliseconds,
      ([stage, milliseconds]) => `${stage};dur=${milliseconds.toFixed(3)}`,
    ).join(", ");
  }
}
