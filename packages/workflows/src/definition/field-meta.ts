/** How a form edits a value; `x-control` in the JSON Schema of a kind. */
export type Control =
  | "stepId"
  | "schema"
  | "table"
  /** Columns: a text with commas, or a list of names. */
  | "fields"
  /** An object from column or name to a value. */
  | "values"
  | "filter"
  | "orderBy"
  | "key"
  /** One line of text with templates. */
  | "template"
  /** Several lines of text with templates. */
  | "templateText"
  /** Any JSON with templates. */
  | "templateJson"
  | "cel"
  /** A text, a number, true, false or null, without templates. */
  | "scalar"
  | "headers"
  | "query"
  | "auth"
  | "signature"
  | "tool"
  /** Any JSON without templates. */
  | "json"
  | "secret"
  | "user"
  | "workflow"
  | "document"
  | "folder"
  | "cron"
  | "timeZone"
  | "milliseconds"
  | "seconds"
  | "onError"
  | "retry"
  /** An inner list of steps. */
  | "steps"
  | "choice"
  | "number"
  | "boolean"
  | "text"
  /** Several lines of text without templates. */
  | "note"
  | "list";

/** The subjects by which a page groups the kinds of steps. */
export type StepGroup = "rows" | "outside" | "files" | "flow" | "values";

/** Describes a field for forms and readers of its JSON Schema. */
export function field(title: string, description: string, control: Control) {
  return { title, description, "x-control": control };
}

/** Describes a field that many kinds share. A form shows these fields apart from the others. */
export function commonField(title: string, description: string, control: Control) {
  return { ...field(title, description, control), "x-section": "common" };
}

export function stepKind(group: StepGroup, title: string, description: string) {
  return { title, description, "x-group": group };
}
