import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger } from "pino";

const secretHeaders = ["authorization", "cookie", "set-cookie", "proxy-authorization"];

/**
 * A structured logger on standard output. Headers that carry secrets are cut out wherever they are logged, and of an
 * error only what its author wrote is kept: database drivers attach rows, queries and parameters to theirs.
 *
 * @param destination where the lines go; standard output if not given
 */
export function createLogger(name: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    name,
    level,
    redact: {
      paths: secretHeaders.flatMap((header) => [
        `["${header}"]`,
        `*["${header}"]`,
        `*.headers["${header}"]`,
      ]),
      censor: "[redacted]",
    },
    serializers: { err: describeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined || depth === 4
      ? {}
      : { cause: describeError(error.cause, depth + 1) }),
  };
}
