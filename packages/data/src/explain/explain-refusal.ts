import {
  accessTo,
  describeLoss,
  isGone,
  type Principal,
  resolveGrantEdges,
  resolveGrantPath,
  termsOfGrant,
} from "@rowhouse/access";
import type { Edge, Parameter, Relation, Snapshot } from "@rowhouse/db";
import { type AppError, type Fault, unescapePointer } from "@rowhouse/errors";
import { actionOf } from "../authorize/authorize-plan.ts";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import type { Statement } from "../compile/statement.ts";
import type { Target } from "../parse/request.ts";
import { methodOf, type Plan } from "../plan/plan-request.ts";

/** An error as the caller receives it, with the rule behind it for an administrator. */
export interface ExplainedFault extends Fault {
  /** A sentence; null if the error is complete in itself. */
  readonly reason: string | null;
}

/**
 * Adds to each error of a refusal the rule behind it. The caller's response does not distinguish missing from
 * forbidden; an administrator may see both and receives the difference.
 */
export function explainRefusal(
  error: AppError,
  progress: Progress,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): ExplainedFault[] {
  return error.faults.map((fault) => ({
    ...fault,
    reason: reasonOf(fault, progress, snapshot, principal),
  }));
}

function reasonOf(
  fault: Fault,
  { stage, account, target, plan }: Progress,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): string | null {
  if (stage === "AUTHENTICATE") {
    return account.active ? "No role of the user has API access" : "The account is deactivated";
  }
  if (stage === "PARSE" && target === undefined) return "The path is not that of rows";
  if (stage === "PLAN" && target !== undefined) return reasonOfTarget(target, snapshot);
  if (plan === undefined) return null;
  if (fault.code === "FIELD_UNKNOWN") return reasonOfField(fault, plan, snapshot, principal);
  return stage === "AUTHORIZE" ? reasonOfRefusal(fault, plan, snapshot, principal) : null;
}

/** Maximum number of reasons that an explanation lists. */
const reasonsMax = 5;

/** Explains why the resource, or the row with this id, is missing for the user. */
function reasonOfTarget(
  { schema, name, kind }: NonNullable<Progress["target"]>,
  snapshot: Snapshot,
): string {
  const relation = snapshot.catalogue.relationByName(schema, name);
  if (relation === undefined) return "There is no such table or view";
  if (relation.resource.kind !== kind) {
    return kind === "VIEW" ? "It is a table, and no view" : "It is a view, and no table";
  }
  if (relation.resource.exposedMethods.length === 0) return "It exposes no method: it is hidden";
  const parts = relation.primaryKey.length;
  return parts === 0 ? "It has no primary key" : `An id of it has ${parts} parts`;
}

function reasonOfRefusal(
  fault: Fault,
  plan: Plan,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): string | null {
  const { relation } = plan;
  const action = actionOf(plan.request);
  switch (fault.code) {
    case "NOT_FOUND": {
      const lost = snapshot.grants.flatMap((grant) =>
        grant.resourceId === relation.resource.id && principal.roleIds.includes(grant.roleId)
          ? termsOfGrant(grant, relation, snapshot.catalogue).lost
          : [],
      );
      if (lost.length === 0) return "No role of the user has a grant on it";
      if (lost.every(isGone)) {
        return "Every grant on it of the user's roles rests on a column that is gone";
      }
      const reasons = [...new Set(lost.map(describeLoss))].slice(0, reasonsMax);
      return `Every grant on it of the user's roles has lost its meaning: ${reasons.join("; ")}`;
    }
    case "METHOD_NOT_ALLOWED":
      return relation.resource.barredMethods.includes(methodOf(plan.request))
        ? `A rule of the table (create rule) prevents ${methodOf(plan.request)}`
        : `It does not expose ${methodOf(plan.request)}`;
    case "ACTION_DENIED": {
      const access = accessTo(snapshot, principal, relation, action);
      if (access.kind !== "GRANTED") return `No role of the user has a grant for ${action}`;
      return plan.request.kind === "CREATE"
        ? "A merge takes a grant for UPDATE, and PATCH exposed"
        : "The grants list no field that there is";
    }
    default:
      return null;
  }
}

function reasonOfField(
  fault: Fault,
  plan: Plan,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): string {
  const { relation } = plan;
  const sent = /^\/data\/(?:[0-9]+\/)?(.+)$/.exec(fault.path ?? "")?.[1];
  if (sent !== undefined) {
    return reasonOfSentField(unescapePointer(sent), plan, snapshot, principal);
  }
  const field = fault.details?.field;
  const name = typeof field === "string" ? field : "";
  const { catalogue } = snapshot;
  const found = resolveGrantPath(catalogue, relation, name);
  const edges = found?.edges ?? resolveGrantEdges(catalogue, relation, name.replace(/\.\*$/, ""));
  if (edges === undefined) return "There is no such field";
  const closed = reasonOfEdges(edges, snapshot, principal);
  if (closed !== undefined) return closed;
  return `No grant for READ lists it on ${nameOf(edges.at(-1)?.target ?? relation)}`;
}

/** Explains why a path is closed: a relation requires GET exposed and READ granted on its target and its junction. */
function reasonOfEdges(
  edges: readonly Edge[],
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): string | undefined {
  for (const edge of edges) {
    const junctions = edge.foreignKey === "JUNCTION" ? [edge.junction] : [];
    for (const relation of [...junctions, edge.target]) {
      if (!relation.resource.exposedMethods.includes("GET"))
        return `${nameOf(relation)} does not expose GET`;
      const { kind } = accessTo(snapshot, principal, relation, "READ");
      if (kind !== "GRANTED")
        return `No role of the user has a grant for READ on ${nameOf(relation)}`;
    }
  }
  return undefined;
}

function reasonOfSentField(
  name: string,
  plan: Plan,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): string {
  const action = actionOf(plan.request);
  const column = plan.relation.columnByName(name);
  if (column === undefined) return "There is no such field";
  if (column.generated || column.identity === "ALWAYS") return "It takes no value from a caller";
  const access = accessTo(snapshot, principal, plan.relation, action);
  const grants = access.kind === "GRANTED" ? access.grants : [];
  const listing = grants.filter(({ fields }) => fields === null || fields.has(name));
  if (grants.some(({ presets }) => presets.has(name))) return "A grant presets it";
  return listing.length > 0
    ? "No grant for UPDATE, which a merge takes, lists it"
    : `No grant for ${action} lists it`;
}

function nameOf({ schema, name }: Relation): string {
  return `${schema}.${name}`;
}

/** The pipeline stages at which a request can be refused, in their order. */
export type ExplainStage =
  | "PARSE"
  | "AUTHENTICATE"
  | "PLAN"
  | "AUTHORIZE"
  | "COMPILE"
  | "BIND"
  | "ROW";

export interface ExplainedAccount {
  readonly active: boolean;
  /** True for an account on whose behalf workflows act; it cannot sign in. */
  readonly isSystem: boolean;
}

/** The results of the stages that a request has passed. */
export interface Progress {
  stage: ExplainStage;
  readonly account: ExplainedAccount;
  target?: Target;
  plan?: Plan;
  authorized?: AuthorizedPlan;
  statement?: Statement;
  parameters?: readonly Parameter[];
}
