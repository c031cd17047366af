import { useEffect, useRef } from "react";
import { fieldOf, idOf, isJsonObject } from "../model/definition.ts";
import type { FormPlace } from "./form-context.ts";
import type { Scope, Shape } from "./shape.ts";

const any: Shape = { type: "any" };

/** Returns the function that finds what an expression of a form can name. */
export function useScope(place: FormPlace): () => Promise<Scope> {
  const latest = useRef(place);
  useEffect(() => {
    latest.current = place;
  }, [place]);
  const find = useRef(async () => scopeOfDefinition(latest.current));
  return find.current;
}

/** What the definition alone says: the roots and the ids of steps. */
function scopeOfDefinition({ definition, stepId }: FormPlace): Scope {
  const meta = objectOf(["ip", "headers", "method"]);
  const data = { type: "object", properties: { body: any, query: any, meta } } as const;
  const start: Shape = { type: "object", properties: { data } };
  if (stepId === null) return { roots: { type: "object", properties: { start } } };
  const ids = [...stepIds(fieldOf(definition, "steps"))].filter((id) => id !== stepId);
  const steps = objectOf(ids);
  return {
    roots: {
      type: "object",
      properties: { start, steps, vars: any, errors: steps, item: any, index: any },
    },
  };
}

function objectOf(names: readonly string[]): Shape {
  return { type: "object", properties: Object.fromEntries(names.map((name) => [name, any])) };
}

function* stepIds(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value) yield* stepIds(item);
  } else if (isJsonObject(value)) {
    if (idOf(value) !== "" && typeof value.kind === "string") yield idOf(value);
    for (const inner of Object.values(value)) yield* stepIds(inner);
  }
}
