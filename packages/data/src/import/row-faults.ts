import { toAppError } from "@rowhouse/db";
import { AppError, type ErrorCode, type Fault } from "@rowhouse/errors";

/** Maximum number of faults in the response to an import. */
export const reportedMax = 100;

export interface RowFault {
  /** The row, counted from 0; -1 for the header. */
  readonly row: number;
  readonly fault: Fault;
}

/** The faults of a file: the first in the order of its rows, and their number. */
export class RowFaults {
  readonly #first: RowFault[] = [];
  #count = 0;
  #isComplete = true;
  readonly #codes = new Set<ErrorCode>();

  /** Number of faults found. */
  get count(): number {
    return this.#count;
  }

  /** Codes of all faults found, those that the response omits included. */
  get codes(): readonly ErrorCode[] {
    return [...this.#codes];
  }

  /** Adds a fault; rows must be added in their order, except by `merge`. */
  add(row: number, fault: Fault): void {
    this.#count += 1;
    this.#codes.add(fault.code);
    if (this.#first.length < reportedMax) this.#first.push({ row, fault });
  }

  /**
   * Adds faults that were found elsewhere.
   *
   * @param faults the first of them
   * @param all number and codes of all of them
   */
  merge(faults: readonly RowFault[], all: Pick<RowFaults, "count" | "codes">): void {
    this.#first.push(...faults);
    this.#first.sort((one, other) => one.row - other.row);
    this.#first.splice(reportedMax);
    this.#count += all.count;
    for (const code of all.codes) this.#codes.add(code);
  }

  /** Reports that there may be further faults. */
  stop(): void {
    this.#isComplete = false;
  }

  /** Returns the error of the import; undefined without faults. */
  toError(cause?: unknown): AppError | undefined {
    const [first, ...rest] = this.#first.map(({ fault }) => fault);
    if (first === undefined) return undefined;
    return new AppError([first, ...rest], {
      faultsMax: reportedMax,
      meta: { faults: { count: this.#count, complete: this.#isComplete } },
      ...(cause === undefined ? {} : { cause, isLogged: toAppError(cause).isLogged }),
    });
  }
}

/** Returns the details of a fault: its place in the file as a person finds it. */
export function fileLocationOf(line: number, column?: string): Fault["details"] {
  return column === undefined ? { line } : { line, column };
}
