import { writeJson } from "@rowhouse/client";
import { type GrantTerms, termNames } from "./grant-draft.ts";

/** Whether two terms say the same. */
function isSameTerm(one: unknown, other: unknown): boolean {
  return writeJson(one) === writeJson(other);
}

/** Returns the terms that a draft changes. */
export function changedTerms(base: GrantTerms, draft: GrantTerms): Partial<GrantTerms> {
  const changed = termNames.filter((name) => !isSameTerm(base[name], draft[name]));
  return Object.fromEntries(changed.map((name) => [name, draft[name]]));
}

/**
 * Returns the terms that this person and another administrator have both changed, and differently. Terms that one of
 * them has changed need no choice.
 */
export function conflictingTerms(
  base: GrantTerms,
  draft: GrantTerms,
  present: GrantTerms,
): readonly (keyof GrantTerms)[] {
  return termNames.filter(
    (name) =>
      !isSameTerm(base[name], draft[name]) &&
      !isSameTerm(base[name], present[name]) &&
      !isSameTerm(draft[name], present[name]),
  );
}

/** Returns the terms that another administrator has changed and the draft has not. */
export function foreignTerms(
  base: GrantTerms,
  draft: GrantTerms,
  present: GrantTerms,
): Partial<GrantTerms> {
  const own = changedTerms(base, draft);
  const foreign = Object.entries(changedTerms(base, present)).filter(([name]) => !(name in own));
  return Object.fromEntries(foreign);
}
