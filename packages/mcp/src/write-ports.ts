import type { McpIdentity } from "./access.ts";
import type { PortCall, ResourceName } from "./port-call.ts";

/** A row, or the changes of one: JSON with exact numbers by field. */
export type RowValues = Readonly<Record<string, unknown>>;

/** The row with a key, or the rows that match a filter. */
export type WriteSelection =
  | {
      readonly key: readonly string[];
      /** The entity tag that the row must have. */
      readonly ifMatch?: string | undefined;
    }
  | {
      readonly where: RowValues;
      /** If more rows match, nothing is changed. */
      readonly maxAffected: number;
    };

/** Rows after a write, as PostgreSQL wrote them. */
export interface WrittenRows {
  /** A JSON array with the fields that the caller may read. */
  readonly data: string;
  readonly count: number;
  /** Whether an earlier call with the same key made the rows. */
  readonly isReplayed: boolean;
}

/**
 * Writes rows by one statement that proves the rights of the caller. Errors are those of the Data API, with JSON
 * pointers into the arguments of the tool as paths.
 */
export interface RowWriter {
  /** @throws AppError IDEMPOTENCY_CONFLICT if the key was used for other rows */
  create(
    resource: ResourceName,
    rows: readonly RowValues[],
    idempotencyKey: string,
    call: PortCall,
  ): Promise<WrittenRows>;
  /** @param isDryRun whether the change is rolled back */
  update(
    resource: ResourceName,
    selection: WriteSelection,
    values: RowValues,
    isDryRun: boolean,
    call: PortCall,
  ): Promise<WrittenRows>;
  /**
   * @param isDryRun whether the change is rolled back
   * @returns the number of deleted rows
   */
  delete(
    resource: ResourceName,
    selection: WriteSelection,
    isDryRun: boolean,
    call: PortCall,
  ): Promise<number>;
}

/** A workflow that the caller may run. */
export interface WorkflowDescription {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of its input; null for none. */
  readonly input: Readonly<Record<string, unknown>> | null;
  /** Whether a call waits for the result. */
  readonly isSynchronous: boolean;
}

export interface WorkflowQuery {
  readonly query?: string | undefined;
  readonly slug?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface WorkflowCall {
  readonly slug: string;
  readonly input: RowValues | undefined;
  readonly idempotencyKey: string;
}

/** The run of a call: ended if the workflow is synchronous, otherwise accepted. */
export interface WorkflowAnswer {
  /** A JSON object: `id`, `status`, `result` and `error`, or `run` alone. */
  readonly data: string;
  readonly isReplayed: boolean;
}

/** Lists and runs the workflows that are marked as tools, under the invoke grants of an identity. */
export interface WorkflowRunner {
  /** Lists the workflows by slug. @param identity with proven rights */
  list(
    identity: Pick<McpIdentity, "roleIds">,
    query: WorkflowQuery,
  ): Promise<readonly WorkflowDescription[]>;
  /**
   * @param identity with proven rights
   * @throws AppError WORKFLOW_NOT_FOUND, BODY_INVALID with paths below `/input`, WORKFLOW_SYNC_TIMEOUT with `meta.run`
   */
  run(identity: McpIdentity, workflow: WorkflowCall, call: PortCall): Promise<WorkflowAnswer>;
}

export interface SqlCall {
  readonly sql: string;
  readonly parameters?: readonly (string | null)[] | undefined;
  readonly rowsMax?: number | undefined;
  readonly readOnly: boolean;
  /** Approximate limit of the values of all results. */
  readonly bytesMax: number;
}

/** Runs SQL of administrators under the login of the SQL console. */
export interface SqlRunner {
  /**
   * @param identity of an administrator, with proven rights
   * @returns a JSON object: id, durationMs, notices, results
   * @throws AppError as the SQL console does, with JSON pointers into the arguments
   */
  run(identity: McpIdentity, sql: SqlCall, call: PortCall): Promise<string>;
}
