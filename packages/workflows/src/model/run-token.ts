import type { Queryable } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { RunFault } from "../base/run-fault.ts";

/** The personal access token that started a run, or a run above it. */
export interface RunToken {
  readonly id: string;
  readonly plane: "api" | "admin";
}

/** Whom the steps of a run act for: a user, under a token where the run has one. */
export interface RunActor {
  readonly userId: string;
  readonly tokenId: string | null;
}

/** The code of a run whose token cannot be used any more. No step takes it: nothing after it has any rights. */
export const tokenEnded = "TOKEN_ENDED";

/** The token of two columns of a run. */
export function toRunToken(id: string | null, plane: RunToken["plane"] | null): RunToken | null {
  return id === null || plane === null ? null : { id, plane };
}

/**
 * Requires that the token of a run can be used at this moment.
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

/** Throws TOKEN_ENDED where that is why the data engine did not know the caller, and else what it threw. */
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
