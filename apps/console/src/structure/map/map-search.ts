/** The state of the map, as its address has it. */
export interface MapSearch {
  readonly schema: string | undefined;
  /** Undefined for the drawing. */
  readonly view: "list" | undefined;
}

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readMapSearch(raw: Readonly<Record<string, unknown>>): MapSearch {
  const schema = typeof raw.schema === "number" ? String(raw.schema) : raw.schema;
  return {
    schema: typeof schema === "string" && schema !== "" ? schema : undefined,
    view: raw.view === "list" ? "list" : undefined,
  };
}
