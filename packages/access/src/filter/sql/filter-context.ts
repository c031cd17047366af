import type { ColumnType } from "@rowhouse/db";
import type { ErrorCode } from "@rowhouse/errors";
import type { Variable } from "../language/filter.ts";
import type { SlotBinding } from "./bind-slot.ts";
import type { ComparedField } from "./compare-fields.ts";

export interface FieldSql<Field = string> {
  /** The column, qualified with its table. */
  readonly sql: string;
  readonly type: ColumnType;
  /**
   * An SQL condition on the row under which the field is visible to the caller; null if it is visible in every row
   * that the caller may see.
   */
  readonly visibleSql: string | null;
  /**
   * For a field of a related row: converts a condition on that row to one on the current row.
   *
   * @param positive whether the condition is not negated; "unknown" and "false" are equivalent then, and the planner
   * may convert it to a join
   */
  readonly relate?: (conditionSql: string, positive: boolean) => string;
  /** Whether the field's value is computed on reading and the computation may fail. */
  readonly raises: boolean;
  /** Wraps a condition that may fail, so that it runs only on rows that the caller may see. */
  readonly guard: (conditionSql: string) => string;
  /**
   * SQL for another field in a condition on this one: null if it is not visible in the row. Undefined if its path crosses
   * a to-many relation that the path of this field does not cross.
   */
  readonly beside: (other: Field) => ComparedField | undefined;
}

export interface RelationSql<Field = string, Relation = string> {
  /** The context in which conditions on the related rows are compiled. */
  readonly inner: CompileFilterContext<Field, Relation>;
  /** SQL that is true if a related row that the caller may see satisfies the condition. */
  readonly exists: (conditionSql: string) => string;
  /** SQL of the number of related rows that the caller may see and that satisfy the condition. */
  readonly count: (conditionSql: string) => string;
}

/** The SQL of the fields and relations of a filter, and its parameters. */
export interface CompileFilterContext<Field = string, Relation = string> extends ParameterContext {
  readonly field: (field: Field) => FieldSql<Field>;
  readonly relation: (relation: Relation) => RelationSql<Field, Relation>;
}

/** The parameters of a statement, for the operands of a filter. */
export interface ParameterContext {
  /** Adds the parameter of a slot, with the type from `slotType`. */
  readonly placeSlot: (binding: SlotBinding) => string;
  /** An SQL expression for a variable; `type` is the type that it is compared with. */
  readonly placeVariable: (variable: Variable, type: ColumnType) => string;
  /** SQL of the name of the time zone in which days begin and end. */
  readonly timeZoneSql: () => string;
  /** The error code of an operator that does not fit its field. */
  readonly code: Extract<ErrorCode, "QUERY_INVALID" | "BODY_INVALID">;
}
