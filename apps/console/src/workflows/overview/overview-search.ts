/** What the address of the list of workflows has. */
export interface OverviewSearch {
  readonly search?: string | undefined;
  /** The period of the counts. */
  readonly hours?: number | undefined;
}

/** Reads the parameters of an address. The service takes 1 to 720 hours. */
export function readOverviewSearch({
  search,
  hours,
}: Readonly<Record<string, unknown>>): OverviewSearch {
  const isPeriod = Number.isInteger(hours) && Number(hours) >= 1 && Number(hours) <= 720;
  return {
    search: typeof search === "string" && search !== "" ? search : undefined,
    hours: isPeriod ? Number(hours) : undefined,
  };
}
