import type {
  OpenReading,
  ReadingAnswer,
  ReadingQuery,
  ReadRows,
} from "../../records/readings/open-reading.ts";

/** A column of a kanban. */
export interface ViewGroup {
  readonly value?: unknown;
  /** The text of the related row; null for a value that says it itself. */
  readonly label: string | null;
  readonly count: number;
  /** Whether this person surely cannot move a card into it. */
  readonly closed: boolean;
}

/** A DataView with rows, as the App API opens it. */
export interface OpenDataView extends OpenReading {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly icon?: string | null | undefined;
  readonly groups?: readonly ViewGroup[] | undefined;
  /** Of a form: the columns that the system sets. */
  readonly presets?:
    | { readonly create: readonly string[]; readonly update: readonly string[] }
    | undefined;
}

/** The answer of a DataView. */
export type ViewAnswer = ReadingAnswer<OpenDataView>;

/** The part of a DataView that its reader asks for. */
export interface ViewQuery extends ReadingQuery {
  /** Of a calendar: rows that end after it. */
  readonly from?: string;
  /** Of a calendar: rows that start before it. */
  readonly to?: string;
  /** Of a kanban: one value of its group. */
  readonly group?: unknown;
}

/** Where the rows of a DataView come from: the App API, or a preview of the administration. */
export interface ViewSource {
  /** Differs between two DataViews, and between two states of one that is being built. */
  readonly key: string;
  /** Whether the rows are those of a preview, which nobody changes. */
  readonly isPreview: boolean;
  readonly read: ReadRows<ViewQuery, OpenDataView>;
}
