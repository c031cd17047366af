/** What the address of a run's page has beside its id. */
export interface RunSearch {
  /** Path of the chosen step. */
  readonly step?: string | undefined;
  /** The run that the step is compared with. */
  readonly compare?: string | undefined;
}

/** Reads the parameters of an address. */
export function readRunSearch(raw: Readonly<Record<string, unknown>>): RunSearch {
  const text = (value: unknown): string | undefined => {
    const given = typeof value === "number" ? String(value) : value;
    return typeof given === "string" && given !== "" ? given : undefined;
  };
  return { step: text(raw.step), compare: text(raw.compare) };
}
