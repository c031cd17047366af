import type { Action, Grant } from "../access-queries.ts";

/** What a role may do with a resource by its grant for one action. */
export type CellState = "NONE" | "FIELDS" | "ROWS" | "BOTH" | "ALL" | "LOST";

/** Whether a grant covers a part of the rows only: by its row filter, or for new rows by its check. */
function hasRowFilter({ action, rowFilter, check }: Grant): boolean {
  const isGiven = (filter: unknown) => filter !== null && filter !== undefined;
  if (action === "CREATE") return isGiven(check) || isGiven(rowFilter);
  return isGiven(rowFilter) || (action === "UPDATE" && isGiven(check));
}

/** Returns the state of a cell. A grant that lost a column allows nothing. */
export function cellState(grant: Grant | undefined): CellState {
  if (grant === undefined) return "NONE";
  if (!grant.effective) return "LOST";
  const isSome = grant.fields !== null && grant.action !== "DELETE";
  if (hasRowFilter(grant)) return isSome ? "BOTH" : "ROWS";
  return isSome ? "FIELDS" : "ALL";
}

/** The grants of the matrix by resource, role and action. */
export type GrantIndex = ReadonlyMap<string, Grant>;

/** Returns the key of a grant in the index; a role has at most one grant for an action. */
export function grantKey(resourceId: string, roleId: string, action: Action): string {
  return `${resourceId} ${roleId} ${action}`;
}

export function indexGrants(grants: readonly Grant[]): GrantIndex {
  return new Map(
    grants.map((grant) => [grantKey(grant.resourceId, grant.roleId, grant.action), grant]),
  );
}
