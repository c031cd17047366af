/** The state of the builder, as its address has it. */
export interface BuilderSearch {
  /** Whose rights the preview has: `user:<id>` or `roles:<id>`. */
  readonly as?: string | undefined;
  /** Of a new DataView: the resource that it begins with. */
  readonly resource?: string | undefined;
}

/** Reads the parameters of an address. */
export function readBuilderSearch(raw: Readonly<Record<string, unknown>>): BuilderSearch {
  const textOf = (value: unknown) =>
    typeof value === "string" && value !== "" ? value : undefined;
  return { as: textOf(raw.as), resource: textOf(raw.resource) };
}
