import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger } from "pino";

const secretHeaders = ["authorization", "cookie", "set-cookie", "proxy-authorization"];

/**
 * Creates a structured logger on standard output. Headers with secrets are removed from every entry. Of an error only
 * message, type and stack are logged: database drivers attach rows, queries and parameters to theirs.
 *
 * @param destination the stream for the lines; standard output by default
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
