/** The reference as its address has it. */
export interface ReferenceSearch {
  /** `admin`, `app` or `own`, or the id of a role. */
  readonly of?: string | undefined;
  readonly search?: string | undefined;
  /** The open operation: `GET /admin/api/roles`. */
  readonly open?: string | undefined;
}

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readReferenceSearch(raw: Readonly<Record<string, unknown>>): ReferenceSearch {
  const textOf = (value: unknown) =>
    typeof value === "string" && value !== "" ? value : undefined;
  return { of: textOf(raw.of), search: textOf(raw.search), open: textOf(raw.open) };
}
