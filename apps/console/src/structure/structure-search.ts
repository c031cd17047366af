import { textParameter } from "../shell/text-parameter.ts";

/** The state of the list of schemas, as its address has it. */
interface StructureSearch {
  readonly schema: string | undefined;
  readonly search: string | undefined;
}

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readStructureSearch(raw: Readonly<Record<string, unknown>>): StructureSearch {
  return { schema: textParameter(raw.schema), search: textParameter(raw.search) };
}

/** The state of the map, as its address has it. */
export interface MapSearch {
  readonly schema: string | undefined;
  /** Undefined for the drawing. */
  readonly view: "list" | undefined;
}

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readMapSearch(raw: Readonly<Record<string, unknown>>): MapSearch {
  return { schema: textParameter(raw.schema), view: raw.view === "list" ? "list" : undefined };
}

/** The parts of a table's page. */
export const tableTabs = ["columns", "presentation", "keys", "indexes", "checks"] as const;

export type TableTab = (typeof tableTabs)[number];

/** Reads the parameters of an address. */
export function readTableSearch(raw: Readonly<Record<string, unknown>>): {
  readonly tab: TableTab | undefined;
} {
  return { tab: tableTabs.find((one) => one === raw.tab) };
}
