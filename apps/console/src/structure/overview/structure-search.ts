/** The state of the list of schemas, as its address has it. */
interface StructureSearch {
  readonly schema: string | undefined;
  readonly search: string | undefined;
}

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readStructureSearch(raw: Readonly<Record<string, unknown>>): StructureSearch {
  return { schema: textOf(raw.schema), search: textOf(raw.search) };
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" ? text : undefined;
}
