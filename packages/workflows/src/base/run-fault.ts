import { AppError, createFault } from "@rowhouse/errors";

/** The reason why a run failed, as its caller and its history show it. */
export interface RunError {
  readonly code: string;
  readonly message: string;
  /** The id of the step that failed, or null if no step caused the failure. */
  readonly step: string | null;
}

/** The error of a step, as administrators read it in the history. */
export interface StepError extends RunError {
  /** Why an outgoing call failed. The callers of a workflow do not receive it. */
  readonly reason?: string;
}

/** A fault that ends a run. Its message is public, its reason is for administrators. */
export class RunFault extends Error {
  override readonly name = "RunFault";
  readonly code: string;
  readonly reason: string | undefined;

  constructor(code: string, message: string, cause?: unknown, reason?: string) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.reason = reason;
  }
}

/** A response with a status that fails the step. */
export class HttpStatusFault extends RunFault {
  readonly status: number;
  /** The pause that the server requests before another attempt, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(status: number, retryAfterMs: number) {
    super("HTTP_STATUS", `The server responded with status ${status}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Returns the public form of an error that a step threw. The text of an unknown error is never shown. */
export function toRunError(error: unknown, step: string | null): RunError {
  if (error instanceof RunFault) return { code: error.code, message: error.message, step };
  if (error instanceof AppError) return { code: error.code, message: error.message, step };
  return internalError(step);
}

/** Returns the form of an error that the history of a step has. */
export function toStepError(error: unknown, step: string): StepError {
  const reason = error instanceof RunFault ? error.reason : undefined;
  return { ...toRunError(error, step), ...(reason === undefined ? {} : { reason }) };
}

/** Returns a recorded error without the part that only administrators read. */
export function withoutReason({ reason: _, ...error }: StepError): RunError {
  return error;
}

/** Returns the public form of a defect of this service. */
export function internalError(step: string | null): RunError {
  const { code, message } = createFault("INTERNAL_ERROR");
  return { code, message, step };
}

/** Returns whether a later attempt may succeed: the database was unreachable or asked for a retry. */
export function isTransient(error: unknown): boolean {
  return error instanceof AppError && error.code === "SERVICE_UNAVAILABLE";
}

/** Returns the fault of a step that exceeds its time limit. */
export function stepTimeout(): RunFault {
  return new RunFault("STEP_TIMEOUT", "The step did not end within its time limit");
}
