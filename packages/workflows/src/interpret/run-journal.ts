import type { ComputeBudget } from "../base/compute-budget.ts";
import { measure } from "../base/json.ts";
import { toRunError } from "../base/run-fault.ts";
import type { JournalEntry, JournalRecord } from "../model/run.ts";
import { checkOutput, JournalSize, runTooLarge, totalSizeMax } from "./run-bounds.ts";
import { StepFailed } from "./step-failed.ts";
import type { Answer } from "./wait.ts";

/** What an entry tells of the step it is about. */
export type Subject = Pick<JournalEntry, "path" | "position" | "kind" | "startedAt" | "attempt">;

type Conclusion = Extract<Answer, { kind: "OUTPUT" | "FAULT" }>;

const nothingYet = {
  output: null,
  error: null,
  finishedAt: null,
  resumeInMs: null,
  childRunId: null,
} as const;

/** Hears of each step that is reached, ended or not, before it acts. @param render what its templates give */
export type StepObserver = (path: string, render: () => unknown) => void;

/** The journal of one claim: what it held when it was read, and what is added to it since. */
export class RunJournal {
  /** Entries since the last write; the driver writes and clears them. */
  readonly pending: JournalEntry[] = [];
  /** What the computing of this claim is taken from. */
  readonly budget: ComputeBudget;
  readonly #records: ReadonlyMap<string, JournalRecord>;
  readonly #clock: () => number;
  readonly #size = new JournalSize();
  readonly #observer: StepObserver | undefined;
  #position: number;

  /** @param clock milliseconds since 1970 */
  constructor(
    records: ReadonlyMap<string, JournalRecord>,
    clock: () => number,
    budget: ComputeBudget,
    observer?: StepObserver,
  ) {
    this.#records = records;
    this.#clock = clock;
    this.budget = budget;
    this.#observer = observer;
    this.#position = Math.max(-1, ...Array.from(records.values(), (one) => one.position)) + 1;
    for (const { output } of records.values()) this.#size.add(sizeOf(output));
  }

  /** Whether this is a reader's, who follows what was done and does nothing. */
  get isObserved(): boolean {
    return this.#observer !== undefined;
  }

  /** A step with an input of its own is reached. */
  reach(path: string, render: () => unknown): void {
    this.#observer?.(path, render);
  }

  now(): number {
    return this.#clock();
  }

  /** What was known of a step when the journal was read. */
  known(path: string): JournalRecord | undefined {
    return this.#records.get(path);
  }

  /**
   * The output of a step that the journal knows to have ended.
   *
   * @returns undefined where it has not
   * @throws StepFailed where it failed
   */
  replay(path: string): { readonly output: unknown } | undefined {
    const record = this.#records.get(path);
    if (record?.status === "SUCCEEDED") return { output: record.output };
    if (record?.status === "FAILED") {
      throw new StepFailed(record.error ?? toRunError(undefined, stepOf(path)));
    }
    return undefined;
  }

  /** A step that is reached, at the position it had before or at the next. */
  begin(path: string, kind: string): Subject {
    const known = this.#records.get(path)?.position;
    const position = known ?? this.#position;
    if (known === undefined) this.#position += 1;
    return { path, position, kind, startedAt: this.#clock(), attempt: 1 };
  }

  /** A step that is nothing but a calculation. @throws StepFailed */
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

  /** @throws StepFailed where the output is too large or too deep to be kept */
  succeed(subject: Subject, output: unknown): void {
    let size: number;
    try {
      size = checkOutput(output, this.budget).size;
    } catch (error) {
      throw this.fail(subject, error);
    }
    this.#push(concluded(subject, { kind: "OUTPUT", output }, this.#clock()), size);
  }

  /** @returns what is to be thrown */
  fail(subject: Subject, error: unknown): StepFailed {
    this.conclude(subject, { kind: "FAULT", error });
    return new StepFailed(toRunError(error, stepOf(subject.path)));
  }

  /** A step that failed because of one inside it. @returns what is to be thrown */
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
    const fits = this.#size.add(size);
    if (entry.status === "SUCCEEDED" && !fits) throw this.fail(entry, runTooLarge());
    this.pending.push(entry);
  }
}

/** The entry of a step that has ended. @param now milliseconds since 1970 */
export function concluded(subject: Subject, outcome: Conclusion, now: number): JournalEntry {
  const isOutput = outcome.kind === "OUTPUT";
  return {
    ...subject,
    ...nothingYet,
    status: isOutput ? "SUCCEEDED" : "FAILED",
    output: isOutput ? outcome.output : null,
    error: isOutput ? null : toRunError(outcome.error, stepOf(subject.path)),
    finishedAt: now,
  };
}

function sizeOf(output: unknown): number {
  return measure(output, totalSizeMax).size;
}

/** The id of the step at a path. */
function stepOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
