import type { Expression } from "../parse/expression.ts";
import type { AggregateFunction } from "../parse/parse-aggregate.ts";
import type { FieldPath } from "./resolve-path.ts";

/** A function over the values of a field in several rows. */
export interface AggregateResult {
  readonly name: string;
  readonly apply: AggregateFunction;
  /** Null for the number of rows, and for an expression. */
  readonly path: FieldPath | null;
  /** Computes the value of each row. */
  readonly expression: Expression<FieldPath> | null;
}
