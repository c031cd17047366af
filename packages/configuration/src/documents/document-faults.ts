import {
  AppError,
  createFault,
  type ErrorCode,
  escapePointer,
  type Fault,
  faultsMax,
} from "@rowhouse/errors";
import type { Position } from "../yaml/yaml-text.ts";

/** Returns a fault of a file, with its line and column if it is a text. */
export function fileFault(
  file: string,
  message: string,
  position?: Position | undefined,
  code: ErrorCode = "VALUE_INVALID",
): Fault {
  const details = position === undefined ? { file } : { file, ...position };
  return createFault(code, { path: `/data/files/${escapePointer(file)}`, message, details });
}

/** Returns a fault of a file for one of its text: it keeps whether something is missing that the files do not carry. */
export function withMissing(fault: Fault, { details }: Fault): Fault {
  if (details?.missing === undefined) return fault;
  return { ...fault, details: { ...fault.details, missing: details.missing } };
}

/** @throws AppError with these faults, if there are any; `meta.mayHaveMore` says that there may be others */
export function throwAll(faults: readonly Fault[]): void {
  const [first, ...rest] = faults.toSorted(compareFaults).slice(0, faultsMax);
  const meta = faults.length < faultsMax ? {} : { mayHaveMore: true };
  if (first !== undefined) throw new AppError([first, ...rest], { meta });
}

/** Gathers the faults of all documents, and throws them together. */
export class Faults {
  readonly #faults: Fault[] = [];

  get isEmpty(): boolean {
    return this.#faults.length === 0;
  }

  /** Whether there are as many as a response has. */
  get isFull(): boolean {
    return this.#faults.length >= faultsMax;
  }

  add(...faults: readonly Fault[]): void {
    this.#faults.push(...faults);
  }

  /** @throws AppError with at most 20 faults, in the order of files and lines */
  throwAll(): void {
    throwAll(this.#faults);
  }
}

/**
 * Returns what is found for all items together. A fault of one does not hide those of the others, until there are as many as
 * a response has.
 *
 * @throws AppError with the faults of all items
 */
export async function gather<Item, Found>(
  items: Iterable<Item>,
  find: (item: Item) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  const faults = new Faults();
  for (const item of items) {
    if (faults.isFull) break;
    try {
      found.push(...(await find(item)));
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      faults.add(...error.faults);
    }
  }
  faults.throwAll();
  return found;
}

function compareFaults(a: Fault, b: Fault): number {
  const [left, right] = [a, b].map(({ details }) => details ?? {});
  const byFile = String(left?.file) < String(right?.file) ? -1 : 1;
  if (left?.file !== right?.file) return byFile;
  return Number(left?.line ?? 0) - Number(right?.line ?? 0);
}
