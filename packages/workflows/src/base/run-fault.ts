import { AppError, createFault } from "@rowhouse/errors";

/** Why a run failed, as its caller and its history show it. */
export interface RunError {
  readonly code: string;
  readonly message: string;
  /** The id of the step, or null where no step is to blame. */
  readonly step: string | null;
}

/** A fault that ends a run. Its message is public. */
export class RunFault extends Error {
  override readonly name = "RunFault";
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** An answer with a status that fails the step. */
export class HttpStatusFault extends RunFault {
  readonly status: number;

  constructor(status: number) {
    super("HTTP_STATUS", `The other side answered ${status}`);
    this.status = status;
  }
}

/** The public face of whatever a step threw; nothing of an unknown error is shown. */
export function toRunError(error: unknown, step: string | null): RunError {
  if (error instanceof RunFault) return { code: error.code, message: error.message, step };
  if (error instanceof AppError) return { code: error.code, message: error.message, step };
  return internalError(step);
}

/** The public form of a defect of this service. */
export function internalError(step: string | null): RunError {
  const { code, message } = createFault("INTERNAL_ERROR");
  return { code, message, step };
}

/** Whether trying again later may help: the database was out of reach or asked for a retry. */
export function isTransient(error: unknown): boolean {
  return error instanceof AppError && error.code === "SERVICE_UNAVAILABLE";
}

/** What a step that took too long fails with. */
export function stepTimeout(): RunFault {
  return new RunFault("STEP_TIMEOUT", "The step did not end within its time limit");
}
