import type { AuditActor } from "@rowhouse/db";

/** A request of an administrator to the console. */
export interface SqlRequest {
  /** Chosen by the caller, who can cancel the run by it. */
  readonly id?: string | undefined;
  readonly sql: string;
  /** For a single statement only. */
  readonly parameters?: readonly (string | null)[] | undefined;
  /** Whether the transaction is read-only; true by default. */
  readonly readOnly?: boolean | undefined;
  /** Maximum rows of each result. */
  readonly rowsMax?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface SqlCaller {
  readonly userId: string;
  readonly actor: AuditActor;
  /** Aborted when the caller disconnects: the run is terminated. */
  readonly signal: AbortSignal;
}
