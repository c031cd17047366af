import { type ErrorCode, errorCodes } from "./error-codes.generated.ts";

/** Codes of errors that this client reports without an error of the service. */
const clientCodes = ["NETWORK_ERROR", "RESPONSE_INVALID", "REDIRECT_REFUSED", "NO_CURSOR"] as const;

/** A code of the client: no response, a response that is not the service's, or pages that cannot continue. */
export type ClientErrorCode = (typeof clientCodes)[number];

/** Every code that this version knows. A newer service may have more, so the type is open. */
export type AnyErrorCode = ErrorCode | ClientErrorCode | (string & Readonly<Record<never, never>>);

export type Fault = {
  readonly code: AnyErrorCode;
  /** A sentence for a person. */
  readonly message: string;
  /** A JSON pointer into the body (`/data/plate`), or the query parameter as sent. */
  readonly path?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
};

type Parts = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly faults: readonly [Fault, ...Fault[]];
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
};

/** Every failure of a request except a cancellation, which throws the reason of its signal. */
export class RowhouseError extends Error {
  override readonly name = "RowhouseError";
  /** The code of the first fault. */
  readonly code: AnyErrorCode;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** At least one; the first determines the status. */
  readonly faults: readonly [Fault, ...Fault[]];
  /** How many faults the service found; `faults` has the first of them. */
  readonly faultCount: number;
  readonly method: string;
  /** The path of the request, without its query. */
  readonly path: string;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** The run that continues after `WORKFLOW_SYNC_TIMEOUT`. */
  readonly run: string | undefined;
  /** The service's `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ method, path, status, faults, meta = {}, retryAfterSeconds, cause }: Parts) {
    super(faults[0].message, cause === undefined ? undefined : { cause });
    this.code = faults[0].code;
    this.status = status;
    this.faults = faults;
    this.faultCount = countOf(meta.faults) ?? faults.length;
    this.method = method;
    this.path = path;
    this.requestId = textOf(meta.requestId);
    this.run = textOf(meta.run);
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The faults by their path; those without a path under the empty text. */
  get faultsByPath(): ReadonlyMap<string, readonly Fault[]> {
    const byPath = new Map<string, Fault[]>();
    for (const fault of this.faults) {
      const path = fault.path ?? "";
      byPath.set(path, [...(byPath.get(path) ?? []), fault]);
    }
    return byPath;
  }
}

/** Returns whether a text is a code of the service that this version knows. */
export function isErrorCode(code: string): code is ErrorCode {
  return errorCodes.some((known) => known === code);
}

function countOf(value: unknown): number | undefined {
  const count = typeof value === "object" && value !== null && "count" in value && value.count;
  return typeof count === "number" ? count : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
