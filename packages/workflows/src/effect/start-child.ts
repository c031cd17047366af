import { randomUUID } from "node:crypto";
import type { Queryable } from "@rowhouse/db";
import { toJson } from "../base/json.ts";
import { RunFault } from "../base/run-fault.ts";
import { checkInput } from "../interpret/run-bounds.ts";
import { insertRunsSql } from "../model/new-run.ts";
import type { Claim } from "../model/run.ts";

/** The limit of nested runs, whether a step starts them or a database event that a run causes. */
export const runDepthMax = 10;

/**
 * Accepts a run of another workflow's published version, with this run as its parent, the same user and the same
 * token.
 *
 * @returns its id
 * @throws RunFault SUBWORKFLOW_NOT_FOUND, SUBWORKFLOW_TOO_DEEP, INPUT_TOO_LARGE
 */
export async function acceptChildRun(
  transaction: Queryable,
  parent: Pick<Claim, "runId" | "depth" | "executeAsUserId" | "token" | "traceParent">,
  slug: string,
  input: unknown,
): Promise<string> {
  checkChildRun(parent, input);
  const id = randomUUID();
  const rows = await transaction.query<{ id: string }>(
    childSql,
    [
      id,
      toJson(input),
      parent.executeAsUserId,
      parent.runId,
      String(parent.depth + 1),
      slug,
      parent.traceParent,
      parent.token?.id ?? null,
      parent.token?.plane ?? null,
    ],
    { prepare: true },
  );
  if (rows.length === 0) throw childNotFound();
  return id;
}

const childSql = `${insertRunsSql(
  {
    id: "$1::text::uuid",
    workflow_id: "w.id",
    version_id: "w.published_version_id",
    input: "$2::text::json",
    execute_as_user_id: "$3::text::uuid",
    origin: "'WORKFLOW'",
    parent_run_id: "$4::text::uuid",
    depth: "$5::text::integer",
    trace_parent: "$7::text",
    token_id: "$8::text::uuid",
    token_plane: "$9::text",
  },
  `from system.workflows w
where w.slug = $6::text and w.enabled and w.published_version_id is not null`,
)}
returning id`;

/** Checks what does not depend on the other workflow. @throws RunFault SUBWORKFLOW_TOO_DEEP, INPUT_TOO_LARGE */
export function checkChildRun({ depth }: Pick<Claim, "depth">, input: unknown): void {
  if (depth >= runDepthMax) {
    throw new RunFault(
      "SUBWORKFLOW_TOO_DEEP",
      `Workflows may start each other at most ${runDepthMax} levels deep`,
    );
  }
  checkInput(input);
}

/** Returns the fault of a workflow that cannot be started. */
export function childNotFound(): RunFault {
  return new RunFault(
    "SUBWORKFLOW_NOT_FOUND",
    "The workflow does not exist, or it is not published and enabled",
  );
}
