import type { ManagedRecord } from "../../shell/managed.tsx";

/** A DataView or a dashboard, as lists show it. */
export interface ReadingEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly icon: string | null;
  /** Place in the navigation; entries of one place are in the order of their names. */
  readonly position: number;
  readonly roleIds: readonly string[];
  /** Of a DataView: its resource. */
  readonly resourceId: string | null;
  /** Of a dashboard: the number of its panels. */
  readonly panelCount: number | null;
  /** The fields of its filters whose columns mean something else than when it was saved. */
  readonly lost: readonly { readonly field: string }[];
}

type ReadingKind = "dataView" | "dashboard";

/** The requests of a list of DataViews or of dashboards. */
export interface ReadingApi {
  readonly kind: ReadingKind;
  /** Address of the list; those of its entries are below it. */
  readonly path: "/admin/data-views" | "/admin/dashboards";
  load(signal: AbortSignal): Promise<readonly ReadingEntry[]>;
  place(id: string, position: number): Promise<void>;
  /** Creates a copy without roles, and returns its id. */
  duplicate(id: string, name: string): Promise<string>;
  remove(id: string): Promise<void>;
}

/** Key of the list of all entries of a kind. */
export function readingsKey(kind: ReadingKind): readonly string[] {
  return ["readings", kind];
}

/** The entry of a name among the records that can be kept in files. */
export function managedReading({ kind }: ReadingApi, name: string): ManagedRecord {
  return { part: kind === "dataView" ? "data-views" : "dashboards", names: [name] };
}
