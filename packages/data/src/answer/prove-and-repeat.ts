import { setTimeout as delay } from "node:timers/promises";
import {
  authenticationRequired,
  type Caller,
  callerKindOf,
  callerPartOf,
  type Principal,
  type PrincipalCache,
} from "@rowhouse/access";
import {
  type Database,
  narrowed,
  proofOf,
  type Queryable,
  readPostgresFailure,
  type Snapshot,
  type SnapshotStore,
  toAppError,
} from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { gateSql } from "../compile/compile-statement.ts";
import { type ParameterSource, StatementBuilder } from "../compile/statement.ts";
import { passedMin } from "../execute/run-statement.ts";

/** The cached rights of one attempt: the snapshot and the principal of the caller. Either may be stale. */
export interface Rights {
  readonly snapshot: Snapshot;
  readonly principal: Principal;
  /** Milliseconds that the earlier attempts left of the request's time limit; undefined while nearly all is left. */
  readonly leftMs?: number | undefined;
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
export type ProofOutcome<Result> =
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
  /** The setting with the time limit of all attempts together. */
  readonly timeout?: "data.statement_timeout_ms" | "data.export_timeout_ms" | undefined;
}

const attemptsMax = 27;
/** Attempts that follow each other at once. Those after them wait longer each time, two seconds in all. */
const quickMax = 8;
const pauseMs = 10;

/**
 * Repeats an attempt until its rights are proven current: the only place with this policy. A repeated statement proves the
 * relations that it uses, so that DDL on others cannot make it stale.
 *
 * An error is reported only after the rights are proven, because stale rights may have caused it:
 *
 * - The caller has left: SERVICE_UNAVAILABLE at once.
 * - The time limit of the request has passed: QUERY_TIMEOUT. Its attempts share one limit, without those whose response
 *   turned out to need more memory (REPEAT).
 * - The database is unavailable: reported at once, a proof would fail as well.
 * - The rights are current: an `AppError` is reported; a serialization failure or deadlock is repeated, unless it
 *   ended the transaction of `on`; any other failure is explained.
 * - The rights are stale: they are renewed and the attempt is repeated. A failed transaction of `on` is reported as
 *   SERVICE_UNAVAILABLE, which its owner repeats.
 *
 * @throws AppError, or the error of the attempt; QUERY_TIMEOUT; SERVICE_UNAVAILABLE after 27 attempts
 */
export async function proveAndRepeat<Result>(
  dependencies: ProofDependencies,
  options: RepeatOptions,
  attempt: (rights: Rights) => Promise<ProofOutcome<Result>>,
): Promise<Result> {
  let isNarrow = false;
  let spentMs = 0;
  for (let count = 0; count < attemptsMax; count += 1) {
    const began = performance.now();
    if (count >= quickMax) await delay((count - quickMax + 1) * pauseMs);
    const round = await attemptOnce(dependencies, options, attempt, { isNarrow, spentMs });
    if (round.kind === "DONE") return round.value;
    if (round.kind === "RENEWED") isNarrow = true;
    if (round.kind !== "ENLARGED") spentMs += performance.now() - began;
  }
  throw unavailable();
}

/**
 * What one attempt came to: a result, or the reason of the next attempt: its rights were stale and are renewed, another
 * transaction was in its way, or its response needed more memory.
 */
type Round<Result> =
  | { readonly kind: "DONE"; readonly value: Result }
  | { readonly kind: "RENEWED" | "DISTURBED" | "ENLARGED" };

const renewed = { kind: "RENEWED" } as const;

/** A rest of the time limit that no statement is worth, in milliseconds. */
const restMs = 20;

/**
 * Returns what is left of the time limit; undefined while nearly all of it is.
 *
 * @throws AppError QUERY_TIMEOUT
 */
function leftOf(
  { snapshot }: Rights,
  { timeout }: RepeatOptions,
  spentMs: number,
): number | undefined {
  const limitMs = settingsOf(snapshot)[timeout ?? "data.statement_timeout_ms"];
  if (spentMs <= limitMs * passedMin) return undefined;
  const leftMs = Math.ceil(limitMs - spentMs);
  if (leftMs < restMs) throw createError("QUERY_TIMEOUT");
  return leftMs;
}

async function attemptOnce<Result>(
  dependencies: ProofDependencies,
  options: RepeatOptions,
  attempt: (rights: Rights) => Promise<ProofOutcome<Result>>,
  { isNarrow, spentMs }: { readonly isNarrow: boolean; readonly spentMs: number },
): Promise<Round<Result>> {
  const { database, snapshots, principals } = dependencies;
  const { caller, on, isAbandoned } = options;
  const snapshot = snapshots.peek() ?? (await snapshots.current());
  const found = principals.find(caller);
  const principal = found instanceof Promise ? await found : found;
  if (principal === undefined) throw authenticationRequired();
  const rights: Rights = { snapshot: isNarrow ? narrowed(snapshot) : snapshot, principal };
  const leftMs = leftOf(rights, options, spentMs);
  let outcome: ProofOutcome<Result>;
  try {
    outcome = await attempt(leftMs === undefined ? rights : { ...rights, leftMs });
  } catch (error) {
    outcome = refused(error);
  }
  switch (outcome.kind) {
    case "PROVEN":
      return { kind: "DONE", value: outcome.value };
    case "UNPROVEN":
      if (await isProven(on ?? database, snapshot, principal, caller)) {
        return { kind: "DONE", value: outcome.value };
      }
      await renew(dependencies, caller);
      return renewed;
    case "STALE":
      if (outcome.part === null) {
        await renew(dependencies, caller);
      } else {
        if (outcome.part.principal) principals.forget(caller);
        if (outcome.part.snapshot) await snapshots.replace(snapshot);
      }
      return renewed;
    case "REPEAT":
      return { kind: "ENLARGED" };
    case "FAILED": {
      const { error } = outcome;
      throwUnprovable(error, isAbandoned);
      // The statement may have ended the transaction of `on`, which then runs no proof.
      if (!(await isProven(database, snapshot, principal, caller))) {
        await renew(dependencies, caller);
        if (on !== undefined && !(error instanceof AppError)) throw unavailable(error);
        return renewed;
      }
      if (error instanceof AppError) throw error;
      if (!isRepeatable(error) || on !== undefined) throw await outcome.explain(error);
      return { kind: "DISTURBED" };
    }
    default:
      return outcome satisfies never;
  }
}

async function renew({ principals, snapshots }: ProofDependencies, caller: Caller): Promise<void> {
  principals.forget(caller);
  await snapshots.fresh();
}

/** The outcome of an attempt that threw before its statement ran. */
function refused(error: unknown): Extract<ProofOutcome<never>, { kind: "FAILED" }> {
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

/** Returns whether snapshot, credential, account and roles are current. */
export async function isProven(
  database: Queryable,
  snapshot: Snapshot,
  principal: Principal,
  caller: Caller,
): Promise<boolean> {
  const builder = new StatementBuilder(snapshot.catalogue, "BESIDE");
  const gate = gateSql(builder, snapshot, "ALL", callerKindOf(caller));
  const textFor = (source: ParameterSource): string | null => {
    if (source.kind === "PROOF") return proofOf(snapshot, "ALL");
    if (source.kind === "VERSION") return principal.version;
    return source.kind === "CALLER" ? callerPartOf(caller, source.part) : null;
  };
  const [row] = await database.query<{ ok: string | null }>(
    `select gate.ok::text as ok from (${gate}) gate`,
    builder.parameters.map(textFor),
    { prepare: true },
  );
  return row?.ok === "true";
}
