import { createSchemaCheck, generatedRuns } from "@rowhouse/testing";
import { describeStepKinds, parseDefinition } from "@rowhouse/workflows";
import fc from "fast-check";
import { expect, it } from "vitest";
import { walkSteps } from "../../src/workflows/model/branches.ts";
import { kindOf } from "../../src/workflows/model/definition.ts";
import { definitions, stepKinds } from "./arbitrary-definition.ts";

// The JSON Schemas of the kinds against the checks of a definition that they are derived from.

type Json = Readonly<Record<string, unknown>>;

const kinds = describeStepKinds();
const stepChecks = new Map(
  kinds.steps.map(({ kind, schema }) => [kind, createSchemaCheck(schema)]),
);
const triggerChecks = new Map(
  kinds.triggers.map(({ kind, schema }) => [kind, createSchemaCheck(schema)]),
);
const settingsCheck = createSchemaCheck(kinds.workflow.schema);
const runs = { numRuns: generatedRuns(2000) };

/** The faults of a definition by the schemas of its kinds. */
function schemaFaults(definition: Json): string[] {
  const { trigger, steps, ...settings } = definition;
  const triggerCheck = triggerChecks.get(kindOf(trigger) ?? "");
  return [
    ...settingsCheck(settings),
    ...(triggerCheck?.(trigger) ?? ["the trigger has an unknown kind"]),
    ...(Array.isArray(steps) ? [] : ["steps is not a list"]),
    ...[...walkSteps(definition, stepKinds)].flatMap(
      ({ step }) => stepChecks.get(kindOf(step) ?? "")?.(step) ?? ["a step has an unknown kind"],
    ),
  ];
}

/** The faults of a definition by the service. */
function serviceFaults(definition: Json): string[] {
  try {
    parseDefinition(definition, "");
    return [];
  } catch (error) {
    if (!hasFaults(error)) throw error;
    return error.faults.map(({ path, message }) => `${path} ${message}`);
  }
}

function hasFaults(
  error: unknown,
): error is { readonly faults: readonly { readonly path?: string; readonly message: string }[] } {
  return error instanceof Error && "faults" in error;
}

/** Rules that JSON Schema does not express, and those of all stored JSON. */
const beyondSchemas =
  /Each operation is allowed once|not allowed|cannot be stored|levels deep|at most \d+ steps/;

/** Replaces, removes or adds one member somewhere in a value. */
function mutate(value: unknown, picks: readonly number[], other: unknown): unknown {
  const [pick = 0, ...rest] = picks;
  if (Array.isArray(value) && value.length > 0 && rest.length > 0) {
    const index = pick % value.length;
    return value.map((item, at) => (at === index ? mutate(item, rest, other) : item));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return other;
  const keys = Object.keys(value);
  const key = keys[pick % (keys.length + 1)];
  if (key === undefined) return { ...value, added: other };
  const inner = (value as Json)[key];
  if (rest.length > 0) return { ...value, [key]: mutate(inner, rest, other) };
  if (pick % 2 === 1) return { ...value, [key]: other };
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

const mutated = fc
  .tuple(
    definitions,
    fc.array(fc.nat(30), { minLength: 1, maxLength: 5 }),
    fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.object()),
  )
  .map(([definition, picks, other]) => mutate(definition, picks, other) as Json);

it("the schemas of the kinds accept every definition that the service accepts", () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(definitions, mutated), (definition) => {
      if (serviceFaults(definition).length > 0) return;
      accepted += 1;
      expect(schemaFaults(definition)).toEqual([]);
    }),
    runs,
  );
  expect(accepted).toBeGreaterThan(generatedRuns(100));
});

it("the schemas of the kinds refuse every definition whose form the service refuses", () => {
  let refused = 0;
  fc.assert(
    fc.property(fc.oneof(definitions, mutated), (definition) => {
      const faults = serviceFaults(definition).filter((fault) => !beyondSchemas.test(fault));
      if (faults.length === 0) return;
      refused += 1;
      expect([faults, schemaFaults(definition)]).not.toEqual([faults, []]);
    }),
    runs,
  );
  expect(refused).toBeGreaterThan(generatedRuns(50));
});
