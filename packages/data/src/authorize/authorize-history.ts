import type { Column, Relation } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { HistoryRequest } from "../parse/request.ts";
import type { Authorized, AuthorizedHistory } from "./authorized-plan.ts";
import type { Visibility, Visible } from "./visible.ts";

/**
 * Authorizes the history of a row. A table whose history is off has none, also of former entries.
 *
 * @param users the relation `system.users`
 * @throws AppError NOT_FOUND
 */
export function authorizeHistory(
  common: Authorized,
  key: readonly Column[],
  { limit, after }: HistoryRequest,
  visibility: Visibility,
  users: Relation | undefined,
): AuthorizedHistory {
  if (!common.relation.resource.history) throw createError("NOT_FOUND");
  const people = users === undefined ? null : readersView(visibility.of(users));
  return { ...common, kind: "HISTORY", key, limit, isContinued: after !== null, people };
}

/** Returns what the caller sees of people; null without names. Administrators read them by the Admin API as well. */
function readersView(people: Visible): Visible | null {
  const name = people.fieldByName("name");
  if (name === undefined) return null;
  const isExposed = people.relation.resource.exposedMethods.includes("GET");
  return isExposed || name.grants.some(({ id }) => id === null) ? people : null;
}
