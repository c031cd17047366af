import { writeJson } from "@rowhouse/client";
import type { Where } from "../../records/filter/filter-tree.ts";
import type { Action, Grant } from "./grant-queries.ts";
import type { SetGrant } from "./use-grant-changes.ts";

/** The terms of a grant while a person edits them. */
export interface GrantDraft {
  readonly roleId: string;
  readonly resourceId: string;
  readonly action: Action;
  /** Null for every field, also later ones. */
  readonly fields: readonly string[] | null;
  /** Null for every row. */
  readonly rowFilter: Where | null;
  /** Null for the row filter. */
  readonly check: Where | null;
  readonly presets: Readonly<Record<string, unknown>>;
}

/** The terms that can be changed later. */
export type GrantTerms = Pick<GrantDraft, "fields" | "rowFilter" | "check" | "presets">;

/** The terms, and the order in which a page shows them. */
export const termNames = ["fields", "rowFilter", "check", "presets"] as const;

/** Returns the draft of a stored grant. */
export function draftOf(grant: Grant): GrantDraft {
  const { roleId, resourceId, action, fields, presets } = grant;
  const where = (filter: unknown) => (filter ?? null) as Where | null;
  return {
    ...{ roleId, resourceId, action, fields, presets },
    rowFilter: rowFilterOf(grant),
    check: where(grant.check),
  };
}

/** The condition of the rows that a grant covers; null for every row. */
export function rowFilterOf({ rowFilter }: Pick<Grant, "rowFilter">): Where | null {
  return (rowFilter ?? null) as Where | null;
}

/** Whether the terms of an action have this part. */
export function hasTerm(action: Action, term: keyof GrantTerms): boolean {
  switch (term) {
    case "fields":
      return action !== "DELETE";
    case "rowFilter":
      return action !== "CREATE";
    case "check":
    case "presets":
      return action === "CREATE" || action === "UPDATE";
    default:
      return term satisfies never;
  }
}

/** Returns a draft without the parts that its action cannot have. */
export function fittingDraft(draft: GrantDraft): GrantDraft {
  const { action } = draft;
  return {
    ...draft,
    fields: hasTerm(action, "fields") ? draft.fields : null,
    check: hasTerm(action, "check") ? draft.check : null,
    presets: hasTerm(action, "presets") ? draft.presets : {},
  };
}

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

/** A grant as the request that sets several has it. */
export function settingOf(draft: GrantDraft): SetGrant {
  const { roleId, resourceId, action, fields, rowFilter, check, presets } = fittingDraft(draft);
  return {
    ...{ roleId, resourceId, action, rowFilter, check, presets },
    fields: fields === null ? null : [...fields],
  };
}

/** The terms of a grant for another action: the condition of rows is the check of new ones, and the reverse. */
export function termsFor(action: Action, { action: own, ...draft }: GrantDraft): GrantTerms {
  const { fields, rowFilter, check, presets } = draft;
  if (action === own) return { fields, rowFilter, check, presets };
  if (action === "CREATE") return { fields, rowFilter: null, check: check ?? rowFilter, presets };
  const condition = own === "CREATE" ? (check ?? rowFilter) : rowFilter;
  return { fields, rowFilter: condition, check: action === "UPDATE" ? check : null, presets };
}
