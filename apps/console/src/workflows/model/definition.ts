/** An object of a definition. Its fields are those that its author wrote, also unknown ones. */
export type JsonObject = { readonly [name: string]: unknown };
/** A step as it is written: usually with `id` and `kind`, but a draft may lack any field. */
export type StepNode = JsonObject;
/** A workflow's definition as it is written: usually with `trigger` and `steps`. */
export type Definition = JsonObject;

/** A list of inner steps that a kind has, as the step kinds of the service describe it. */
export interface BranchKind {
  /** From the step to the list; `*` stands for each position of a list. */
  readonly path: readonly string[];
  readonly title: string;
}

/** What the model needs of a step kind. */
export interface KindBranches {
  readonly kind: string;
  readonly branches: readonly BranchKind[];
}

/** Whether a value is an object of JSON. A number that keeps its digits is none. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value))
  );
}

/** The field of an object; a field of the prototype is none. */
export function fieldOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The text of a field; empty if it is no text. */
function textOf(value: unknown, name: string): string {
  const text = fieldOf(value, name);
  return typeof text === "string" ? text : "";
}

/** The id of a step; empty if it has none. */
export function idOf(step: unknown): string {
  return textOf(step, "id");
}

/** The kind of a step; empty if it has none. */
export function kindOf(step: unknown): string {
  return textOf(step, "kind");
}

/** Whether a step is disabled: a run passes over it. */
export function isDisabled(step: unknown): boolean {
  return fieldOf(step, "disabled") === true;
}

/** The note of a step; empty if it has none. */
export function noteOf(step: unknown): string {
  return textOf(step, "note");
}
