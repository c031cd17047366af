import { type Definition, fieldOf } from "../model/definition.ts";
import { triggerKindOf } from "../parts/trigger-kind.ts";

/** An input to begin with, in the shape of a definition's trigger. */
export function firstInput(definition: Definition): unknown {
  const trigger = fieldOf(definition, "trigger");
  switch (triggerKindOf(definition)) {
    case "webhook":
      return { query: {}, body: fieldOf(trigger, "method") === "GET" ? null : {}, meta: {} };
    case "schedule":
      return { scheduledAt: new Date().toISOString(), previous: null };
    case "databaseEvent":
      return { event: firstOf(fieldOf(trigger, "on")), old: null, new: {}, changed: [] };
    default:
      return {};
  }
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : "insert";
}
