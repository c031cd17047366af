import { AppError, type ErrorCode } from "@rowhouse/errors";
import type { Context } from "hono";
import { routePath } from "hono/route";
import type { ServiceEnvironment } from "./edge-context.ts";

/** The path of a request as its route declares it, with the values of its parameters. */
export interface RouteAddress {
  /** Such as `/admin/api/roles/:id/members/:userId`. */
  readonly template: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Looks up everything that a path names, within the caller's rights.
 *
 * @throws AppError NOT_FOUND, or another error that precedes the faults of the rest of the request, such as
 * METHOD_NOT_ALLOWED
 */
export type PathLookup = (address: RouteAddress, c: Context<ServiceEnvironment>) => Promise<void>;

/** Statuses of faults that count only if everything in the path exists. */
const secondary: ReadonlySet<number> = new Set([400, 409, 412, 413, 415]);

/** Faults of rows that a statement has written: it has found what the path names, perhaps by another right than to read it. */
const ofWritten: ReadonlySet<ErrorCode> = new Set([
  "CHECK_VIOLATION",
  "FOREIGN_KEY_VIOLATION",
  "UNIQUE_VIOLATION",
]);

/**
 * Returns the error that the response reports: an unknown id in the path takes precedence over every other fault. The
 * lookup runs only if there is another fault, so that valid requests cost nothing more.
 */
export async function preferMissing(
  error: Error,
  locate: PathLookup | undefined,
  c: Context<ServiceEnvironment>,
): Promise<Error> {
  if (locate === undefined || !(error instanceof AppError) || !secondary.has(error.status)) {
    return error;
  }
  if (error.faults.every(({ code }) => ofWritten.has(code))) return error;
  const template = routePath(c);
  if (!template.includes("/:")) return error;
  try {
    await locate({ template, params: c.req.param() }, c);
  } catch (other) {
    if (other instanceof AppError && other.status === 404) return other;
    throw other;
  }
  return error;
}
