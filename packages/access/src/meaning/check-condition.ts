import { builtInType, type Catalogue, type Column, type Relation } from "@rowhouse/db";
import type { Condition } from "../filter/language/filter.ts";
import type { SlotBinding } from "../filter/sql/bind-slot.ts";
import type { ComparedField } from "../filter/sql/compare-fields.ts";
import { compileFilter } from "../filter/sql/compile-filter.ts";
import { resolveGrantPath, sharedEdges } from "./grant-path.ts";

/** The literals of a condition, with the types that they are compared as. */
export interface ConditionLiterals {
  readonly bindings: readonly SlotBinding[];
  /** Those that are regular expressions. */
  readonly regular: ReadonlySet<SlotBinding>;
}

/**
 * Checks whether the operator of a condition fits its column.
 *
 * @throws AppError BODY_INVALID at the path of the condition
 */
export function checkCondition(
  catalogue: Catalogue,
  relation: Relation,
  condition: Condition,
  column: Column,
): ConditionLiterals {
  const bindings: SlotBinding[] = [];
  const regular = new Set<SlotBinding>();
  // Only the checks of the compiler matter here, not its SQL.
  compileFilter(condition, {
    field: () => ({
      sql: "x",
      type: column.type,
      visibleSql: null,
      raises: false,
      guard: (sql) => sql,
      beside: (other) => fieldBeside(catalogue, relation, condition.field, other),
    }),
    relation: () => {
      throw new TypeError("A condition has no relation of its own");
    },
    placeSlot: (binding) => {
      bindings.push(binding);
      if (condition.operator.endsWith("regex")) regular.add(binding);
      return "x";
    },
    placeVariable: () => "x",
    timeZoneSql: () => "x",
    code: "BODY_INVALID",
  });
  return { bindings, regular };
}

function fieldBeside(
  catalogue: Catalogue,
  relation: Relation,
  name: string,
  other: string,
): ComparedField | undefined {
  const [own, found] = [name, other].map((path) => resolveGrantPath(catalogue, relation, path));
  // A missing column has its own fault.
  if (own === undefined || found === undefined) return { sql: "x", type: builtInType("text") };
  const rest = found.edges.slice(sharedEdges(own.edges, found.edges));
  if (rest.some(({ kind }) => kind === "MANY")) return undefined;
  return { sql: "x", type: found.column.type };
}
