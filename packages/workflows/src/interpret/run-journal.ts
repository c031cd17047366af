import type { ComputeBudget } from "../base/compute-budget.ts";
import { measure } from "../base/json.ts";
import { toRunError, toStepError, withoutReason } from "../base/run-fault.ts";
import type { JournalEntry, JournalRecord } from "../model/run.ts";
import type { Simulation } from "../model/test-options.ts";
import { checkOutput, JournalSize, totalSizeMax } from "./run-bounds.ts";
import { StepFailed } from "./step-failed.ts";
import type { EffectAnswer } from "./wait.ts";

/** The fields of an entry that identify its step. */
export type Subject = Pick<JournalEntry, "path" | "position" | "kind" | "startedAt" | "attempt">;

type Conclusion = Extract<EffectAnswer, { kind: "OUTPUT" | "FAULT" }>;

const nothingYet = {
  output: null,
  error: null,
  finishedAt: null,
  resumeInMs: null,
  childRunId: null,
} as const;

/** Receives each step that is reached, before it acts. @param render returns its rendered templates */
export type StepObserver = (path: string, render: () => unknown) => void;

export interface RunJournalOptions {
  readonly observer?: StepObserver | undefined;
  /** Whether pauses and delays end at once, and loops run their items one by one. */
  readonly isTrial?: boolean | undefined;
}

/** The journal of one claim: the records that were read, and the entries added since. */
export class RunJournal {
  /** Entries since the last write; the driver writes and clears them. */
  readonly pending: JournalEntry[] = [];
  /** Pays the computing cost of this claim. */
  readonly budget: ComputeBudget;
  readonly isTrial: boolean;
  readonly #records: ReadonlyMap<string, JournalRecord>;
  readonly #clock: () => number;
  readonly #size = new JournalSize();
  readonly #observer: StepObserver | undefined;
  #position: number;
  #items: ReadonlyMap<string, ReadonlySet<number>> | undefined;

  /** @param clock milliseconds since 1970 */
  constructor(
    records: ReadonlyMap<string, JournalRecord>,
    clock: () => number,
    budget: ComputeBudget,
    { observer, isTrial = false }: RunJournalOptions = {},
  ) {
    this.#records = records;
    this.#clock = clock;
    this.budget = budget;
    this.#observer = observer;
    this.isTrial = isTrial;
    this.#position = Math.max(-1, ...Array.from(records.values(), (one) => one.position)) + 1;
    for (const { output } of records.values()) this.#size.add(sizeOf(output));
  }

  /** Whether a reader uses the journal, who follows the recorded steps and carries nothing out. */
  get isObserved(): boolean {
    return this.#observer !== undefined;
  }

  /** Returns the items of a loop that the recorded steps belong to. */
  recordedItems(path: string): ReadonlySet<number> {
    this.#items ??= itemsOf(this.#records.keys());
    return this.#items.get(path) ?? none;
  }

  /** Notifies the observer of a step with an input of its own. */
  reach(path: string, render: () => unknown): void {
    this.#observer?.(path, render);
  }

  now(): number {
    return this.#clock();
  }

  /** Returns the record of a step from when the journal was read. */
  known(path: string): JournalRecord | undefined {
    return this.#records.get(path);
  }

  /**
   * Returns the output of a step that has ended according to the journal.
   *
   * @returns undefined if it has not ended
   * @throws StepFailed if it failed
   */
  replay(path: string): { readonly output: unknown } | undefined {
    const record = this.#records.get(path);
    if (record?.status === "SUCCEEDED") return { output: record.output };
    if (record?.status === "FAILED") {
      const { error } = record;
      throw new StepFailed(
        error === null ? toRunError(undefined, stepOf(path)) : withoutReason(error),
      );
    }
    return undefined;
  }

  /** Returns the subject of a step that is reached, at its recorded position or at the next one. */
  begin(path: string, kind: string): Subject {
    const known = this.#records.get(path)?.position;
    const position = known ?? this.#position;
    if (known === undefined) this.#position += 1;
    return { path, position, kind, startedAt: this.#clock(), attempt: 1 };
  }

  /** Runs a step that only computes. @throws StepFailed */
  calculate(path: string, kind: string, work: () => unknown): unknown {
    const known = this.replay(path);
    if (known !== undefined) return known.output;
    const subject = this.begin(path, kind);
    let output: unknown;
    try {
      output = work();
    } catch (error) {
      throw this.fail(subject, error);
    }
    this.succeed(subject, output);
    return output;
  }

  /** Records an output. @throws StepFailed if the output exceeds a limit */
  succeed(subject: Subject, output: unknown, simulated?: Simulation): void {
    let size: number;
    try {
      size = checkOutput(output, this.budget).size;
    } catch (error) {
      throw this.fail(subject, error);
    }
    const outcome = { kind: "OUTPUT", output, ...(simulated && { simulated }) } as const;
    this.#push(concluded(subject, outcome, this.#clock()), size);
  }

  /** Records a fault. @returns the error to throw */
  fail(subject: Subject, error: unknown, simulated?: Simulation): StepFailed {
    this.conclude(subject, { kind: "FAULT", error, ...(simulated && { simulated }) });
    return new StepFailed(toRunError(error, stepOf(subject.path)));
  }

  /** Records the failure of a step that contains a failed one. @returns the error to throw */
  failWith(subject: Subject, error: StepFailed["error"]): StepFailed {
    const finishedAt = this.#clock();
    this.#push({ ...subject, ...nothingYet, status: "FAILED", error, finishedAt });
    return new StepFailed(error);
  }

  wait(subject: Subject, more: Partial<JournalEntry>): void {
    this.#push({ ...subject, ...nothingYet, status: "WAITING", ...more });
  }

  conclude(subject: Subject, outcome: Conclusion): void {
    this.#push(concluded(subject, outcome, this.#clock()));
  }

  #push(entry: JournalEntry, size = sizeOf(entry.output)): void {
    const fault = this.#size.add(size);
    if (entry.status === "SUCCEEDED" && fault !== undefined) throw this.fail(entry, fault);
    this.pending.push(entry);
  }
}

/** Returns the entry of a step that has ended. @param now milliseconds since 1970 */
export function concluded(subject: Subject, outcome: Conclusion, now: number): JournalEntry {
  const isOutput = outcome.kind === "OUTPUT";
  return {
    ...subject,
    ...nothingYet,
    status: isOutput ? "SUCCEEDED" : "FAILED",
    output: isOutput ? outcome.output : null,
    error: isOutput ? null : toStepError(outcome.error, stepOf(subject.path)),
    finishedAt: now,
    ...(outcome.simulated && { simulated: outcome.simulated }),
  };
}

const none: ReadonlySet<number> = new Set();

/** Returns the indexes of items in paths such as `loop.3.call`, by the paths of their loops. */
function itemsOf(paths: Iterable<string>): ReadonlyMap<string, ReadonlySet<number>> {
  const items = new Map<string, Set<number>>();
  for (const path of paths) {
    const segments = path.split(".");
    for (let at = 1; at < segments.length; at += 2) {
      const loop = segments.slice(0, at).join(".");
      const found = items.get(loop) ?? new Set();
      items.set(loop, found.add(Number(segments[at])));
    }
  }
  return items;
}

function sizeOf(output: unknown): number {
  return measure(output, totalSizeMax).size;
}

function stepOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
