import type { NavigationColumn } from "../../shell/navigation.ts";
import type { Row } from "../model/resource.ts";
import type { Presentation } from "./presentation.ts";

/** A field of a reading, as the App API describes it. */
export type ReadingField = Pick<
  NavigationColumn,
  "name" | "dataType" | "values" | "label" | "format" | "colors"
> & {
  /** Of a field that refers to other rows: their titles by the text of its values in the answer's rows. */
  readonly titles?: Readonly<Record<string, string>> | undefined;
};

/** Rows that the App API has read: of a DataView, or those behind a mark of a dashboard. */
export interface OpenReading {
  readonly resource: {
    readonly id: string;
    readonly schema: string;
    readonly name: string;
    readonly kind: "TABLE" | "VIEW";
    readonly label: string | null;
  };
  readonly presentation: Presentation & { readonly degraded?: boolean | undefined };
  readonly fields: readonly ReadingField[];
  readonly rows: readonly Row[];
  readonly orderBy: readonly string[];
  /** Of whole columns, if the request asked for them. */
  readonly summaries?: Readonly<Record<string, unknown>> | undefined;
}

/** The answer of a reading. */
export interface ReadingAnswer<Reading extends OpenReading = OpenReading> {
  readonly data: Reading;
  readonly meta?:
    | {
        readonly nextCursor?: string | null | undefined;
        readonly count?: number | undefined;
        /** The tag of each row, for `If-Match`. */
        readonly etags?: readonly string[] | undefined;
        /** When the service read the rows. */
        readonly asOf?: string | undefined;
      }
    | undefined;
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
