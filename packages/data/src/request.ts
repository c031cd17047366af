import type { Filter, Slot } from "@rowhouse/access";
import type { CursorValues } from "./cursor.ts";
import type { AggregateTerm, GroupTerm } from "./parse-aggregate.ts";

/** The relation that a path names, before anything is known of it. */
export interface Target {
  readonly schema: string;
  readonly name: string;
  readonly kind: "TABLE" | "VIEW";
}

export interface OrderTerm {
  readonly field: string;
  readonly descending: boolean;
  readonly nulls: "FIRST" | "LAST" | null;
}

/** How the rows of a to-many relation are chosen: `deep[trips][limit]=5`. */
export interface DeepRequest {
  readonly where: Filter | null;
  readonly order: readonly OrderTerm[];
  /** Rows at most. */
  readonly limit: number;
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

export interface CreateRequest extends Request {
  readonly kind: "CREATE";
  readonly values: Values;
}

export interface UpdateRequest extends Request {
  readonly kind: "UPDATE";
  readonly id: readonly string[];
  readonly values: Values;
}

export interface DeleteRequest extends Request {
  readonly kind: "DELETE";
  readonly id: readonly string[];
}

/** What a body sets, by field, as JSON with exact numbers. */
export type Values = ReadonlyMap<string, unknown>;
