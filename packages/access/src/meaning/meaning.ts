import type { Edge, Relation } from "@rowhouse/db";
import type { Condition } from "../filter/language/filter.ts";
import { conditionOperators, orderingOperators } from "../filter/language/operator.ts";

/** `Column.meaning`, parsed. */
interface Meaning {
  /** The OID of the type of the values, without domains and arrays. */
  readonly type: number;
  /** The qualified name of this type. */
  readonly name: string;
  readonly array?: true;
  /** The labels of an enum by their OIDs. */
  readonly labels?: Readonly<Record<string, string>>;
  /** A hash over the fields of a composite. */
  readonly shape?: string;
  readonly collation?: number;
  /** The locale of the database, if the collation is the default one. */
  readonly locale?: string;
}

/** Why a mention no longer means what it was written for. */
export type MeaningChange = "TYPE" | "COLLATION" | "LOCALE" | "LABEL";

/**
 * What a mention depends on. `VALUE`: a field or a preset. `EQUALITY` and `ORDER`: an operator of values. `EXACT`: an operator
 * that reads the text or the parts of a value, for which types of one family differ.
 */
export type MeaningUse = "VALUE" | "EQUALITY" | "ORDER" | "EXACT";

/** Returns what a condition depends on. */
export function useOf({
  operator,
  inside,
}: Pick<Condition<unknown>, "operator" | "inside">): MeaningUse {
  const { target } = conditionOperators[operator];
  if (inside !== undefined || (target !== "COMPARABLE" && target !== "ARRAY" && target !== "ANY")) {
    return "EXACT";
  }
  return orderingOperators.has(operator) ? "ORDER" : "EQUALITY";
}

/**
 * The types of one operator family whose values keep their order, their equality and their text in every other type of it.
 * Families of other types convert values: a `real` of 0.1 is another `double precision`.
 */
const families: readonly ReadonlySet<string>[] = [
  new Set(["pg_catalog.int2", "pg_catalog.int4", "pg_catalog.int8"]),
  // A qualified name quotes a keyword.
  new Set(['pg_catalog."varchar"', "pg_catalog.text"]),
];

/**
 * Compares the meaning that a column had when it was named with its present one.
 *
 * @param stored null if it was not recorded
 * @returns undefined if the mention means the same
 */
export function changeOfMeaning(
  stored: string | null | undefined,
  present: string,
  use: MeaningUse,
): MeaningChange | undefined {
  if (stored == null || stored === present) return undefined;
  const [was, is] = [parse(stored), parse(present)];
  const isFamily = families.some((family) => family.has(was.name) && family.has(is.name));
  if (was.type !== is.type && (use === "EXACT" || !isFamily)) return "TYPE";
  if (was.array !== is.array || was.shape !== is.shape) return "TYPE";
  if (was.collation !== is.collation) return "COLLATION";
  // Equality of texts does not depend on the locale, except without case.
  const dependsOnLocale =
    use === "EXACT" || use === "ORDER" || (use === "EQUALITY" && /[.]"?citext"?$/.test(is.name));
  if (was.locale !== is.locale && dependsOnLocale) return "LOCALE";
  return use === "EXACT" && currentLabels(stored, present).size > 0 ? "LABEL" : undefined;
}

/**
 * Returns the labels of an enum that were renamed, each with its present name, or with null if no label of this type has
 * its OID; none for another type.
 */
export function currentLabels(
  stored: string | null | undefined,
  present: string,
): ReadonlyMap<string, string | null> {
  if (stored == null || stored === present) return new Map();
  const [before, after] = [parse(stored), parse(present)];
  if (before.type !== after.type) return new Map();
  const [was, is] = [before.labels ?? {}, after.labels ?? {}];
  return new Map(
    Object.entries(was).flatMap(([oid, label]): [string, string | null][] => {
      const now = is[oid] ?? null;
      return now === label ? [] : [[label, now]];
    }),
  );
}

function parse(meaning: string): Meaning {
  return JSON.parse(meaning) as Meaning;
}

/** Returns the meanings of the columns by which a path leads from one row to the next, in its order. */
export function meaningsOfWay(start: Relation, edges: readonly Edge[]): string[] {
  const meaningOf = (relation: Relation, name: string) =>
    relation.columnByName(name)?.meaning ?? "";
  let from = start;
  return edges.flatMap((edge) => {
    const origin = from;
    from = edge.target;
    const pairs =
      edge.foreignKey === "JUNCTION"
        ? [
            ...edge.near.map((pair) => [origin, edge.junction, pair] as const),
            ...edge.far.map((pair) => [edge.junction, edge.target, pair] as const),
          ]
        : edge.columns.map((pair) => [origin, edge.target, pair] as const);
    return pairs.flatMap(([left, right, [own, other]]) => [
      meaningOf(left, own),
      meaningOf(right, other),
    ]);
  });
}

/** Compares the columns of a path with those at the time of its mention. */
export function changeOfWay(
  stored: readonly string[] | undefined,
  present: readonly string[],
): MeaningChange | undefined {
  if (stored === undefined) return undefined;
  if (stored.length !== present.length) return "TYPE";
  for (const [index, meaning] of present.entries()) {
    const change = changeOfMeaning(stored[index], meaning, "EQUALITY");
    if (change !== undefined) return change;
  }
  return undefined;
}
