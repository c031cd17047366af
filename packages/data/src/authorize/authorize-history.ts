import type { Column, Relation } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { HistoryRequest } from "../parse/request.ts";
import type { Authorized, AuthorizedHistory } from "./authorized-plan.ts";
import type { Visibility } from "./visible.ts";

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
  const people =
    users?.resource.exposedMethods.includes("GET") === true ? visibility.of(users) : undefined;
  return {
    ...{ ...common, kind: "HISTORY", key, limit, isContinued: after !== null },
    people: people?.fieldByName("name") === undefined ? null : people,
  };
}
