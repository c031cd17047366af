import { createHash } from "node:crypto";
import { type Condition, plainPath } from "@rowhouse/access";
import type { Column, Edge } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import type { OrderTerm } from "../parse/terms.ts";
import { type ChildNumber, resolveNumber } from "./aggregates.ts";
import {
  type FieldPath,
  type PathOptions,
  resolveToOneValue,
  type VisibleFilter,
} from "./resolve-path.ts";
import type { Visible, VisibleEdge, VisibleField } from "./visible.ts";

export type SortKey = FieldKey | NumberKey | RankKey;

interface FieldKey extends Direction {
  readonly kind: "FIELD";
  /** To-one relations from the relation itself to that of the field. */
  readonly edges: readonly VisibleEdge[];
  readonly column: Column;
  /** The visibility of the column; null for a column of the key as a tie-breaker, which the principal may not read. */
  readonly field: VisibleField | null;
  /** The keys that lead to a value inside the field's document; undefined for the field itself. */
  readonly inside?: readonly string[];
}

/** A number of related rows that sorts rows: `trips.count`. */
interface NumberKey extends Direction {
  readonly kind: "NUMBER";
  readonly number: ChildNumber;
}

/** How well a row matches the full-text search of the request: `_rank`. */
interface RankKey extends Direction {
  readonly kind: "RANK";
  readonly search: Condition<FieldPath>;
}

interface Direction {
  readonly descending: boolean;
  readonly nulls: "FIRST" | "LAST" | null;
}

/**
 * Resolves the requested order and adds the columns of the key as tie-breakers, so that pages do not overlap.
 *
 * @param where the filter of the rows, whose search gives their rank; undefined for rows that have no rank
 * @throws AppError FIELD_UNKNOWN, QUERY_INVALID for a field that rows cannot be ordered by
 */
export function sortKeys(
  order: readonly OrderTerm[],
  visible: Visible,
  options: PathOptions,
  where?: VisibleFilter | null,
): readonly SortKey[] {
  const keys = order.map(({ field: name, descending, nulls, mayBeRank }): SortKey => {
    const direction = { descending, nulls };
    if (mayBeRank && visible.fieldByName(name) === undefined) {
      return { ...direction, kind: "RANK", search: rankedSearch(where, options.parameter) };
    }
    const path = resolveSorted(visible, name, options);
    if (path !== undefined && "result" in path) {
      return { ...direction, kind: "NUMBER", number: path };
    }
    if (path === undefined) throw unordered(name, options);
    const { edges, field, inside } = path;
    const key = { ...direction, kind: "FIELD", edges, column: field.column, field } as const;
    if (inside !== undefined) return { ...key, inside };
    if (!field.column.type.ordered) throw unordered(name, options);
    return key;
  });
  const { relation } = visible;
  // A key column that is visible only in some rows does not distinguish the others, so it is added as well.
  const named = new Set(
    keys.flatMap((key) => (key.kind === "FIELD" && isOfEveryRow(key) ? [key.column.name] : [])),
  );
  for (const name of relation.primaryKey) {
    const column = relation.columnByName(name);
    if (column === undefined || named.has(name)) continue;
    const last = { edges: [], column, field: null, descending: false, nulls: null };
    keys.push({ ...last, kind: "FIELD" });
  }
  return keys;
}

/** Resolves a to-one path, a path into a document, or a path to a number of related rows; undefined for a path to a field of many rows. */
function resolveSorted(
  visible: Visible,
  name: string,
  options: PathOptions,
): FieldPath | ChildNumber | undefined {
  try {
    return resolveToOneValue(visible, name, options);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "FIELD_UNKNOWN") throw error;
    const number = resolveNumber(visible, name, options);
    if (number === undefined) throw error;
    if (!isGrouped(number)) throw unordered(name, options);
    return number;
  }
}

/** Whether the rows that the number is computed from can be grouped by the columns that refer to one row. */
function isGrouped({ edges }: ChildNumber): boolean {
  const last = edges.at(-1)?.edge;
  return (
    last !== undefined &&
    edges.slice(0, -1).every(({ edge }) => edge.kind === "ONE") &&
    // Texts that differ may be equal in the other table's collation, and would be groups of one row.
    referringColumns(last).every((column) => column?.type.folds === false)
  );
}

/** The columns that refer to a row, and those by which a junction that may repeat itself refers to the other one. */
function referringColumns(edge: Edge): (Column | undefined)[] {
  if (edge.foreignKey !== "JUNCTION") {
    return edge.columns.map(([, name]) => edge.target.columnByName(name));
  }
  const { junction, target, near, far, isDistinct } = edge;
  return [
    ...near.map(([, name]) => junction.columnByName(name)),
    ...(isDistinct ? [] : far).flatMap(([own, other]) => [
      junction.columnByName(own),
      target.columnByName(other),
    ]),
  ];
}

function unordered(name: string, { parameter }: PathOptions): AppError {
  return createError("QUERY_INVALID", {
    path: parameter,
    message: `Rows cannot be ordered by ${plainPath(name)}`,
  });
}

/** Whether a sort key is a whole column of the relation itself whose value counts in every row. */
export function isOfEveryRow({ edges, field, inside }: FieldKey): boolean {
  return edges.length === 0 && inside === undefined && (field === null || field.rows === null);
}

/**
 * Returns the condition whose rank orders the rows that a filter selects: its only full-text search.
 *
 * @param where undefined for rows that have no rank
 * @param parameter the request parameter that orders the rows
 * @throws AppError QUERY_INVALID if there is not exactly one, or if it is a condition on many rows
 */
function rankedSearch(
  where: VisibleFilter | null | undefined,
  parameter: string,
): Condition<FieldPath> {
  const invalid = (message: string) => createError("QUERY_INVALID", { path: parameter, message });
  if (where === undefined) throw invalid("_rank orders only the rows of a list");
  const [found, ...others] = where === null ? [] : [...searchesIn(where, true)];
  if (found === undefined || others.length > 0) {
    throw invalid("_rank requires exactly one _search in where");
  }
  const { condition, isOfRow } = found;
  if (isOfRow && condition.field.edges.every(({ edge }) => edge.kind === "ONE")) return condition;
  throw invalid("_rank requires a _search in a field of the row, or of a row that it refers to");
}

interface Found {
  readonly condition: Condition<FieldPath>;
  /** Whether the condition is on the row itself, and not on the rows of a quantifier or a count. */
  readonly isOfRow: boolean;
}

function* searchesIn(filter: VisibleFilter, isOfRow: boolean): Generator<Found> {
  switch (filter.kind) {
    case "AND":
    case "OR":
      for (const inner of filter.filters) yield* searchesIn(inner, isOfRow);
      return;
    case "NOT":
      yield* searchesIn(filter.filter, isOfRow);
      return;
    case "QUANTIFIED":
    case "COUNTED":
      yield* searchesIn(filter.filter, false);
      return;
    case "CONDITION":
      if (filter.operator === "_search") yield { condition: filter, isOfRow };
      return;
    default:
      filter satisfies never;
  }
}

const meanings = new WeakMap<readonly SortKey[], string>();

/**
 * Returns a hash of what the values of an order mean: types and collations, after whose change a position marks other rows.
 * The labels of an enum are left out, because an order with a further label keeps its positions.
 */
export function meaningOfOrder(order: readonly SortKey[]): string {
  const known = meanings.get(order);
  if (known !== undefined) return known;
  const parts = order.map((key) => {
    if (key.kind !== "FIELD") return key.kind;
    const { type, meaning } = key.column;
    return type.labels === null ? meaning : type.name;
  });
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 16);
  // No text of PostgreSQL contains NUL, so that this is no value of a position.
  const marked = `\0${hash}`;
  meanings.set(order, marked);
  return marked;
}
