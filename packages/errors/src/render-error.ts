import { AppError, createError, type Fault } from "./app-error.ts";

/** The body of every error response. */
export interface ErrorBody {
  readonly errors: readonly Fault[];
  readonly meta: Readonly<Record<string, unknown>> & { readonly requestId: string };
}

export interface RenderedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
  /** Whether the service failed: every status from 500 on, except timeouts of a caller's own query. */
  readonly unexpected: boolean;
  /** Whether an operator needs the error in the log: an unexpected one, and a failure of the database's own code. */
  readonly isLogged: boolean;
}

/**
 * Renders an error as a response; the only place that does. Anything but an `AppError` becomes `INTERNAL_ERROR`
 * without any detail.
 */
export function renderError(error: unknown, requestId: string): RenderedError {
  const known = error instanceof AppError ? error : createError("INTERNAL_ERROR", { cause: error });
  return {
    status: known.status,
    headers: known.headers,
    body: { errors: known.faults, meta: { ...known.meta, requestId } },
    unexpected: known.status === 500 || known.status === 503,
    isLogged: known.isLogged,
  };
}
