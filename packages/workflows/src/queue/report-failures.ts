import { onceAMinute } from "@rowhouse/limits";

interface Log {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Returns a reporter of failures that no caller waits for. Failures of a connection repeat with each attempt to
 * connect: one a minute is logged. A job that the queue has lost is a warning, because the database holds the run.
 *
 * @param message what failed
 */
export function reportFailures(
  logger: Log,
  message: string,
): (error: unknown, runId?: string) => void {
  const fieldsOf = (error: unknown, runId?: string) => ({
    err: error,
    ...(runId === undefined ? {} : { runId }),
  });
  const fail = (error: unknown, runId?: string) => logger.error(fieldsOf(error, runId), message);
  const failToConnect = onceAMinute(fail);
  const lose = onceAMinute((error: unknown, runId?: string) =>
    logger.warn(
      fieldsOf(error, runId),
      "The queue has lost jobs, as after FLUSHALL. No run is lost: the database holds them, and those that wait are queued again",
    ),
  );
  return (error, runId) => {
    if (isLostJob(error)) lose(error, runId);
    else if (isOfConnection(error)) failToConnect(error, runId);
    else fail(error, runId);
  };
}

/** BullMQ could not finish a job, or renew its lock, because the job or the lock is missing. */
function isLostJob(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(?:Missing (?:key|lock) for job|could not renew lock for job) /i.test(error.message)
  );
}

const connectionCodes: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

function isOfConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && connectionCodes.has(error.code)) return true;
  return (
    error.name === "MaxRetriesPerRequestError" ||
    /^(?:Command timed out|Connection is closed|Stream isn't writeable)/.test(error.message)
  );
}
