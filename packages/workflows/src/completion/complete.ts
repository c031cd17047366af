import type { Catalogue } from "@rowhouse/db";
import { readDraftSteps } from "./draft-steps.ts";
import { renderedShape, type Scope } from "./expression-shape.ts";
import { findPlace, type Place } from "./find-place.ts";
import { errorsShape, outputShape, startShape } from "./output-shape.ts";
import {
  anyShape,
  boundShape,
  mergeShapes,
  objectShape,
  plainShape,
  type Shape,
  ShapeBudget,
  shapeAt,
} from "./shape.ts";

/** Returns what earlier runs know about a value; undefined if no run has it. */
export interface KnownValues {
  /** The shape of `start.data`. */
  readonly data: Shape | undefined;
  /** The shapes of the steps' outputs, by id. */
  readonly outputs: ReadonlyMap<string, Shape>;
}

/** Finds a step of a definition that may have faults; undefined if there is none with this id. */
export function placeIn(definition: unknown, stepId: string): Place | undefined {
  return findPlace(readDraftSteps(definition), stepId);
}

/**
 * Returns the shapes of all values that templates and conditions of a step can read.
 *
 * @param place null for the filter of the trigger, which can read `start` only
 */
export function completionsAt(
  catalogue: Catalogue,
  definition: unknown,
  place: Place | null,
  known: KnownValues,
): Scope {
  const start = withData(startShape(catalogue, definition), known.data);
  const empty = objectShape([]);
  const none: Scope = { start, steps: empty, vars: empty, errors: empty, item: null, index: null };
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
function bounded({ start, vars, errors, item, index, steps }: Scope): Scope {
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
function enterLoops(scope: Scope, loops: Place["before"]): Scope {
  let inside: Scope = { ...scope, item: null, index: null };
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
