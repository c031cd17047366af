/** The state of the editor, as its address has it. */
export interface EditorSearch {
  /** The id of the chosen step; undefined for the trigger. */
  readonly step: string | undefined;
  /** A JSON pointer from the step to the field to show. */
  readonly field: string | undefined;
  /** Undefined for the tree. */
  readonly view: "code" | undefined;
  /** Undefined for the form of the chosen step. */
  readonly panel: "trigger" | "test" | undefined;
}

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readEditorSearch(raw: Readonly<Record<string, unknown>>): EditorSearch {
  const textOf = (value: unknown) =>
    typeof value === "number" || (typeof value === "string" && value !== "")
      ? String(value)
      : undefined;
  return {
    step: textOf(raw.step),
    field: textOf(raw.field),
    view: raw.view === "code" ? "code" : undefined,
    panel: (["trigger", "test"] as const).find((one) => one === raw.panel),
  };
}
