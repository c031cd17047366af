import type { Principal } from "@rowhouse/access";
import { isVisibleResource } from "@rowhouse/data";
import type { Queryable, Snapshot } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { readSavedView, type SavedView } from "./saved-views.ts";

/**
 * Returns a saved view of a person.
 *
 * @throws AppError NOT_FOUND for the view of another person, and while its resource is hidden from its owner
 */
export async function readVisibleView(
  database: Queryable,
  snapshot: Snapshot,
  principal: Pick<Principal, "userId" | "roleIds">,
  id: string,
): Promise<SavedView> {
  const view = await readSavedView(database, principal.userId, id);
  if (!isVisibleResource(view.resourceId, snapshot, principal)) throw createError("NOT_FOUND");
  return view;
}
