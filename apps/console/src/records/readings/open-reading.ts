import type { AppOperations, OpenDataView } from "@rowhouse/client";
import type { Received } from "../../shell/client.ts";

/** Rows that the App API has read: of a DataView, or those behind a mark of a dashboard. */
export type OpenReading = Omit<
  Received<OpenDataView>,
  "id" | "name" | "description" | "icon" | "groups" | "presets"
>;

/** A field of a reading. */
export type ReadingField = OpenReading["fields"][number];

type Answers = AppOperations[keyof AppOperations]["answer"];
type Meta = Extract<Answers, { data: OpenDataView; meta: unknown }>["meta"];

/** The answer of a reading. */
export interface ReadingAnswer<Reading extends OpenReading = OpenReading> {
  readonly data: Reading;
  readonly meta?: Partial<Received<Meta>> | undefined;
}

/** The part of a reading that its reader asks for. */
export interface ReadingQuery {
  readonly limit?: number;
  readonly cursor?: string;
  readonly search?: string;
  readonly count?: "exact";
  readonly where?: Readonly<Record<string, unknown>>;
  readonly order_by?: string;
  readonly fields?: string;
  readonly summaries?: boolean;
}

/** Reads a page of rows. */
export type ReadRows<
  Query extends ReadingQuery = ReadingQuery,
  Reading extends OpenReading = OpenReading,
> = (query: Query, signal: AbortSignal) => Promise<ReadingAnswer<Reading>>;
