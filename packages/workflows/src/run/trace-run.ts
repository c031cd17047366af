import type { Span, Tracing } from "@rowhouse/telemetry";
import type { Flight } from "../effect/flight.ts";
import type { Claim } from "../model/run.ts";
import type { Executed } from "./execution.ts";

/** The trace of one claim, within the trace of its run. */
export interface RunTrace {
  /** Carries out an effect in a span of its own. */
  step(flight: Flight, carryOut: (flight: Flight) => Promise<void>): Promise<void>;
  /** @param executed the result of the claim; undefined if it was lost */
  end(executed: Executed | undefined): void;
}

/**
 * Starts the span of a claim, under the request or the run that started the run. Returns undefined without tracing.
 */
export function traceClaim(tracing: Tracing | undefined, claim: Claim): RunTrace | undefined {
  if (tracing === undefined) return undefined;
  const { runId, workflowId, fence } = claim;
  const run = tracing.begin("run", {
    kind: "CONSUMER",
    parent: claim.traceParent,
    attributes: {
      "rowhouse.run.id": runId,
      "rowhouse.workflow.id": workflowId,
      "rowhouse.run.fence": fence,
    },
  });
  return {
    step: (flight, carryOut) => traceStep(tracing, run, flight, carryOut),
    end: (executed) => {
      const status =
        executed?.kind === "ENDED" ? executed.ended.status : (executed?.kind ?? "LOST");
      const failed = executed === undefined || status === "FAILED";
      run.end({ attributes: { "rowhouse.run.status": status }, failed });
    },
  };
}

async function traceStep(
  tracing: Tracing,
  run: Span,
  flight: Flight,
  carryOut: (flight: Flight) => Promise<void>,
): Promise<void> {
  const { step, path, attempt } = flight.request;
  const span = tracing.begin(`step ${step.kind}`, {
    kind: "INTERNAL",
    parent: run.traceParent,
    attributes: { "rowhouse.step.path": path, "rowhouse.step.attempt": attempt },
  });
  let failed = true;
  try {
    await carryOut({
      ...flight,
      advance: async (queryable, answer) => {
        await flight.advance(queryable, answer);
        failed = answer.kind === "FAULT";
      },
    });
  } finally {
    span.end({ failed });
  }
}
