import type { Queryable } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { RunFault } from "../base/run-fault.ts";

/** The personal access token that started a run, or a run above it. */
export interface RunToken {
  readonly id: string;
  readonly plane: "api" | "admin";
}

/**
 * The code of a run whose token is no longer valid. No `onError` handles it: later steps would have no rights either.
 */
export const tokenEnded = "TOKEN_ENDED";

/** Returns the token from two columns of a run. */
export function toRunToken(id: string | null, plane: RunToken["plane"] | null): RunToken | null {
  return id === null || plane === null ? null : { id, plane };
}

/**
 * Requires that the token of a run is valid now.
 *
 * @throws RunFault TOKEN_ENDED
 */
export async function requireToken(database: Queryable, token: RunToken | null): Promise<void> {
  if (token === null) return;
  const [row] = await database.query<{ works: boolean }>(
    "select system.token_works($1::text::uuid) as works",
    [token.id],
    { prepare: true },
  );
  if (row?.works === true) return;
  throw new RunFault(
    tokenEnded,
    "The token that started this run is revoked, deactivated or expired, or its owner lacks the roles that it needs",
  );
}

/** Throws TOKEN_ENDED if the token is the reason why the data engine rejected the caller, otherwise `error`. */
export async function explainUnknownCaller(
  database: Queryable,
  token: RunToken | null,
  error: unknown,
): Promise<never> {
  if (error instanceof AppError && error.code === "AUTHENTICATION_REQUIRED") {
    await requireToken(database, token);
  }
  throw error;
}
