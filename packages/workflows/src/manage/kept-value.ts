import { isUuid, type Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { parseExactJson } from "@rowhouse/wire";
import { measure, toJson } from "../base/json.ts";

/** The limits of a sample and of an example: those of a step's output. */
const sizeMax = 4_194_304;
const depthMax = 200;

/**
 * Returns the JSON of a value that is kept with a workflow.
 *
 * @param path the position of the value in the body
 * @throws AppError BODY_INVALID for a value that is too large or too deep
 */
export function keptJson(value: unknown, path: string): string {
  const { size, depth } = measure(value, sizeMax, depthMax);
  if (size > sizeMax || depth > depthMax) {
    const message = `The value must have at most 4 MiB and ${depthMax} levels`;
    throw createError("BODY_INVALID", { path, message });
  }
  return toJson(value);
}

/**
 * Returns the input of a run of a workflow as it is stored: redacted.
 *
 * @throws AppError BODY_INVALID at /data/run
 */
export async function inputOfRun(
  database: Queryable,
  workflowId: string,
  runId: string,
): Promise<unknown> {
  const [run] = isUuid(runId)
    ? await database.query<{ input: string }>(
        `select input::text as input from system.workflow_runs
         where id = $1::text::uuid and workflow_id = $2::text::uuid for key share`,
        [runId, workflowId],
      )
    : [];
  if (run === undefined) throw noSuchRun();
  return parseExactJson(run.input);
}

/**
 * Returns the output of a step of a run of a workflow.
 *
 * @param path of the step in the run's journal, such as `loop.3.call`
 * @throws AppError BODY_INVALID at /data/run or /data/path
 */
export async function outputOfRun(
  database: Queryable,
  workflowId: string,
  runId: string,
  path: string,
): Promise<unknown> {
  const [run] = isUuid(runId)
    ? await database.query<{ status: string | null; output: string | null }>(
        `select s.status, s.output::text as output from system.workflow_runs r
         left join system.workflow_run_steps s on s.run_id = r.id and s.path = $3::text
         where r.id = $1::text::uuid and r.workflow_id = $2::text::uuid`,
        [runId, workflowId, path],
      )
    : [];
  if (run === undefined) throw noSuchRun();
  if (run.status !== "SUCCEEDED" || run.output === null) {
    const message = "The run has no step with this path that has succeeded";
    throw createError("BODY_INVALID", { path: "/data/path", message });
  }
  return parseExactJson(run.output);
}

function noSuchRun() {
  return createError("BODY_INVALID", {
    path: "/data/run",
    message: "The workflow has no such run",
  });
}
