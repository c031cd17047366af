/** An edition of a workflow's definition: the number of a version, or the draft. */
export type Edition = number | "draft";

/** The state of the page of versions, as its address has it. */
export interface VersionsSearch {
  /** The editions to compare; undefined for those that are compared at first. */
  readonly from: number | undefined;
  readonly to: Edition | undefined;
}

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readVersionsSearch(raw: Readonly<Record<string, unknown>>): VersionsSearch {
  const numberOf = (value: unknown) =>
    /^[1-9][0-9]{0,8}$/.test(String(value)) ? Number(value) : undefined;
  return { from: numberOf(raw.from), to: raw.to === "draft" ? "draft" : numberOf(raw.to) };
}
