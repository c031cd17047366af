import type { EffectiveGrant, Filter, Preset } from "@rowhouse/access";
import type { Column, Relation, UniqueKey } from "@rowhouse/db";
import type { DocumentChange, OnConflict } from "../parse/request.ts";
import type { AggregateResult, GroupResult, ResultOrder } from "./aggregates.ts";
import type { Projection } from "./projection.ts";
import type { VisibleFilter } from "./resolve-path.ts";
import type { SortKey } from "./sort-keys.ts";
import type { Visible, VisibleField } from "./visible.ts";

declare const authorized: unique symbol;

/**
 * A request with the rights of one principal: every name is replaced by a field, relation or column that the principal
 * may use for its purpose. It contains no literal of the request. Only `authorizePlan` creates it, and the SQL compiler
 * accepts nothing else.
 */
export type AuthorizedPlan =
  | AuthorizedList
  | AuthorizedAggregate
  | AuthorizedRead
  | AuthorizedHistory
  | AuthorizedCreate
  | AuthorizedUpdate
  | AuthorizedDelete;

/** The parts of every authorized plan. */
export interface Authorized {
  readonly [authorized]: true;
  readonly relation: Relation;
  readonly read: Visible;
  /** The grants for the plan's own action; empty for a read. */
  readonly write: readonly EffectiveGrant[];
  /** Rows of a to-many list for which the request gives no limit; null for all. */
  readonly relatedRowsMax: number | null;
}

export interface RowConditions {
  readonly where: VisibleFilter | null;
  /** The slot of the text to search for in every readable text column. */
  readonly search: number | null;
}

export interface AuthorizedList extends Authorized, RowConditions {
  readonly kind: "LIST";
  readonly projection: Projection;
  /** The paths of the requested members in their order, for a format with columns; null for every field. */
  readonly paths: readonly string[] | null;
  /** The requested order, with the columns of the key as tie-breakers. */
  readonly order: readonly SortKey[];
  readonly limit: number;
  readonly hasOffset: boolean;
  readonly count: "exact" | "estimated" | null;
  /** Whether the response has the entity tag of each row. */
  readonly etags: boolean;
  /** For each value of the cursor, whether it is null; as many as `order`. Null without a cursor. */
  readonly after: readonly boolean[] | null;
}

export interface AuthorizedAggregate extends Authorized, RowConditions {
  readonly kind: "AGGREGATE";
  readonly groups: readonly GroupResult[];
  readonly aggregates: readonly AggregateResult[];
  /** Its fields are positions in `groups`, followed by `aggregates`. */
  readonly having: Filter<number, never> | null;
  readonly order: readonly ResultOrder[];
  readonly limit: number;
  readonly hasOffset: boolean;
  readonly count: "exact" | "estimated" | null;
}

export interface AuthorizedRead extends Authorized {
  readonly kind: "READ";
  readonly projection: Projection;
  /** Whether the request names no fields, so that the response is the whole row. */
  readonly isWhole: boolean;
  readonly key: readonly Column[];
}

export interface AuthorizedHistory extends Authorized {
  readonly kind: "HISTORY";
  readonly key: readonly Column[];
  readonly limit: number;
  /** Whether the page continues another one. */
  readonly isContinued: boolean;
  /** `system.users`, if the caller may read names in it. */
  readonly people: Visible | null;
}

/** A column that a request writes. */
export interface WrittenColumn {
  readonly column: Column;
  /** The grants under which the caller may set it. */
  readonly grants: readonly EffectiveGrant[];
  /** The change of its document, instead of a new value. */
  readonly change?: {
    readonly parts: DocumentChange;
    /** Null only if the change depends on no old value. */
    readonly field: VisibleField | null;
  };
}

/** A column that grants set, because the request does not. */
export interface PresetColumn {
  readonly column: Column;
  readonly choices: readonly { readonly grant: EffectiveGrant; readonly preset: Preset }[];
}

export interface WrittenColumns {
  readonly sent: readonly WrittenColumn[];
  readonly presets: readonly PresetColumn[];
}

/**
 * The columns of the key by which the rows of a write are read again, because code of the database may change them after
 * RETURNING has shown them; null if the response has the rows of RETURNING.
 */
type KeyOfChangedRow = readonly Column[] | null;

export interface AuthorizedCreate extends Authorized {
  readonly kind: "CREATE";
  readonly projection: Projection;
  /** The rows of a group set the same fields. */
  readonly groups: readonly CreateGroup[];
  readonly isList: boolean;
  readonly conflict: (OnConflict & Pick<UniqueKey, "predicate">) | null;
  /** The UPDATE grants under which a create may merge into an existing row. */
  readonly merge: readonly EffectiveGrant[];
  readonly minimal: boolean;
  readonly again: KeyOfChangedRow;
}

export interface CreateGroup extends WrittenColumns {
  /** The columns that a merge changes in a row whose key exists, under the UPDATE grants. */
  readonly merged: WrittenColumns;
}

/** The rows that an update or delete selects: by key or by filter. */
export type AuthorizedSelection =
  | { readonly by: "KEY"; readonly key: readonly Column[]; readonly ifMatch: boolean }
  | { readonly by: "FILTER"; readonly where: VisibleFilter; readonly affectedMax: number };

export interface AuthorizedUpdate extends Authorized, WrittenColumns {
  readonly kind: "UPDATE";
  readonly projection: Projection;
  readonly selection: AuthorizedSelection;
  readonly minimal: boolean;
  readonly again: KeyOfChangedRow;
}

export interface AuthorizedDelete extends Authorized {
  readonly kind: "DELETE";
  /** The fields of the deleted rows in the response; null without them. */
  readonly projection: Projection | null;
  readonly selection: AuthorizedSelection;
}
