import { useEffect, useRef } from "react";
import { client } from "../../shell/client.ts";
import { fieldOf, idOf, isJsonObject } from "../model/definition.ts";
import type { FormPlace } from "./form-context.ts";
import type { Scope, Shape } from "./shape.ts";

/** How long what was found is offered again, in milliseconds: typing asks for it at every dot. */
const freshMs = 10_000;
const any: Shape = { type: "any" };

/**
 * Returns the function that finds what an expression of a form can name: from the definition as it is edited and from
 * the last runs. Without an answer of the service, the definition alone says it.
 */
export function useScope(place: FormPlace): () => Promise<Scope> {
  const latest = useRef(place);
  useEffect(() => {
    latest.current = place;
  }, [place]);
  const kept = useRef<{
    readonly key: string;
    readonly atMs: number;
    readonly scope: Promise<Scope>;
  }>(null);
  const find = useRef(() => {
    const { workflowId, stepId } = latest.current;
    const key = `${workflowId} ${stepId ?? ""}`;
    const { current } = kept;
    if (current?.key === key && Date.now() - current.atMs < freshMs) return current.scope;
    const scope = loadScope(latest.current).catch(() => scopeOfDefinition(latest.current));
    kept.current = { key, atMs: Date.now(), scope };
    return scope;
  });
  return find.current;
}

async function loadScope({ workflowId, definition, stepId }: FormPlace): Promise<Scope> {
  const { data } = await client.admin.post("/workflows/{id}/completions", {
    path: { id: workflowId },
    data: { step: stepId, definition },
  });
  const { secrets, ...shapes } = data;
  const known = Object.entries(shapes).filter(([, shape]) => shape !== null);
  const named = secrets.length === 0 ? {} : { secrets: objectOf(secrets) };
  return {
    roots: { type: "object", properties: { ...Object.fromEntries(known), ...named } as Roots },
  };
}

type Roots = Readonly<Record<string, Shape>>;

/** What the definition alone says: the roots and the ids of steps. */
function scopeOfDefinition({ definition, stepId }: FormPlace): Scope {
  const data: Shape = { type: "object", properties: { body: any, query: any, meta: any } };
  const start: Shape = { type: "object", properties: { data } };
  if (stepId === null) return { roots: { type: "object", properties: { start } } };
  const ids = [...stepIds(fieldOf(definition, "steps"))].filter((id) => id !== stepId);
  const steps = objectOf(ids);
  const properties = { start, steps, vars: any, errors: steps, item: any, index: any };
  return { roots: { type: "object", properties } };
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
