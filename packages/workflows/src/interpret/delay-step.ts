import type { ComputeBudget } from "../base/compute-budget.ts";
import type { ExpressionContext } from "../base/expression-context.ts";
import type { JsonObject } from "../base/json.ts";
import { RunFault } from "../base/run-fault.ts";
import type { CompiledStep } from "../compile/compiled.ts";
import { delaySecondsMax } from "../definition/plain-steps.ts";
import { renderTree } from "../template/render-template.ts";
import { renderedTextOf } from "./render-input.ts";
import type { RunJournal } from "./run-journal.ts";
import type { Waiting } from "./wait.ts";

type CompiledDelay = Extract<CompiledStep, { kind: "DELAY" }>;

/** Waits for a moment that is recorded when the step is first reached. */
export function* runDelay(
  journal: RunJournal,
  step: CompiledDelay,
  path: string,
  context: ExpressionContext,
): Waiting {
  const { budget } = journal;
  journal.reach(path, () => waitedFor(step, context, budget));
  const ended = journal.replay(path);
  if (ended !== undefined) return ended.output;
  const subject = journal.begin(path, "delay");
  const record = journal.known(path);
  let dueInMs: number;
  if (record?.status === "WAITING") dueInMs = record.dueInMs ?? 0;
  else {
    try {
      dueInMs = dueInMsOf(step, context, journal.now(), budget);
    } catch (error) {
      throw journal.fail(subject, error);
    }
    if (journal.isTrial) {
      journal.conclude(subject, { kind: "OUTPUT", output: null, simulated: "SKIPPED" });
      return null;
    }
    journal.wait(subject, { resumeInMs: dueInMs });
  }
  yield { kind: "SLEEP", path, dueInMs };
  journal.conclude(subject, { kind: "OUTPUT", output: null });
  return null;
}

function waitedFor(
  { seconds, until }: CompiledDelay,
  context: ExpressionContext,
  budget: ComputeBudget,
): JsonObject {
  return {
    ...(seconds === undefined ? {} : { seconds: renderTree(seconds, context, { budget }) }),
    ...(until === undefined ? {} : { until: renderTree(until, context, { budget }) }),
  };
}

/** @throws RunFault DELAY_INVALID, TEMPLATE_ERROR */
function dueInMsOf(
  { seconds, until }: CompiledDelay,
  context: ExpressionContext,
  now: number,
  budget: ComputeBudget,
): number {
  const dueInMs =
    seconds === undefined
      ? momentOf(until === undefined ? undefined : renderTree(until, context, { budget })) - now
      : secondsOf(renderTree(seconds, context, { budget })) * 1000;
  if (dueInMs > delaySecondsMax * 1000) throw notDelay();
  return Math.max(0, Math.ceil(dueInMs));
}

function secondsOf(value: unknown): number {
  const seconds =
    typeof value === "string" && value.trim() === "" ? Number.NaN : Number(renderedTextOf(value));
  if (!Number.isFinite(seconds) || seconds < 0) throw notDelay();
  return seconds;
}

function momentOf(value: unknown): number {
  const isMoment =
    typeof value === "string" &&
    /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*(?:Z|[+-]\d\d(?::?\d\d)?))?$/i.test(value);
  const moment = isMoment ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(moment) || !isDay(String(value).slice(0, 10))) throw notDelay();
  return moment;
}

/** Whether a calendar has this day: `Date.parse` reads 30 February as 2 March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function notDelay(): RunFault {
  return new RunFault(
    "DELAY_INVALID",
    "A delay must be a number of seconds or an ISO 8601 timestamp, at most one year ahead",
  );
}
