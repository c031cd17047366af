/** A position in a full round over the steps of a run. */
interface Within {
  /** The horizon of the first page: the next round begins there. */
  readonly next: string;
  readonly position: number;
}

/** Characters of a run's id in a cursor: one of another run would skip steps. */
const idLength = 8;
const form = /^([0-9a-f]{8})-([0-9]{1,10})(?:-([0-9]{1,10})-([0-9]{1,9}))?$/;
const transactionMax = 4_294_967_295;

/**
 * What a reader of a run has received. `since` is the oldest transaction whose changes may be missing; null for all.
 * Within a round of several pages there is also the position of the last page.
 */
export class RunCursor {
  readonly #id: string;
  readonly since: string | null;
  readonly #within: Within | undefined;

  private constructor(id: string, since: string | null, within?: Within) {
    this.#id = id;
    this.since = since;
    this.#within = within;
  }

  /** Returns the cursor of a reader who has nothing. */
  static start(runId: string): RunCursor {
    return new RunCursor(runId.slice(0, idLength), null);
  }

  /** Returns the cursor of a text; undefined for a malformed one and for that of another run. */
  static read(runId: string, text: string): RunCursor | undefined {
    const [, id = "", since = "", next, position] = form.exec(text) ?? [];
    if (id !== runId.slice(0, idLength).toLowerCase()) return undefined;
    if (Math.max(Number(since), Number(next ?? 0)) > transactionMax) return undefined;
    const within =
      next === undefined || position === undefined
        ? undefined
        : { next, position: Number(position) };
    return new RunCursor(id, since === "0" ? null : since, within);
  }

  /** The last position that was received in this round, perhaps not all of its steps; null before the first page. */
  get position(): string | null {
    return this.#within === undefined ? null : String(this.#within.position);
  }

  /** Returns the cursor after a page that others follow. */
  within(horizon: string, position: number): RunCursor {
    return new RunCursor(this.#id, this.since, { next: this.#within?.next ?? horizon, position });
  }

  /** Returns the cursor after the last page of a round. */
  done(horizon: string): RunCursor {
    return new RunCursor(this.#id, this.#within?.next ?? horizon);
  }

  get text(): string {
    const since = this.since ?? "0";
    const within = this.#within;
    return within === undefined
      ? `${this.#id}-${since}`
      : `${this.#id}-${since}-${within.next}-${within.position}`;
  }
}
