import type { Filter, Slot } from "@rowhouse/access";
import type { Settings } from "@rowhouse/settings";
import type { AggregateTerm, FieldTerm, GroupTerm, OrderTerm } from "./terms.ts";

/** The relation that a path names, not yet resolved. */
export interface Target {
  readonly schema: string;
  readonly name: string;
  /** `ANY`: a request without a URL, which has no kind of resource. */
  readonly kind: "TABLE" | "VIEW" | "ANY";
}

/** A position in an ordered list: the order values of the last row before it, as text. */
export type CursorValues = readonly (string | null)[];

/** How a row shows a to-many relation's rows, or groups of them: `deep[trips][limit]=5`. */
export interface DeepRequest {
  readonly where: Filter | null;
  /** Of groups, an order by their results. */
  readonly order: readonly OrderTerm[];
  /** Maximum number of rows or groups; null for all. */
  readonly limit: number | null;
  readonly offset: number;
  /** Whether the list has the cursor of its next page. */
  readonly isPaged: boolean;
  /** The cursor as sent; null for the first page. */
  readonly cursor: string | null;
  /** The position of the cursor after verification. */
  readonly after: CursorValues | null;
  /** Groups the rows of which `fields` has numbers; empty for one group of all. */
  readonly groups: readonly GroupTerm[];
  readonly having: Filter | null;
}

/** Keyed by the path of the relation. */
export type DeepRequests = ReadonlyMap<string, DeepRequest>;

/** A parsed request with unresolved names: parsing uses strings and limits only. */
export type DataRequest =
  | ListRequest
  | AggregateRequest
  | ReadRequest
  | HistoryRequest
  | CreateRequest
  | UpdateRequest
  | DeleteRequest;

interface Request {
  readonly target: Target;
  /**
   * The request without its literals. Requests of one shape, in one snapshot and for the same roles, share one
   * compiled statement.
   */
  readonly shape: string;
  /** An IANA name from the header `X-Service-Timezone`. */
  readonly timeZone?: string;
  /** Undefined for a request that the service makes itself. */
  readonly origin?: RequestOrigin;
  /**
   * Whether the caller is in this process and takes the rows alone: to-many lists contain every row, beyond
   * `data.max_related_rows`, and a full page has no cursor. The limit of the response in bytes still applies.
   */
  readonly wholeLists?: boolean;
  /** Whether the rows of a write are read again before the commit, because later writes of its batch may change them. */
  readonly readAgain?: boolean;
}

/** The target of a URL of the Data API. */
export interface RowAddress {
  readonly target: Target;
  /** The id as sent, because its parts are decoded after splitting. Null for the relation itself. */
  readonly id: string | null;
}

/** The parts of an HTTP request, from which parsing creates a `DataRequest`. */
export interface RequestParts extends RowAddress {
  /** `QUERY` is a list or an aggregation with its parameters in the body, `HISTORY` the list of a row's changes. */
  readonly method: "GET" | "POST" | "PATCH" | "DELETE" | "QUERY" | "HISTORY";
  /** The query string as sent, without the question mark. */
  readonly query: string;
  /** The body's member `data`; undefined without a body. */
  readonly data?: unknown;
}

/** How a request arrived by HTTP. */
export interface RequestOrigin {
  readonly parts: RequestParts;
  readonly options: RequestOptions;
  /** The header `X-Service-Timezone`; null without it. */
  readonly timeZone: string | null;
  /** Bytes of the body, 0 without one. */
  readonly bodyBytes: number;
  /** The settings under which the request was parsed; under others the result may differ or be an error. */
  readonly settings: Settings;
  /** Whether the response reports the duration of each stage (`Server-Timing`), if the caller is an administrator. */
  readonly isTimed: boolean;
  /** Whether the caller has left; a read ends then. */
  readonly isAbandoned?: () => boolean;
}

export interface ListRequest extends Request {
  readonly kind: "LIST";
  /** Null for all fields that the caller may read. */
  readonly fields: readonly FieldTerm[] | null;
  readonly deep: DeepRequests;
  readonly where: Filter | null;
  readonly slots: readonly Slot[];
  readonly order: readonly OrderTerm[];
  /** Maximum number of rows. */
  readonly limit: number;
  /** Number of rows to skip. */
  readonly offset: number;
  readonly count: "exact" | "estimated" | null;
  /** The slot of the text to search for in every readable text column. */
  readonly search: number | null;
  /** The cursor as sent. */
  readonly cursor: string | null;
  /** Whether the response has the entity tag of each row. */
  readonly etags: boolean;
  /** The position of the cursor after verification; the list contains the rows after it. */
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
  /** Maximum number of groups. */
  readonly limit: number;
  readonly offset: number;
  readonly count: "exact" | "estimated" | null;
}

export interface ReadRequest extends Request {
  readonly kind: "READ";
  readonly id: readonly string[];
  readonly fields: readonly FieldTerm[] | null;
  readonly deep: DeepRequests;
  /** The literals of `deep`. */
  readonly slots: readonly Slot[];
}

/** `GET …/{id}/history`: the changes of one row, newest first. */
export interface HistoryRequest extends Request {
  readonly kind: "HISTORY";
  readonly id: readonly string[];
  /** Maximum number of entries. */
  readonly limit: number;
  /** The cursor as sent. */
  readonly cursor: string | null;
  /** The place of the last entry before this page; null for the first page. */
  readonly after: CursorValues | null;
}

/** `POST`: one row, or several in one transaction. */
export interface CreateRequest extends Request {
  readonly kind: "CREATE";
  readonly rows: readonly Values[];
  /** Rows that set the same fields, in the order of their first row; positions in `rows`. */
  readonly groups: readonly RowGroup[];
  /** Whether the body is a list; the response then is a list as well. */
  readonly isList: boolean;
  readonly conflict: OnConflict | null;
  readonly minimal: boolean;
}

export interface RowGroup {
  readonly fields: readonly string[];
  readonly positions: readonly number[];
}

/** The resolution for a row whose key exists: `?on_conflict=plate&resolution=merge`. */
export interface OnConflict {
  readonly fields: readonly string[];
  readonly resolution: "merge" | "ignore";
}

/** The row with a key, or the rows that match a filter. */
export type Selection =
  | {
      readonly by: "KEY";
      readonly id: readonly string[];
      /** The row must have one of these entity tags; null for any. */
      readonly ifMatch: readonly string[] | null;
    }
  | {
      readonly by: "FILTER";
      readonly where: Filter;
      readonly slots: readonly Slot[];
      /** If more rows match, the request fails and changes nothing. */
      readonly affectedMax: number;
    };

/**
 * A change of parts of a document: `{"$set": {"seats": 5}, "$unset": ["color"]}`, or `{"$value": …}`, which escapes a document
 * of this form. It contains no value, so that requests of one shape share a statement.
 */
export interface DocumentChange {
  /** Whether the new document is that of `$value`. */
  readonly isWhole: boolean;
  /** The path of each value of `$set`, in their order. */
  readonly sets: readonly (readonly string[])[];
  /** The paths of `$unset`. */
  readonly unsets: readonly (readonly string[])[];
  /** What is wrong with it; null for nothing. A column of another type than a document takes it as a plain value. */
  readonly fault: string | null;
}

export interface UpdateRequest extends Request {
  readonly kind: "UPDATE";
  readonly selection: Selection;
  readonly values: Values;
  /** The fields of `values` with the form of a change of a document. */
  readonly changes: ReadonlyMap<string, DocumentChange>;
  readonly minimal: boolean;
}

export interface DeleteRequest extends Request {
  readonly kind: "DELETE";
  readonly selection: Selection;
  /** Whether the response has the deleted rows. */
  readonly representation: boolean;
}

export type WriteRequest = CreateRequest | UpdateRequest | DeleteRequest;

export interface RequestOptions {
  /** True for `Prefer: etags`, on a list. */
  readonly etags: boolean;
  /** True for `Prefer: return=minimal`, on a write. */
  readonly minimal: boolean;
  /** True for `Prefer: return=representation`; only a DELETE has no rows in its response without it. */
  readonly representation: boolean;
  /** The entity tags of `If-Match`. */
  readonly ifMatch: readonly string[] | null;
}

/** The values of a body by field, as JSON with exact numbers. */
export type Values = ReadonlyMap<string, unknown>;

/** Returns the id by which a request names one row; null if it names none. */
export function rowIdOf(request: DataRequest): readonly string[] | null {
  if (request.kind === "READ" || request.kind === "HISTORY") return request.id;
  return "selection" in request && request.selection.by === "KEY" ? request.selection.id : null;
}

/**
 * Returns the value of a change in the body.
 *
 * @param index the position in `$set`; null for `$value`
 */
export function changedValue(
  written: unknown,
  index: number | null,
): { readonly value: unknown; readonly pointer: readonly string[] } {
  const { $set: set, $value: value } = written as {
    readonly $set?: object;
    readonly $value?: unknown;
  };
  if (index === null) return { value, pointer: ["$value"] };
  const [path = "", inner] = Object.entries(set ?? {})[index] ?? [];
  return { value: inner, pointer: ["$set", path] };
}
