import type { Column } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { OrderTerm } from "../parse/request.ts";
import { type PathOptions, resolveToOne } from "./resolve-path.ts";
import type { Visible, VisibleEdge, VisibleField } from "./visible.ts";

/** A field that sorts rows. */
export interface SortKey {
  /** To-one relations from the relation itself to that of the field. */
  readonly edges: readonly VisibleEdge[];
  readonly column: Column;
  /** The visibility of the column; null for a column of the key as a tie-breaker, which the principal may not read. */
  readonly field: VisibleField | null;
  readonly descending: boolean;
  readonly nulls: "FIRST" | "LAST" | null;
}

/**
 * Resolves the requested order and adds the columns of the key as tie-breakers, so that pages do not overlap.
 *
 * @throws AppError FIELD_UNKNOWN, QUERY_INVALID for a field that rows cannot be ordered by
 */
export function sortKeys(
  order: readonly OrderTerm[],
  visible: Visible,
  options: PathOptions,
): readonly SortKey[] {
  const keys = order.map(({ field: name, descending, nulls }): SortKey => {
    const path = resolveToOne(visible, name, options);
    if (path === undefined || !path.field.column.type.ordered) {
      const message = `Rows cannot be ordered by ${name}`;
      throw createError("QUERY_INVALID", { path: options.parameter, message });
    }
    const { edges, field } = path;
    return { edges, column: field.column, field, descending, nulls };
  });
  const { relation } = visible;
  // A key column that is visible only in some rows does not distinguish the others, so it is added as well.
  const named = new Set(keys.filter(isOfEveryRow).map(({ column }) => column.name));
  for (const name of relation.primaryKey) {
    const column = relation.columnByName(name);
    if (column === undefined || named.has(name)) continue;
    keys.push({ edges: [], column, field: null, descending: false, nulls: null });
  }
  return keys;
}

/** Whether a sort key is a column of the relation itself whose value counts in every row. */
export function isOfEveryRow({ edges, field }: SortKey): boolean {
  return edges.length === 0 && (field === null || field.rows === null);
}
