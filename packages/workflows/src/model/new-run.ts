/**
 * The columns of a new run, each as an SQL expression. A column that is left out gets the default of the table, so
 * those that every source of runs must decide about are required.
 */
export interface NewRun {
  readonly id: string;
  readonly workflow_id: string;
  readonly version_id: string;
  /** JSON, redacted. */
  readonly input: string;
  readonly execute_as_user_id: string;
  /** A `RunOrigin`. */
  readonly origin: string;
  /** The token that started this run or a run above it. */
  readonly token_id: string;
  readonly token_plane: string;

  readonly caller_user_id?: string;
  readonly reply_channel?: string;
  readonly request_id?: string;
  readonly trace_parent?: string;
  /** Of a run that another run started or caused. */
  readonly parent_run_id?: string;
  readonly caused_by_run_id?: string;
  readonly depth?: string;
  /** Of a database event, and of an occurrence of a schedule. */
  readonly event_id?: string;
  readonly scheduled_at?: string;
  /** The stored `TestOptions`. */
  readonly trial?: string;
  readonly again_of_run_id?: string;
  readonly again_from?: string;
  /** Of a run that has ended, or is claimed, when it is accepted. */
  readonly accepted_at?: string;
  readonly status?: string;
  readonly error?: string;
  readonly finished_at?: string;
  readonly started_at?: string;
  readonly fence?: string;
  readonly claims?: string;
  readonly lease_owner?: string;
  readonly lease_until?: string;
}

/**
 * Returns the only statement that inserts runs, without its `on conflict` and `returning`.
 *
 * @param source the part after the select list, from `from` on; empty for one run whose columns are parameters
 */
export function insertRunsSql(columns: NewRun, source = ""): string {
  return `insert into system.workflow_runs (${Object.keys(columns).join(", ")})
select ${Object.values(columns).join(", ")}
${source}`;
}

export const withoutToken = { token_id: "null::uuid", token_plane: "null::text" };

/** Returns the columns of a run that fails on its acceptance if the expression `error` is not null. */
export function failedBy(error: string): Pick<NewRun, "status" | "error" | "finished_at"> {
  return {
    status: `case when (${error}) is null then 'QUEUED' else 'FAILED' end`,
    error,
    finished_at: `case when (${error}) is not null then clock_timestamp() end`,
  };
}
