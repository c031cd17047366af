import { arrayLiteral, type Catalogue, type Database, type Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { parseExactJson } from "@rowhouse/wire";
import { type DraftStep, readDraftSteps } from "../completion/draft-steps.ts";
import { type ExpressionScope, renderedShape } from "../completion/expression-shape.ts";
import { errorsShape, outputShape, startShape } from "../completion/output-shape.ts";
import {
  anyShape,
  boundShape,
  mergeShapes,
  objectShape,
  plainShape,
  type Shape,
  ShapeBudget,
  shapeAt,
  shapeOfValue,
} from "../completion/shape.ts";
import { requireWorkflow } from "./workflow.ts";

/** The values that a step can read, and the secrets that it may name. */
export interface Completions extends ExpressionScope {
  /** Names of secrets; empty where no secret is allowed. */
  readonly secrets: string[];
}

export interface CompletionRequest {
  /** The id of the step; null for the filter of the trigger. */
  readonly step: string | null;
  /** A definition that may have faults; the draft by default. */
  readonly definition?: unknown;
}

/** Limits of the history that is read. */
const runsMax = 5;
const entriesMax = 200;
const entrySizeMax = 65_536;
const totalSizeMax = 4_000_000;
const secretsMax = 1000;
/** The outputs of a loop's first items; further items resemble them. */
const itemIndexes = [0, 1];

/**
 * Returns what templates and conditions of a step can read: from the definition and the tables that it names, and from
 * the last runs of the workflow that have ended.
 *
 * @throws AppError NOT_FOUND for the workflow, BODY_INVALID if the definition has no such step
 */
export async function completeStep(
  database: Database,
  catalogue: Catalogue,
  workflowId: string,
  request: CompletionRequest,
): Promise<Completions> {
  const { definition: draft } = await requireWorkflow(database, workflowId);
  const { definition = draft, step: id } = request;
  const place = id === null ? null : placeIn(definition, id);
  if (place === undefined) {
    throw createError("BODY_INVALID", {
      path: "/data/step",
      message: "The definition has no step with this id",
    });
  }
  const known = await readKnownValues(database, workflowId, place);
  const scope = completionsAt(catalogue, definition, place, known);
  const mayNameSecrets = place?.step.kind === "httpRequest";
  return { ...scope, secrets: mayNameSecrets ? await secretNames(database) : [] };
}

async function readKnownValues(
  database: Queryable,
  workflowId: string,
  place: Place | null,
): Promise<KnownValues> {
  const runs = await database.query<{ id: string; input: string | null }>(
    `select r.id, case when length(r.input::text) <= ${entrySizeMax} then r.input::text end as input
     from system.workflow_runs r
     where r.workflow_id = $1::text::uuid and r.finished_at is not null
     order by r.accepted_at desc, r.id desc limit ${runsMax}`,
    [workflowId],
  );
  const budget = new ShapeBudget();
  const data = runs
    .flatMap(({ input }) => (input === null ? [] : [shapeOfJson(input, budget)]))
    .reduce<Shape | undefined>(mergeKnown, undefined);
  const paths = (place?.before ?? []).flatMap(pathsOf);
  const outputs = new Map<string, Shape>();
  for (const { path, output } of await readOutputs(
    database,
    runs.map(({ id }) => id),
    paths,
  )) {
    const id = path.slice(path.lastIndexOf(".") + 1);
    outputs.set(id, mergeKnown(outputs.get(id), shapeOfJson(output, budget)));
  }
  return { data, outputs };
}

interface KnownOutput {
  readonly path: string;
  readonly output: string;
}

/** Reads by the key of the journal, whose runs may have 20,000 entries; newest runs first. */
async function readOutputs(
  database: Queryable,
  runIds: readonly string[],
  paths: readonly string[],
): Promise<KnownOutput[]> {
  if (runIds.length === 0 || paths.length === 0) return [];
  return database.query<KnownOutput>(
    `select path, output from (
       select e.path, e.output, sum(length(e.output)) over (order by e.ordinal, e.path) as total from (
         select s.path, s.output::text as output, r.ordinal
         from pg_catalog.unnest($1::text::uuid[]) with ordinality r (id, ordinal)
         cross join pg_catalog.unnest($2::text::text[]) p (path)
         join system.workflow_run_steps s on s.run_id = r.id and s.path = p.path
         where s.status = 'SUCCEEDED' and s.output is not null and length(s.output::text) <= ${entrySizeMax}
         order by r.ordinal, s.path limit ${entriesMax}) e) sized
     where total <= ${totalSizeMax}`,
    [arrayLiteral(runIds), arrayLiteral(paths)],
  );
}

/** The paths of a step in the journal: one, or those of the first items of its loops. */
function pathsOf({ id, loops }: DraftStep): string[] {
  let prefixes = [""];
  for (const [depth, loop] of loops.entries()) {
    const indexes = depth === loops.length - 1 ? itemIndexes : [0];
    prefixes = prefixes.flatMap((prefix) =>
      indexes.map((index) => `${prefix}${loop.id}.${index}.`),
    );
  }
  return prefixes.map((prefix) => prefix + id);
}

function shapeOfJson(json: string, budget: ShapeBudget): Shape {
  return shapeOfValue(parseExactJson(json), budget);
}

function mergeKnown(known: Shape | undefined, shape: Shape): Shape {
  return known === undefined ? shape : mergeShapes(known, shape);
}

async function secretNames(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select name from system.workflow_secrets order by name limit ${secretsMax}`,
  );
  return rows.map(({ name }) => name);
}

/** A step with the steps that ran before it. */
interface Place {
  readonly step: DraftStep;
  /** The steps whose outputs it can read, in document order. */
  readonly before: readonly DraftStep[];
}

/** Finds a step by its id; undefined if there is none. */
function findPlace(
  steps: readonly DraftStep[],
  id: string,
  start: readonly DraftStep[] = [],
): Place | undefined {
  const before = [...start];
  for (const step of steps) {
    if (step.id === id) return { step, before };
    const inside = [...readableIn(step, false), step];
    for (const { isHandler, steps: inner } of step.branches) {
      // A handler runs after its step and what ran inside.
      const found = findPlace(inner, id, isHandler ? [...before, ...inside] : before);
      if (found !== undefined) return found;
    }
    before.push(...inside, ...readableIn(step, true));
  }
  return undefined;
}

/** Returns the steps inside a step that are readable after it, or those of its handler. A loop hides its steps. */
function readableIn(step: DraftStep, ofHandler: boolean): DraftStep[] {
  return step.branches
    .filter(({ isHandler }) => isHandler === ofHandler && (isHandler || step.kind !== "forEach"))
    .flatMap(({ steps }) =>
      steps.flatMap((one) => [...readableIn(one, false), one, ...readableIn(one, true)]),
    );
}

/** Returns what earlier runs know about a value; undefined if no run has it. */
interface KnownValues {
  /** The shape of `start.data`. */
  readonly data: Shape | undefined;
  /** The shapes of the steps' outputs, by id. */
  readonly outputs: ReadonlyMap<string, Shape>;
}

/** Finds a step of a definition that may have faults; undefined if there is none with this id. */
function placeIn(definition: unknown, stepId: string): Place | undefined {
  return findPlace(readDraftSteps(definition), stepId);
}

/**
 * Returns the shapes of all values that templates and conditions of a step can read.
 *
 * @param place null for the filter of the trigger, which can read `start` only
 */
function completionsAt(
  catalogue: Catalogue,
  definition: unknown,
  place: Place | null,
  known: KnownValues,
): ExpressionScope {
  const start = withData(startShape(catalogue, definition), known.data);
  const empty = objectShape([]);
  const none: ExpressionScope = {
    start,
    steps: empty,
    vars: empty,
    errors: empty,
    item: null,
    index: null,
  };
  if (place === null) return bounded(none);
  const { step, before } = place;
  let scope = none;
  for (const one of before) {
    scope = enterLoops(scope, one.loops);
    const output = withRuns(outputShape(catalogue, one, scope), known.outputs.get(one.id));
    const steps = extend(scope.steps, one.id, output);
    const vars = one.kind === "setValues" ? mergeShapes(output, scope.vars) : scope.vars;
    scope = { ...scope, steps, vars };
  }
  return bounded({ ...enterLoops(scope, step.loops), errors: errorsShape(before) });
}

/** Bounds a response, whose size the tables and the runs decide. */
function bounded({ start, vars, errors, item, index, steps }: ExpressionScope): ExpressionScope {
  const budget = new ShapeBudget();
  const bound = (shape: Shape) => boundShape(shape, budget);
  return {
    start: bound(start),
    vars: bound(vars),
    errors: bound(errors),
    item: item && bound(item),
    index,
    steps: bound(steps),
  };
}

function withData(start: Shape, data: Shape | undefined): Shape {
  return objectShape([["data", withRuns(shapeAt(start, ["data"]), data)]]);
}

function withRuns(shape: Shape, runs: Shape | undefined): Shape {
  return runs === undefined ? shape : mergeShapes(shape, runs);
}

function extend(object: Shape, name: string, shape: Shape): Shape {
  return objectShape([...Object.entries(object.properties ?? {}), [name, shape]]);
}

/** Sets `item` and `index` for the innermost loop. */
function enterLoops(scope: ExpressionScope, loops: Place["before"]): ExpressionScope {
  let inside: ExpressionScope = { ...scope, item: null, index: null };
  for (const loop of loops) {
    const { items } = renderedShape(loop.fields.items ?? null, inside);
    inside = {
      ...inside,
      item: items ?? anyShape,
      index: plainShape("number"),
    };
  }
  return inside;
}
