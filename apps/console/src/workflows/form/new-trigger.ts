import type { JsonObject } from "../model/definition.ts";
import type { TriggerKindSchema } from "../parts/kinds-query.ts";
import { type FormField, fieldsOf } from "./form-field.ts";

/** Returns a trigger of a kind, with the values of the former one that it has too. */
export function newTrigger({ kind, schema }: TriggerKindSchema, before: JsonObject): JsonObject {
  const values = fieldsOf(schema).flatMap((field): [string, unknown][] => {
    const kept = before[field.name];
    if (kept != null) return [[field.name, kept]];
    return field.isRequired ? [[field.name, firstOf(field)]] : [];
  });
  return { kind, ...Object.fromEntries(values) };
}

function firstOf({ control }: FormField): unknown {
  if (control === "list") return ["insert"];
  return control === "cron" ? "0 6 * * *" : "";
}
