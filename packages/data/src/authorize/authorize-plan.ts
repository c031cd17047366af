import type { Action, Principal } from "@rowhouse/access";
import type { Snapshot } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import type { DataRequest } from "../parse/request.ts";
import { idOf, methodOf, type Plan } from "../plan/plan-request.ts";
import { authorizeAggregate } from "./authorize-aggregate.ts";
import { authorizeHistory } from "./authorize-history.ts";
import { authorizeList, authorizeRead } from "./authorize-read.ts";
import {
  authorizeCreate,
  authorizeDelete,
  authorizeUpdate,
  type WriteRights,
} from "./authorize-write.ts";
import type { Authorized, AuthorizedPlan } from "./authorized-plan.ts";
import { Visibility } from "./visible.ts";

const actions: Readonly<Record<DataRequest["kind"], Action>> = {
  LIST: "READ",
  AGGREGATE: "READ",
  READ: "READ",
  HISTORY: "READ",
  CREATE: "CREATE",
  UPDATE: "UPDATE",
  DELETE: "DELETE",
};

/** Returns the action that needs a grant for this kind of request. */
export function actionOf({ kind }: Pick<DataRequest, "kind">): Action {
  return actions[kind];
}

/**
 * Checks a plan against the principal's grants and resolves every name in it. A relation without any grant gives the
 * same error as a missing one.
 *
 * @throws AppError NOT_FOUND, ACTION_DENIED, METHOD_NOT_ALLOWED, QUERY_INVALID for a name that has no meaning at its
 * place, or FIELD_UNKNOWN for each field that is missing or hidden from the principal
 */
export function authorizePlan(
  plan: Plan,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): AuthorizedPlan {
  const { relation, request } = plan;
  const action = actionOf(request);
  const visibility = new Visibility(snapshot, principal);
  const access = visibility.accessTo(relation, action);
  if (access.kind === "UNKNOWN") throw createError("NOT_FOUND");
  requireExposed(plan);
  if (access.kind === "DENIED") throw createError("ACTION_DENIED");
  const read = visibility.of(relation);
  if (action === "READ" && read.fields.length === 0) throw createError("ACTION_DENIED");
  const settings = settingsOf(snapshot);
  const write = action === "READ" ? [] : access.grants;
  const relatedRowsMax = settings["data.max_related_rows"];
  const depthMax = settings["data.max_relation_depth"];
  // The only place that marks a plan as authorized.
  const common = { relation, read, write, relatedRowsMax } as unknown as Authorized;
  const rights: WriteRights = { common, visibility, depthMax };
  switch (request.kind) {
    case "LIST":
      return authorizeList(common, request, depthMax);
    case "AGGREGATE":
      return authorizeAggregate(common, request, depthMax);
    case "READ":
      return authorizeRead(common, plan.key, request, depthMax);
    case "HISTORY": {
      const users = snapshot.catalogue.relationByName("system", "users");
      return authorizeHistory(common, plan.key, request, visibility, users);
    }
    case "CREATE":
      return authorizeCreate(rights, request);
    case "UPDATE":
      return authorizeUpdate(rights, plan.key, request);
    case "DELETE":
      return authorizeDelete(rights, plan.key, request);
    default:
      return request satisfies never;
  }
}

function requireExposed({ relation, request }: Plan): void {
  const { exposedMethods } = relation.resource;
  if (exposedMethods.includes(methodOf(request))) return;
  const isRow = idOf(request) !== null;
  const allowed = exposedMethods.filter((method) => !isRow || method !== "POST");
  throw createError("METHOD_NOT_ALLOWED", { headers: { Allow: allowed.join(", ") } });
}
