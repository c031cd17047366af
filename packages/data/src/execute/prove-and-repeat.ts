import {
  authenticationRequired,
  type Caller,
  type Principal,
  type PrincipalCache,
} from "@rowhouse/access";
import {
  type Database,
  type Queryable,
  readPostgresFailure,
  type Snapshot,
  type SnapshotStore,
  toAppError,
} from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { isProven } from "./is-proven.ts";

/** The cached rights of one attempt: the snapshot and the principal of the caller. Either may be stale. */
export interface Rights {
  readonly snapshot: Snapshot;
  readonly principal: Principal;
}

/**
 * The result of one attempt, and what `proveAndRepeat` does next:
 *
 * | kind | next |
 * |---|---|
 * | PROVEN | returns the value: the attempt's own statement has proven the rights |
 * | UNPROVEN | returns the value if the rights are current; else renews them and repeats |
 * | STALE | renews the stale part and repeats |
 * | REPEAT | repeats with the same rights |
 * | FAILED, or an exception | see `proveAndRepeat` |
 */
export type Outcome<Result> =
  | { readonly kind: "PROVEN" | "UNPROVEN"; readonly value: Result }
  /** `part` is null if the attempt cannot distinguish a stale snapshot from a stale principal. */
  | { readonly kind: "STALE"; readonly part: StalePart | null }
  | { readonly kind: "REPEAT" }
  | {
      readonly kind: "FAILED";
      readonly error: unknown;
      /** Creates the caller's error after the rights are proven. */
      readonly explain: (error: unknown) => Promise<AppError>;
    };

export interface StalePart {
  readonly snapshot: boolean;
  readonly principal: boolean;
}

export interface ProofDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly principals: PrincipalCache;
}

export interface RepeatOptions {
  readonly caller: Caller;
  /** The transaction of the attempts. A failed statement ends it, so its owner must repeat the whole of it. */
  readonly on?: Queryable | undefined;
  /** Whether the caller has left. */
  readonly isAbandoned?: (() => boolean) | undefined;
}

const attemptsMax = 8;

/**
 * Repeats an attempt until its rights are proven current: the only place with this policy.
 *
 * An error is reported only after the rights are proven, because stale rights may have caused it:
 *
 * - The caller has left: SERVICE_UNAVAILABLE at once.
 * - The database is unavailable: reported at once, a proof would fail as well.
 * - The rights are current: an `AppError` is reported; a serialization failure or deadlock is repeated, unless it
 *   ended the transaction of `on`; any other failure is explained.
 * - The rights are stale: they are renewed and the attempt is repeated. A failed transaction of `on` is reported as
 *   SERVICE_UNAVAILABLE, which its owner repeats.
 *
 * @throws AppError, or the error of the attempt; SERVICE_UNAVAILABLE after 8 attempts
 */
export async function proveAndRepeat<Result>(
  dependencies: ProofDependencies,
  options: RepeatOptions,
  attempt: (rights: Rights) => Promise<Outcome<Result>>,
): Promise<Result> {
  const { database, snapshots, principals } = dependencies;
  const { caller, on } = options;
  for (let count = 0; count < attemptsMax; count += 1) {
    const snapshot = snapshots.peek() ?? (await snapshots.current());
    const principal = await principals.find(caller);
    if (principal === undefined) throw authenticationRequired();
    const rights = { snapshot, principal };
    let outcome: Outcome<Result>;
    try {
      outcome = await attempt(rights);
    } catch (error) {
      outcome = refused(error);
    }
    switch (outcome.kind) {
      case "PROVEN":
        return outcome.value;
      case "UNPROVEN":
        if (await isProven(on ?? database, snapshot, principal, caller)) return outcome.value;
        await renew(dependencies, caller);
        break;
      case "STALE":
        if (outcome.part === null) {
          await renew(dependencies, caller);
        } else {
          if (outcome.part.principal) principals.forget(caller);
          if (outcome.part.snapshot) await snapshots.replace(rights.snapshot);
        }
        break;
      case "REPEAT":
        break;
      case "FAILED": {
        const { error } = outcome;
        throwUnprovable(error, options.isAbandoned);
        // The statement may have ended the transaction of `on`, which then runs no proof.
        if (!(await isProven(database, snapshot, principal, caller))) {
          await renew(dependencies, caller);
          if (on !== undefined && !(error instanceof AppError)) throw unavailable(error);
        } else if (error instanceof AppError) {
          throw error;
        } else if (!isRepeatable(error) || on !== undefined) {
          throw await outcome.explain(error);
        }
        break;
      }
      default:
        return outcome satisfies never;
    }
  }
  throw unavailable();
}

async function renew({ principals, snapshots }: ProofDependencies, caller: Caller): Promise<void> {
  principals.forget(caller);
  await snapshots.fresh();
}

/** The outcome of an attempt that threw before its statement ran. */
function refused(error: unknown): Extract<Outcome<never>, { kind: "FAILED" }> {
  return { kind: "FAILED", error, explain: async (cause) => toAppError(cause) };
}

/** Throws the errors that are reported without a proof. */
function throwUnprovable(error: unknown, isAbandoned: (() => boolean) | undefined): void {
  if (isAbandoned?.() === true) throw createError("SERVICE_UNAVAILABLE", { cause: error });
  if (toAppError(error).code === "SERVICE_UNAVAILABLE" && !isRepeatable(error)) throw error;
}

/** Serialization failures and deadlocks: the statement had no effect and can run again. */
function isRepeatable(error: unknown): boolean {
  const code = readPostgresFailure(error)?.code;
  return code === "40001" || code === "40P01";
}

function unavailable(cause?: unknown): AppError {
  return createError("SERVICE_UNAVAILABLE", {
    headers: { "Retry-After": "1" },
    ...(cause === undefined ? {} : { cause }),
  });
}
