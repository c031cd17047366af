import { type Action, mergedGrants, type Principal } from "@rowhouse/access";
import type { Column, Method, Relation, Snapshot } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { mapExpression } from "../parse/expression.ts";
import {
  type AggregateRequest,
  type DataRequest,
  type HistoryRequest,
  type ListRequest,
  type ReadRequest,
  rowIdOf,
} from "../parse/request.ts";
import { methodOf, type Plan } from "../plan/plan-request.ts";
import {
  type AggregateResult,
  havingOf,
  requireDistinct,
  requireToOne,
  resolveGroups,
  resultOrder,
} from "./aggregates.ts";
import {
  authorizeCreate,
  authorizeDelete,
  authorizeUpdate,
  type WriteRights,
} from "./authorize-write.ts";
import type {
  Authorized,
  AuthorizedAggregate,
  AuthorizedHistory,
  AuthorizedList,
  AuthorizedPlan,
  AuthorizedRead,
  RowConditions,
} from "./authorized-plan.ts";
import { projectFields } from "./projection.ts";
import { visibleFilter } from "./resolve-path.ts";
import { meaningOfOrder, sortKeys } from "./sort-keys.ts";
import { Visibility, type Visible } from "./visible.ts";

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

/** Whether a request changes nothing. */
export function isReadRequest(request: Pick<DataRequest, "kind">): boolean {
  return actionOf(request) === "READ";
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
  requireExposed(relation, methodOf(request), rowIdOf(request) !== null);
  if (access.kind === "DENIED") throw createError("ACTION_DENIED");
  const read = visibility.of(relation);
  // A table without columns has rows without fields.
  const isHidden = read.fields.length === 0 && relation.columns.length > 0;
  if (action === "READ" && isHidden) throw createError("ACTION_DENIED");
  const settings = settingsOf(snapshot);
  const write =
    action === "READ" ? [] : mergedGrants(access.grants, action, relation, snapshot.catalogue);
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

/**
 * Requires that a relation exposes a method.
 *
 * @param isRow whether the path names a row, which no POST creates
 * @throws AppError METHOD_NOT_ALLOWED
 */
export function requireExposed(
  { resource: { exposedMethods } }: Pick<Relation, "resource">,
  method: Method,
  isRow: boolean,
): void {
  if (exposedMethods.includes(method)) return;
  const allowed = exposedMethods.filter((method) => !isRow || method !== "POST");
  throw createError("METHOD_NOT_ALLOWED", { headers: { Allow: allowed.join(", ") } });
}

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID */
function authorizeList(common: Authorized, request: ListRequest, depthMax: number): AuthorizedList {
  const { fields, deep, limit, count, etags } = request;
  const { read } = common;
  const { projection, paths } = projectFields(read, fields, deep, depthMax);
  const conditions = rowConditions(request, read, depthMax);
  const options = { parameter: "order_by", depthMax };
  const order = sortKeys(request.order, read, options, conditions.where);
  const after = request.after?.slice(0, order.length).map((value) => value === null) ?? null;
  // Cursors of earlier versions have no meaning.
  const [meaning = null, ...others] = request.after?.slice(order.length) ?? [];
  const isOther = meaning !== null && meaning !== meaningOfOrder(order);
  if (after !== null && (after.length !== order.length || others.length > 0 || isOther)) {
    const message = "The table's key, or the type of a column of the order, has changed";
    throw createError("QUERY_INVALID", { path: "cursor", message });
  }
  const page = { order, after, limit, count, etags, hasOffset: request.offset > 0 };
  return { ...common, ...conditions, ...page, kind: "LIST", projection, paths };
}

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID */
function authorizeRead(
  common: Authorized,
  key: readonly Column[],
  { fields, deep }: ReadRequest,
  depthMax: number,
): AuthorizedRead {
  const { projection } = projectFields(common.read, fields, deep, depthMax);
  return { ...common, kind: "READ", projection, key, isWhole: fields === null && deep.size === 0 };
}

/**
 * Resolves the filter of a list or an aggregation.
 *
 * @throws AppError FIELD_UNKNOWN, QUERY_INVALID
 */
function rowConditions(
  { where, search }: Pick<ListRequest, "where" | "search">,
  visible: Visible,
  depthMax: number,
): RowConditions {
  return { where: where === null ? null : visibleFilter(where, visible, depthMax), search };
}

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID */
function authorizeAggregate(
  common: Authorized,
  request: AggregateRequest,
  depthMax: number,
): AuthorizedAggregate {
  const { read } = common;
  const groups = resolveGroups(read, request.groups, { parameter: "group_by", depthMax });
  const at = (field: string) => requireToOne(read, field, { parameter: "aggregate", depthMax });
  const aggregates = request.aggregates.map(
    ({ name, apply, field, expression }): AggregateResult => ({
      name,
      apply,
      path: field === null ? null : at(field),
      expression: expression && mapExpression(expression, at),
    }),
  );
  const names = [...groups, ...aggregates].map(({ name }) => name);
  requireDistinct(names, "aggregate");
  const conditions = rowConditions(request, read, depthMax);
  const having = havingOf(request.having, names);
  const order = resultOrder(request.order, names, "order_by");
  const { limit, count } = request;
  const page = { order, limit, count, hasOffset: request.offset > 0 };
  return { ...common, ...conditions, ...page, kind: "AGGREGATE", groups, aggregates, having };
}

/**
 * Authorizes the history of a row. A table whose history is off has none, also of former entries.
 *
 * @param users the relation `system.users`
 * @throws AppError NOT_FOUND
 */
function authorizeHistory(
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
