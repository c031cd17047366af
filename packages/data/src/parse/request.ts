import type { Filter, Slot } from "@rowhouse/access";
import type { Settings } from "@rowhouse/settings";
import type { AggregateTerm, GroupTerm } from "./parse-aggregate.ts";

/** The relation that a path names, before anything is known of it. */
export interface Target {
  readonly schema: string;
  readonly name: string;
  readonly kind: "TABLE" | "VIEW";
}

/** A place in an ordered list: the values, as text, that its last row is ordered by. */
export type CursorValues = readonly (string | null)[];

export interface OrderTerm {
  readonly field: string;
  readonly descending: boolean;
  readonly nulls: "FIRST" | "LAST" | null;
}

/** How the rows of a to-many relation are chosen: `deep[trips][limit]=5`. */
export interface DeepRequest {
  readonly where: Filter | null;
  readonly order: readonly OrderTerm[];
  /** Rows at most; null for all. */
  readonly limit: number | null;
}

/** By the path of the relation. */
export type Deep = ReadonlyMap<string, DeepRequest>;

/** What a request asks for, in its own words: stage 1 of the pipeline knows strings and limits only. */
export type DataRequest =
  | ListRequest
  | AggregateRequest
  | ReadRequest
  | CreateRequest
  | UpdateRequest
  | DeleteRequest;

interface Request {
  readonly target: Target;
  /**
   * All of the request but its literals. Requests of one shape, in one snapshot and for the same roles, share one
   * compiled statement.
   */
  readonly shape: string;
  /** An IANA name: the `X-Service-Timezone` header (spec §5.12). */
  readonly timeZone?: string;
  /** Under which settings it was read; under others it may be another request, or none. */
  readonly readUnder?: ReadUnder;
  /** Whether the answer is to say how long each stage took (`Server-Timing`), if its caller is an administrator. */
  readonly isTimed?: boolean;
  /** Aborts when the caller leaves; a read ends then. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReadUnder {
  readonly settings: Settings;
  /** @throws AppError of the contract, where these settings do not allow the request */
  again(settings: Settings): DataRequest;
}

export interface ListRequest extends Request {
  readonly kind: "LIST";
  /** Null for all that the caller may read. */
  readonly fields: readonly string[] | null;
  readonly deep: Deep;
  readonly where: Filter | null;
  readonly slots: readonly Slot[];
  readonly order: readonly OrderTerm[];
  /** Rows at most. */
  readonly limit: number;
  /** Rows to pass over. */
  readonly offset: number;
  readonly count: "exact" | "estimated" | null;
  /** The slot of the text that is sought in every readable text column. */
  readonly search: number | null;
  /** As it was sent. */
  readonly cursor: string | null;
  /** The place of the cursor, once its signature was checked: rows after it are asked for. */
  readonly after: CursorValues | null;
}

export interface AggregateRequest extends Request {
  readonly kind: "AGGREGATE";
  readonly aggregates: readonly AggregateTerm[];
  readonly groups: readonly GroupTerm[];
  readonly where: Filter | null;
  readonly search: number | null;
  readonly having: Filter | null;
  readonly slots: readonly Slot[];
  readonly order: readonly OrderTerm[];
  /** Groups at most. */
  readonly limit: number;
  readonly offset: number;
  readonly count: "exact" | "estimated" | null;
}

export interface ReadRequest extends Request {
  readonly kind: "READ";
  readonly id: readonly string[];
  readonly fields: readonly string[] | null;
  readonly deep: Deep;
  /** The literals of `deep`. */
  readonly slots: readonly Slot[];
}

/** `POST`: one row, or several that are created together or not at all. */
export interface CreateRequest extends Request {
  readonly kind: "CREATE";
  readonly rows: readonly Values[];
  /** Rows that set the same fields, in the order of their first row; positions in `rows`. */
  readonly groups: readonly RowGroup[];
  /** Whether a list was sent, and so a list is answered. */
  readonly isList: boolean;
  readonly conflict: Conflict | null;
  readonly minimal: boolean;
}

export interface RowGroup {
  readonly fields: readonly string[];
  readonly positions: readonly number[];
}

/** What is done about a row whose key exists: `?on_conflict=plate&resolution=merge`. */
export interface Conflict {
  readonly fields: readonly string[];
  readonly resolution: "merge" | "ignore";
}

/** The row with a key, or the rows that match a filter. */
export type Selection =
  | {
      readonly by: "KEY";
      readonly id: readonly string[];
      /** The entity tags of which the row must have one; null for any. */
      readonly ifMatch: readonly string[] | null;
    }
  | {
      readonly by: "FILTER";
      readonly where: Filter;
      readonly slots: readonly Slot[];
      /** More matching rows than this are an error, and nothing changes. */
      readonly affectedMax: number;
    };

export interface UpdateRequest extends Request {
  readonly kind: "UPDATE";
  readonly selection: Selection;
  readonly values: Values;
  readonly minimal: boolean;
}

export interface DeleteRequest extends Request {
  readonly kind: "DELETE";
  readonly selection: Selection;
}

/** What a header or a parameter asks of a write beside its body. */
export interface WriteOptions {
  /** `Prefer: return=minimal`. */
  readonly minimal: boolean;
  /** `If-Match`, taken apart. */
  readonly ifMatch: readonly string[] | null;
}

/** What a body sets, by field, as JSON with exact numbers. */
export type Values = ReadonlyMap<string, unknown>;
