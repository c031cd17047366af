/** The parts of a table's page. */
export const tableTabs = ["columns", "presentation", "keys", "indexes", "checks"] as const;

export type TableTab = (typeof tableTabs)[number];

/** Reads the parameters of an address. */
export function readTableSearch(raw: Readonly<Record<string, unknown>>): {
  readonly tab: TableTab | undefined;
} {
  return { tab: tableTabs.find((one) => one === raw.tab) };
}
