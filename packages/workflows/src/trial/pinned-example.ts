import type { Queryable } from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/wire";
import { outputOf } from "../effect/carry-out.ts";
import type { Answer } from "../interpret/wait.ts";

/** Returns the pinned example of a step as its answer; undefined if it has none. */
export async function pinnedExample(
  database: Queryable,
  workflowId: string,
  stepId: string,
): Promise<Answer | undefined> {
  const [example] = await database.query<{ output: string }>(
    `select output::text as output from system.workflow_examples
     where workflow_id = $1::text::uuid and step_id = $2::text`,
    [workflowId, stepId],
  );
  if (example === undefined) return undefined;
  try {
    return { ...outputOf(parseExactJson(example.output)), simulated: "EXAMPLE" };
  } catch (error) {
    return { kind: "FAULT", error, simulated: "EXAMPLE" };
  }
}
