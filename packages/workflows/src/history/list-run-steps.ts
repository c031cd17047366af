import {
  arrayLiteral,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  toPage,
} from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { parseExactJson } from "@rowhouse/wire";
import { ComputeBudget, readerCostMax } from "../base/compute-budget.ts";
import { isoMoment } from "../base/iso-moment.ts";
import { exceedsSize, toJson } from "../base/json.ts";
import type { StepError } from "../base/run-fault.ts";
import type { CompiledDefinition } from "../compile/compiled.ts";
import { compileStored } from "../compile/stored-definition.ts";
import { Interpretation } from "../interpret/interpret.ts";
import type { JournalRecord, StepStatus } from "../model/run.ts";
import type { Simulation } from "../model/test-options.ts";
import { loadJournal } from "../run/load-journal.ts";
import { redactStepInput } from "../secrets/redact-credentials.ts";
import { jsonPart } from "./list-runs.ts";

/** A step of a run. Numbers in its input and output have every digit. */
export interface StepRecord {
  readonly path: string;
  /** The order in which the run reached the steps, from 0. Several steps of a loop may share one. */
  readonly position: number;
  readonly kind: string;
  readonly status: StepStatus;
  /** From 1. */
  readonly attempt: number;
  /** When a waiting step continues. */
  readonly resumeAt: string | null;
  /** The run that it started. */
  readonly childRunId: string | null;
  /** Its rendered templates; null if it has none of its own or they are too large to show. */
  readonly input: unknown;
  readonly output: unknown;
  readonly error: StepError | null;
  /** For a step of a test that was not carried out like that of a run. */
  readonly simulated: Simulation | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
}

export interface ListStepsRequest extends PageRequest {
  readonly statuses: readonly StepStatus[] | null;
  readonly kinds: readonly string[] | null;
  /** The step of this path alone. */
  readonly path?: string | undefined;
  /** `OUTLINE` reads neither inputs nor outputs, and returns null for both; `FULL` by default. */
  readonly view?: "FULL" | "OUTLINE";
}

interface StepRow extends StepOutline {
  readonly output: string | null;
}

/** A step without its input and its output. */
export type StepOutline = Omit<StepRecord, "input" | "output">;

/** Columns of a `StepOutline` of an entry `s` of the journal. */
export const outlineColumns = `
  s.path, s.position, s.kind, s.status, s.attempt, s.error, s.simulated, s.child_run_id as "childRunId",
  ${isoMoment("s.resume_at")} as "resumeAt", ${isoMoment("s.started_at")} as "startedAt",
  ${isoMoment("s.finished_at")} as "finishedAt"`;

/** Steps whose input equals their output. */
const withoutInput: ReadonlySet<string> = new Set([
  "setValues",
  "condition",
  "switch",
  "fail",
  "finish",
]);
/** Characters of an output that a search covers. */
const searchedMax = 100_000;

/**
 * Lists the steps that a run has reached, in that order. A search covers paths, outputs and errors.
 *
 * @throws AppError NOT_FOUND for the run, QUERY_INVALID for a cursor of another list
 */
export async function listRunSteps(
  database: Queryable,
  runId: string,
  request: ListStepsRequest,
): Promise<Page<StepRecord>> {
  const isOutline = request.view === "OUTLINE";
  const [position, path] = readCursor(request.cursor, [isPosition, isPath]);
  const rows = await database.query<StepRow>(
    `select ${outlineColumns}, ${isOutline ? "null" : "s.output::text"} as output
     from system.workflow_run_steps s
     where s.run_id = $1::uuid
       and ($2::integer is null or (s.position, s.path) > ($2::integer, $3::text))
       and ($4::text[] is null or s.status = any ($4::text[]))
       and ($5::text[] is null or s.kind = any ($5::text[]))
       and ($6::text is null or strpos(system.fold(s.path), system.fold($6::text)) > 0
         or strpos(system.fold(left(s.output::text, ${searchedMax})), system.fold($7::text)) > 0
         or strpos(system.fold(s.error::text), system.fold($7::text)) > 0)
       and ($9::text is null or s.path = $9::text)
     order by s.position, s.path limit $8::integer`,
    [
      runId,
      position,
      path,
      request.statuses === null ? null : arrayLiteral(request.statuses),
      request.kinds === null ? null : arrayLiteral(request.kinds),
      request.search,
      request.search === null ? null : jsonPart(request.search),
      String(request.limit + 1),
      request.path ?? null,
    ],
  );
  const { items, nextCursor } = toPage(rows, request.limit, (row) => [
    String(row.position),
    row.path,
  ]);
  const inputs = isOutline ? new Map() : await loadInputs(database, runId, items);
  return {
    items: items.map(({ output, ...step }) => ({
      ...step,
      input: inputs.get(step.path) ?? null,
      output: output === null ? null : parseExactJson(output),
    })),
    nextCursor,
  };
}

async function loadInputs(
  database: Queryable,
  runId: string,
  steps: readonly Pick<StepRow, "path" | "kind">[],
): Promise<ReadonlyMap<string, unknown>> {
  const wanted = new Set(steps.flatMap(({ path, kind }) => (withoutInput.has(kind) ? [] : [path])));
  if (wanted.size === 0) return new Map();
  const [run] = await database.query<{ input: string; definition: string }>(
    `select r.input::text as input, v.definition::text as definition
     from system.workflow_runs r join system.workflow_versions v on v.id = r.version_id
     where r.id = $1::text::uuid`,
    [runId],
  );
  if (run === undefined) throw createError("NOT_FOUND");
  const compiled = compileKnown(run.definition);
  if (compiled === undefined) return new Map();
  const journal = await loadJournal(database, runId);
  return deriveInputs(compiled, parseExactJson(run.input), journal, wanted);
}

/**
 * @returns undefined for a definition of another release that this one cannot read; the outputs of its steps are still
 * readable
 */
function compileKnown(definition: string): CompiledDefinition | undefined {
  try {
    return compileStored(definition);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function isPosition(part: string): boolean {
  return /^[0-9]{1,9}$/.test(part);
}

function isPath(part: string): boolean {
  return part.length <= 4000 && !part.includes("\0");
}

/** The limit of a shown input, in characters of JSON, approximately. A larger input is omitted. */
const inputSizeMax = 65_536;

/**
 * Computes the inputs of steps by replaying the definition over the journal, which holds everything that they follow
 * from. Secrets are not available here, so no input contains one; credential fields are redacted as well.
 *
 * @param wanted the paths of the steps
 * @returns inputs by path, without steps that have no input of their own and without inputs that are too large
 */
export function deriveInputs(
  definition: CompiledDefinition,
  data: unknown,
  journal: ReadonlyMap<string, JournalRecord>,
  wanted: ReadonlySet<string>,
): Map<string, unknown> {
  const inputs = new Map<string, unknown>();
  const observer = (path: string, render: () => unknown) => {
    if (!wanted.has(path)) return;
    try {
      const input = render();
      // Through JSON, which writes secrets as `[redacted]`.
      if (!exceedsSize(input, inputSizeMax))
        inputs.set(path, redactStepInput(parseExactJson(toJson(input))));
    } catch {
      // The step failed for the same reason, and its entry records it.
    }
  };
  const budget = new ComputeBudget(readerCostMax);
  const interpretation = new Interpretation(journal, { observer, budget });
  interpretation.start(definition, data);
  return inputs;
}
