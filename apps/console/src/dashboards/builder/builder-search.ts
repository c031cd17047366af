/** What the builder shows, as the address has it. */
export interface BuilderSearch {
  /** Id of the panel that is set up. */
  readonly panel?: string | undefined;
  /** What is set up in place of a panel. */
  readonly pane?: "board" | "parameters" | undefined;
  /** Whose rights the preview has; oneself by default. */
  readonly as?: string | undefined;
}

/** Reads the parameters of an address. */
export function readBuilderSearch({
  panel,
  pane,
  as,
}: Readonly<Record<string, unknown>>): BuilderSearch {
  return {
    panel: typeof panel === "string" ? panel : undefined,
    pane: pane === "board" || pane === "parameters" ? pane : undefined,
    as: typeof as === "string" ? as : undefined,
  };
}
