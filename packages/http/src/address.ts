import { AppError } from "@rowhouse/errors";
import type { Context } from "hono";
import { routePath } from "hono/route";
import type { ServiceEnvironment } from "./edge-context.ts";

/** The path of a request as its route declares it, and what stands in the places of the names. */
export interface Address {
  /** Such as `/admin/api/roles/:id/members/:userId`. */
  readonly template: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Looks for everything that a path names, as far as the caller may know of it.
 *
 * @throws AppError NOT_FOUND, or another error of status 404
 */
export type Locate = (address: Address, c: Context<ServiceEnvironment>) => Promise<void>;

/** Faults of a request that count only if the path leads somewhere. */
const secondary: ReadonlySet<number> = new Set([400, 409, 412, 413, 415]);

/**
 * The error that a request is answered with: an unknown id in its path goes before every other fault of it. It is looked for
 * only if there is another fault, so requests without one cost nothing more.
 */
export async function preferMissing(
  error: Error,
  locate: Locate | undefined,
  c: Context<ServiceEnvironment>,
): Promise<Error> {
  if (locate === undefined || !(error instanceof AppError) || !secondary.has(error.status)) {
    return error;
  }
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
