import { fieldOf, type StepNode } from "../model/definition.ts";

/** Codes of errors whose cause is in one field. */
const fieldsOfCodes: readonly (readonly [code: RegExp, field: string])[] = [
  [/^CONDITION_/, "expression"],
  [/^HTTP_(?:URL|HOST|ADDRESS)/, "url"],
  [/^HTTP_HEADER/, "headers"],
  [/^TOO_MANY_ITEMS$/, "items"],
  [/^TEMPLATE_NOT_FOUND$/, "template"],
  [/^STEP_TIMEOUT$|^HTTP_TIMEOUT$/, "timeoutMs"],
];

/**
 * Returns the JSON pointer, in the step, of the field that probably caused an error: the one with the template that the
 * message names, else the one that the code is about. Empty if neither is known.
 */
export function faultyField(
  step: StepNode,
  error: { readonly code: string; readonly message: string },
): string {
  const template = firstTemplate(error.message);
  const named = template === undefined ? undefined : pointerTo(step, template, "");
  if (named !== undefined) return named;
  const field = fieldsOfCodes.find(([code]) => code.test(error.code))?.[1];
  return field !== undefined && fieldOf(step, field) !== undefined ? `/${field}` : "";
}

function firstTemplate(text: string): string | undefined {
  const start = text.indexOf("{{");
  const end = start < 0 ? -1 : text.indexOf("}}", start + 2);
  return end < 0 ? undefined : text.slice(start, end + 2);
}

/** Fields that hold inner steps, whose templates are not those of the step. */
const inSteps: ReadonlySet<string> = new Set([
  "then",
  "else",
  "cases",
  "default",
  "steps",
  "onError",
]);

function pointerTo(value: unknown, text: string, pointer: string): string | undefined {
  if (typeof value === "string") return value.includes(inner(text)) ? pointer : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, entry] of Object.entries(value)) {
    if (pointer === "" && inSteps.has(key)) continue;
    const escaped = key.replaceAll("~", "~0").replaceAll("/", "~1");
    const found = pointerTo(entry, text, `${pointer}/${escaped}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The path of a template, which a definition may write with spaces or a default. */
function inner(template: string): string {
  return template.slice(2, -2).trim();
}
