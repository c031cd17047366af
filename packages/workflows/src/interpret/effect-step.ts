import type { ExpressionContext } from "../base/expression-context.ts";
import type { JsonObject } from "../base/json.ts";
import { RunFault, stepTimeout, toStepError } from "../base/run-fault.ts";
import type { CompiledEffect } from "../compile/compiled.ts";
import type { ChildEnd } from "../model/run.ts";
import { renderInput } from "./render-input.ts";
import { pauseBefore } from "./retry.ts";
import type { RunJournal } from "./run-journal.ts";
import type { EffectAnswer, Joined, Waiting } from "./wait.ts";

/**
 * Requests an effect, and repeats it after a pause as its step's `retry` allows. If the effect started another run,
 * waits for the end of that run.
 *
 * @param random from 0 to 1, for the jitter of pauses
 */
export function* runEffectStep(
  journal: RunJournal,
  compiled: CompiledEffect,
  path: string,
  context: ExpressionContext,
  random: () => number,
): Waiting {
  journal.reach(path, () => renderInput(compiled, context, journal.budget));
  const ended = journal.replay(path);
  if (ended !== undefined) return ended.output;
  const { step } = compiled;
  const record = journal.known(path);
  const reached = journal.begin(path, step.kind);
  let input: JsonObject;
  try {
    input = renderInput(compiled, context, journal.budget);
  } catch (error) {
    throw journal.fail(reached, error);
  }
  let attempt = record?.attempt ?? 1;
  let started = record?.status === "STARTED";
  let child = record?.childRunId ?? undefined;
  if (record?.status === "WAITING" && child === undefined) {
    yield { kind: "SLEEP", path, dueInMs: record.dueInMs ?? 0 };
  }
  for (;;) {
    const subject = { ...reached, attempt };
    let answer: EffectAnswer | Joined;
    if (child === undefined) {
      const { position } = reached;
      answer = yield { kind: "EFFECT", path, position, step, input, attempt, started };
      if (answer.kind === "CHILD") {
        child = answer.runId;
        const resumeInMs = "timeoutMs" in step ? (step.timeoutMs ?? null) : null;
        journal.wait(subject, { resumeInMs, childRunId: child });
        answer = yield { kind: "CHILD", path, runId: child, dueInMs: resumeInMs };
      }
    } else {
      const end = record?.childEnd;
      const dueInMs = record?.dueInMs ?? null;
      answer =
        end == null ? yield { kind: "CHILD", path, runId: child, dueInMs } : answerOfChild(end);
    }
    if (answer.kind === "DUE") answer = { kind: "FAULT", error: stepTimeout() };
    if (answer.kind === "OUTPUT") {
      journal.succeed(subject, answer.output, answer.simulated);
      return answer.output;
    }
    if (answer.kind !== "FAULT") throw new Error("an effect has neither output nor fault");
    const full = pauseBefore(step, attempt, answer.error, random);
    const pause = full !== undefined && journal.isTrial ? 0 : full;
    if (pause === undefined) throw journal.fail(subject, answer.error, answer.simulated);
    attempt += 1;
    started = false;
    child = undefined;
    const error = toStepError(answer.error, step.id);
    journal.wait({ ...reached, attempt }, { resumeInMs: pause, error });
    yield { kind: "SLEEP", path, dueInMs: pause };
  }
}

function answerOfChild({ status, result, error }: ChildEnd): EffectAnswer {
  if (status === "SUCCEEDED") return { kind: "OUTPUT", output: result };
  const reason = error === null ? "it was canceled" : `${error.code}: ${error.message}`;
  return {
    kind: "FAULT",
    error: new RunFault("SUBWORKFLOW_FAILED", `The started workflow failed: ${reason}`),
  };
}
