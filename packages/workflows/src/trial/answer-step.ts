import { type Queryable, readPostgresFailure, toAppError } from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/wire";
import { RunFault, stepTimeout } from "../base/run-fault.ts";
import type { EffectStep } from "../definition/definition.ts";
import { outputOf } from "../effect/carry-out.ts";
import type { Flight } from "../effect/flight.ts";
import { readWork, writeWork } from "../effect/row-work.ts";
import type { EffectAnswer } from "../interpret/wait.ts";
import { LeaseLost } from "../model/run.ts";
import { explainUnknownCaller } from "../model/run-token.ts";
import type { Simulation } from "../model/test-options.ts";
import { mockAnswer } from "./mock-answer.ts";
import type { TrialContext } from "./trial-context.ts";
import { rightsChanged } from "./trial-rows.ts";
import { wouldHaveSent } from "./would-have-sent.ts";

/**
 * Answers an effect of a trial: rows in its transaction, anything else by a mock, an example or a description of what
 * would have been sent.
 *
 * @throws LeaseLost
 */
export async function answerStep(context: TrialContext, flight: Flight): Promise<EffectAnswer> {
  const { step } = flight.request;
  const { claim } = context;
  const as = { userId: claim.executeAsUserId, tokenId: claim.token?.id ?? null };
  const mock = mockAnswer(claim.testOptions, step.id);
  if (mock !== undefined) return mock;
  switch (step.kind) {
    case "createRow":
    case "updateRows":
    case "deleteRows":
      return answerBy("ROLLED_BACK", step, () => {
        const { schema, work } = writeWork(context.deps.rows, step, flight.request.input, as);
        const explainedWork = (on: Queryable) => work(on).catch(explained(context));
        return context.rows.write(schema, flight, explainedWork);
      });
    case "listRows":
    case "getRow":
    case "readFile":
      return answerBy(undefined, step, () => {
        const work = readWork(context.deps, step, flight.request.input, as);
        const schema = "schema" in step ? step.schema : "system";
        return context.rows.read(schema, flight, (on) => work(on).catch(explained(context)));
      });
    default: {
      const { database } = context.deps;
      const example = await pinnedExample(database, claim.workflowId, step.id);
      if (example !== undefined) return example;
      return answerBy("NOT_SENT", step, () => wouldHaveSent(context, flight, step, as));
    }
  }
}

/** Returns a handler that names the token of the run, if it is the reason why the data engine rejected the caller. */
function explained({ deps, claim }: TrialContext): (error: unknown) => Promise<never> {
  return (error) => explainUnknownCaller(deps.database, claim.token, error);
}

async function answerBy(
  simulated: Simulation | undefined,
  step: EffectStep,
  work: () => Promise<unknown>,
): Promise<EffectAnswer> {
  const mark = simulated === undefined ? {} : { simulated };
  try {
    return { ...outputOf(await work()), ...mark };
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    return { kind: "FAULT", error: faultOf(error, step), ...mark };
  }
}

function faultOf(error: unknown, step: EffectStep): unknown {
  if (error instanceof RunFault) return error;
  const known = toAppError(error);
  if (known.code === "QUERY_TIMEOUT" && step.timeoutMs !== undefined) return stepTimeout();
  if (readPostgresFailure(known.cause)?.code === "55P03") {
    return new RunFault(
      "TEST_LOCK_TIMEOUT",
      "Another transaction locks a row or a table of this step; a test without effects waits 2 seconds for it",
    );
  }
  if (known.code === "SERVICE_UNAVAILABLE" && known.cause === undefined) {
    // The engine could not prove the rights that the trial has changed: only its own transaction sees the change.
    return rightsChanged();
  }
  return known;
}

/** Returns the pinned example of a step as its answer; undefined if it has none. */
async function pinnedExample(
  database: Queryable,
  workflowId: string,
  stepId: string,
): Promise<EffectAnswer | undefined> {
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
