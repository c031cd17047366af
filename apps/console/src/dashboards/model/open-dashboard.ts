import type { OpenDashboard as OpenDashboardOfClient } from "@rowhouse/client";
import type { Received } from "../../shell/client.ts";
import type { OpenPanel } from "./open-panel.ts";

/** The periods that have a name; weeks begin on Monday, and the last days include today. */
export const namedPeriods = [
  ...(["TODAY", "YESTERDAY", "LAST_7_DAYS", "LAST_30_DAYS", "LAST_90_DAYS"] as const),
  ...(["LAST_12_MONTHS", "THIS_WEEK", "THIS_MONTH", "LAST_MONTH", "THIS_QUARTER"] as const),
  ...(["THIS_YEAR", "LAST_YEAR"] as const),
] as const;

export type NamedPeriod = (typeof namedPeriods)[number];

/** The values of the parameters, as a link has them; null for one that does not filter. */
export type ParameterValues = Readonly<Record<string, unknown>>;

type Answer = Received<OpenDashboardOfClient>;

/** A dashboard with the content of its panels, as a person may see it. */
export type OpenDashboard = Omit<Answer, "panels"> & { readonly panels: readonly OpenPanel[] };

/** A parameter with the value that the panels were read with. */
export type OpenParameter = Answer["parameters"][number];

/** The value of a parameter: the one in the address, which precedes that of the last response. */
export function presentValue({ name, value }: OpenParameter, chosen: ParameterValues): unknown {
  return Object.hasOwn(chosen, name) ? chosen[name] : value;
}

/** The state of an open dashboard in its address. */
interface DashboardSearch {
  readonly parameters: ParameterValues | undefined;
}

/** Reads the address of a dashboard. Parts of another form are left out. */
export function readDashboardSearch(raw: Readonly<Record<string, unknown>>): DashboardSearch {
  return { parameters: readRecord(raw.parameters) };
}

/** Reads an object of an address; undefined for anything else, and for one without members. */
export function readRecord(value: unknown): ParameterValues | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.keys(value).length === 0 ? undefined : (value as ParameterValues);
}
