import { AppError, createError, type Fault } from "./app-error.ts";

/** The body of every error answer. */
export interface ErrorBody {
  readonly errors: readonly Fault[];
  readonly meta: Readonly<Record<string, unknown>> & { readonly requestId: string };
}

export interface RenderedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
  /** Whether an operator should hear of it: anything that answers 500 or more, time-outs of a caller's own query apart. */
  readonly unexpected: boolean;
}

/**
 * The only place where an error becomes an answer. Anything that is not an
 * `AppError` answers `INTERNAL_ERROR`, and nothing of it is shown.
 */
export function renderError(error: unknown, requestId: string): RenderedError {
  const known = error instanceof AppError ? error : createError("INTERNAL_ERROR", { cause: error });
  return {
    status: known.status,
    headers: known.headers,
    body: { errors: known.faults, meta: { ...known.meta, requestId } },
    unexpected: known.status === 500 || known.status === 503,
  };
}
