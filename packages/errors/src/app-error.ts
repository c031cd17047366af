import { type ErrorCode, errorCodes } from "./code.ts";

/** One fault of a request, as its caller sees it. */
export interface Fault {
  readonly code: ErrorCode;
  /** A sentence for a person. */
  readonly message: string;
  /** A JSON pointer into the body (`/data/plate`), or the query parameter as sent. */
  readonly path?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface FaultOptions {
  readonly message?: string;
  readonly path?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export interface AppErrorOptions extends FaultOptions {
  /** For logs only; it never reaches a caller. */
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Whether an operator needs the cause in the log, although the caller receives no error of the service. */
  readonly isLogged?: boolean;
  /** Maximum number of faults in the response; 20 by default. */
  readonly faultsMax?: number;
}

/** Maximum number of faults in one response; checks stop after that many. */
export const faultsMax = 20;

/** An error with a public part: its faults, status, headers and meta reach the caller; its `cause` is only logged. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly faults: readonly [Fault, ...Fault[]];
  readonly headers: Readonly<Record<string, string>>;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Whether an operator needs the error in the log: an unexpected one, and a failure of the database's own code. */
  readonly isLogged: boolean;

  constructor(faults: readonly [Fault, ...Fault[]], options: AppErrorOptions = {}) {
    super(faults[0].message, options.cause === undefined ? undefined : { cause: options.cause });
    const [first, ...rest] = faults;
    const max = options.faultsMax ?? faultsMax;
    this.faults = rest.length < max ? faults : [first, ...rest.slice(0, max - 1)];
    this.headers = options.headers ?? {};
    this.meta = options.meta ?? {};
    const { cause } = options;
    const isUnexpected = this.status === 500 || this.status === 503;
    this.isLogged =
      isUnexpected || (options.isLogged ?? (cause instanceof AppError && cause.isLogged));
  }

  /** The code of the first fault; it decides the status. */
  get code(): ErrorCode {
    return this.faults[0].code;
  }

  get status(): number {
    return errorCodes[this.code].status;
  }

  /** Returns the same error with other faults. */
  mapFaults(map: (fault: Fault) => Fault): AppError {
    const [first, ...rest] = this.faults;
    const { cause, headers, meta, isLogged } = this;
    return new AppError([map(first), ...rest.map(map)], { cause, headers, meta, isLogged });
  }
}

/** Creates a fault; the message defaults to the title of the code. */
export function createFault(code: ErrorCode, options: FaultOptions = {}): Fault {
  return {
    code,
    message: options.message ?? errorCodes[code].title,
    ...(options.path === undefined ? {} : { path: options.path }),
    ...(options.details === undefined ? {} : { details: options.details }),
  };
}

/** Creates an error with one fault. */
export function createError(code: ErrorCode, options: AppErrorOptions = {}): AppError {
  return new AppError([createFault(code, options)], options);
}

/**
 * Throws faults as one error; returns if there are none. Takes only as many as a response reports, so that a generator
 * does no work for the others.
 */
export function throwFaults(faults: Iterable<Fault>): void {
  const taken: Fault[] = [];
  for (const fault of faults) {
    taken.push(fault);
    if (taken.length === faultsMax) break;
  }
  const [first, ...rest] = taken;
  if (first !== undefined) throw new AppError([first, ...rest]);
}
