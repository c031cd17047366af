import type { Catalogue, GrantRecord, Relation } from "@rowhouse/db";
import type { ParsedFilter } from "../filter/language/filter.ts";
import { eitherFilter, keyOfFilter, mergeFilters } from "../filter/language/merge-filters.ts";
import { resolveGrantPath } from "./grant-path.ts";
import type { EffectiveGrant } from "./grant-terms.ts";

/**
 * Returns the filters of which a row must match one; null if every row matches, because a grant has no filter. They are as few as
 * possible.
 */
export function mergedFilters(
  grants: readonly EffectiveGrant[],
  relation: Relation,
  catalogue: Catalogue,
): readonly ParsedFilter[] | null {
  const filters = grants.flatMap((grant) => grant.filter ?? []);
  if (filters.length < grants.length) return null;
  return mergeFilters(filters, scalarFieldsOf(relation, catalogue));
}

/**
 * Returns grants that together allow the same writes, as few as possible. Only grants with the same fields and presets become one:
 * a write needs a grant that allows all of it. An update is allowed by one grant before and after, so its check must be the same
 * as well.
 */
export function mergedGrants(
  grants: readonly EffectiveGrant[],
  action: GrantRecord["action"],
  relation: Relation,
  catalogue: Catalogue,
): readonly EffectiveGrant[] {
  const isScalar = scalarFieldsOf(relation, catalogue);
  const groups = new Map<string, EffectiveGrant[]>();
  for (const grant of grants) {
    const { fields, presets, check } = grant;
    const tied = action === "UPDATE" && check !== null ? keyOfFilter(check) : null;
    const key = JSON.stringify([fields && [...fields].sort(), [...presets], tied]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [grant]);
    else group.push(grant);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length === 1) return group;
    const filter = eitherFilter(
      group.map((grant) => grant.filter),
      isScalar,
    );
    const check =
      action === "CREATE"
        ? eitherFilter(
            group.map((grant) => grant.check),
            isScalar,
          )
        : first.check;
    return [{ ...first, filter, check }];
  });
}

/** Returns a function for whether a field, which may be a path, has single values. */
function scalarFieldsOf(relation: Relation, catalogue: Catalogue): (field: string) => boolean {
  return (field) => {
    const type = resolveGrantPath(catalogue, relation, field)?.column.type;
    return type !== undefined && !type.array;
  };
}
