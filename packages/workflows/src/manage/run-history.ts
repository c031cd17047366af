import type { Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { requestCancellation } from "../run/cancel-run.ts";
import type { RunOrigin, RunStatus, StepStatus } from "../run/run.ts";
import type { RunError } from "../run/run-fault.ts";
import { isUuid, type Page, type PageRequest, requireWorkflow } from "./workflow.ts";

/** A run in a list. */
export interface RunSummary {
  readonly id: string;
  readonly workflowId: string;
  readonly versionId: string;
  readonly status: RunStatus;
  readonly origin: RunOrigin;
  readonly callerUserId: string | null;
  readonly executeAsUserId: string;
  readonly error: RunError | null;
  readonly acceptedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

/** A run with its input, its result and its journal. */
export interface RunDetail extends RunSummary {
  readonly requestId: string | null;
  /** The run that began this one. */
  readonly parentRunId: string | null;
  readonly input: unknown;
  readonly result: unknown;
  readonly steps: StepRecord[];
}

export interface StepRecord {
  readonly path: string;
  readonly kind: string;
  readonly status: StepStatus;
  /** From 1. */
  readonly attempt: number;
  /** When a step that waits goes on. */
  readonly resumeAt: string | null;
  /** The run that it began. */
  readonly childRunId: string | null;
  readonly output: unknown;
  readonly error: RunError | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
}

export interface ListRunsRequest extends Omit<PageRequest, "search"> {
  /** Runs in this status only. */
  readonly status: RunStatus | null;
}

const iso = (column: string, name: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "${name}"`;

const summaryColumns = `
  r.id, r.workflow_id as "workflowId", r.version_id as "versionId", r.origin, r.status,
  r.caller_user_id as "callerUserId", r.execute_as_user_id as "executeAsUserId", r.error,
  ${iso("r.accepted_at", "acceptedAt")}, ${iso("r.started_at", "startedAt")},
  ${iso("r.finished_at", "finishedAt")}`;

/**
 * The runs of a workflow, newest first.
 *
 * @throws AppError NOT_FOUND for the workflow, QUERY_INVALID for a cursor that is none
 */
export async function listRuns(
  database: Queryable,
  workflowId: string,
  page: ListRunsRequest,
): Promise<Page<RunSummary>> {
  await requireWorkflow(database, workflowId);
  if (page.cursor !== null && !isUuid(page.cursor)) {
    throw createError("QUERY_INVALID", { path: "cursor" });
  }
  const rows = await database.query<RunSummary>(
    `select ${summaryColumns} from system.workflow_runs r
     where r.workflow_id = $1::text::uuid
       and ($2::text is null or r.status = $2::text)
       and ($3::text is null or (r.accepted_at, r.id) <
         (select c.accepted_at, c.id from system.workflow_runs c where c.id = $3::text::uuid))
     order by r.accepted_at desc, r.id desc limit $4::text::integer`,
    [workflowId, page.status, page.cursor, String(page.limit + 1)],
  );
  const items = rows.slice(0, page.limit);
  return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null };
}

/** One run of a workflow with its journal. @throws AppError NOT_FOUND */
export async function readRun(
  database: Queryable,
  workflowId: string,
  runId: string,
): Promise<RunDetail> {
  const [run] =
    isUuid(workflowId) && isUuid(runId)
      ? await database.query<RunDetail>(
          `select ${summaryColumns}, r.request_id as "requestId", r.parent_run_id as "parentRunId", r.input, r.result,
             coalesce((select json_agg(json_build_object('path', s.path, 'kind', s.kind, 'status', s.status,
                 'output', s.output, 'error', s.error, 'attempt', s.attempt, 'childRunId', s.child_run_id,
                 'resumeAt', to_char(s.resume_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                 'startedAt', to_char(s.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                 'finishedAt', to_char(s.finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
                 order by s.position)
               from system.workflow_run_steps s where s.run_id = r.id), '[]'::json) as steps
           from system.workflow_runs r
           where r.id = $1::text::uuid and r.workflow_id = $2::text::uuid`,
          [runId, workflowId],
        )
      : [];
  if (run === undefined) throw createError("NOT_FOUND");
  return run;
}

/**
 * Asks a run to stop after its step in progress.
 *
 * @throws AppError NOT_FOUND, CONFLICT where it has ended
 */
export async function cancelRun(
  database: Queryable,
  workflowId: string,
  runId: string,
): Promise<RunDetail> {
  await readRun(database, workflowId, runId);
  if ((await requestCancellation(database, runId)) === undefined) {
    throw createError("CONFLICT", { message: "The run has ended" });
  }
  return readRun(database, workflowId, runId);
}
