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

/** A parameter with the value that the panels were read with. */
export interface OpenParameter {
  readonly name: string;
  readonly label: string;
  readonly kind: "PERIOD" | "VALUE" | "PERSON";
  readonly multiple?: boolean | undefined;
  readonly value: unknown;
  /** Of a period: its days, where `until` is the first day behind it. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** A dashboard with the content of its panels, as a person may see it. */
export interface OpenDashboard {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly icon?: string | null | undefined;
  readonly refreshSeconds?: number | null | undefined;
  /** IANA name of the zone in which times are cut into buckets. */
  readonly timeZone: string;
  readonly parameters: readonly OpenParameter[];
  readonly panels: readonly OpenPanel[];
}

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
