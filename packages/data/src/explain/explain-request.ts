import {
  type Action,
  type Caller,
  callerKindOf,
  isCredentialGood,
  type Principal,
  standingOf,
} from "@rowhouse/access";
import type { Parameter, Relation, Snapshot } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { actionOf, authorizePlan } from "../authorize/authorize-plan.ts";
import { type FieldReport, grantIdsOf, reportReadable } from "../authorize/report-access.ts";
import { Visibility } from "../authorize/visible.ts";
import { compileStatement } from "../compile/compile-statement.ts";
import type { ParameterSource, Statement } from "../compile/statement.ts";
import { bindParameters } from "../execute/bind-parameters.ts";
import { openCursor } from "../execute/cursor.ts";
import { parseAddress, parseRequest, requestLimitsOf } from "../parse/parse-request.ts";
import type { RequestParts } from "../parse/request.ts";
import { planRequest } from "../plan/plan-request.ts";
import {
  type ExplainedAccount,
  type ExplainedFault,
  type ExplainStage,
  explainRefusal,
  type Progress,
} from "./explain-refusal.ts";
import { compileRowQuery, type RowQuery } from "./explain-row.ts";

/** The result of each pipeline stage for a request, up to the statement, which is not executed; then the row that it names. */
export interface RequestExplanation {
  readonly refusal: {
    readonly stage: ExplainStage;
    readonly status: number;
    readonly faults: readonly ExplainedFault[];
  } | null;
  readonly relation: Relation | null;
  readonly action: Action | null;
  /** The ids of the grants that permit the action, with those of a merge. */
  readonly grantIds: string[];
  /** What finds out whether the user has the row that the request names; null without one, and after a refusal. */
  readonly row: RowQuery | null;
  /** The user's READ access to each relation that the request names. */
  readonly relations: readonly RelationReport[];
  readonly statement: {
    readonly text: string;
    readonly parameters: ExplainedParameter[];
  } | null;
}

export interface RelationReport {
  readonly relation: Relation;
  /** The ids of the READ grants; a row is readable if the row filter of at least one matches. */
  readonly grantIds: string[];
  /** Whether every row is readable; otherwise only rows that match the row filter of one of the grants. */
  readonly everyRow: boolean;
  readonly fields: FieldReport[];
  /** The names of the fields that are readable in no row. */
  readonly hiddenFields: string[];
}

export interface ExplainedParameter {
  readonly source: ParameterSource["kind"];
  /** Null also for values that only a real request has: the credential and the proof of the snapshot. */
  readonly value: string | null;
}

export interface ExplainInput extends Pick<RequestParts, "query" | "data"> {
  readonly method: Exclude<RequestParts["method"], "QUERY" | "HISTORY">;
  readonly path: string;
}

/**
 * Passes a user's request through the same pipeline stages as a real request and reports the result of each. It
 * executes nothing, so the report contains conditions on rows instead of rows.
 *
 * @param principal the user as if signed in
 */
export function explainRequest(
  input: ExplainInput,
  snapshot: Snapshot,
  principal: Principal,
  account: ExplainedAccount,
): RequestExplanation {
  const progress: Progress = { stage: "PARSE", account };
  try {
    take(progress, input, snapshot, principal);
    return describe(progress, snapshot, principal, null);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const faults = explainRefusal(error, progress, snapshot, principal);
    const refusal = { stage: progress.stage, status: error.status, faults };
    return describe(progress, snapshot, principal, refusal);
  }
}

/** Returns a caller with an empty session; for a system account, which cannot sign in, a caller by user id. */
function callerOf({ isSystem }: ExplainedAccount, { userId }: Principal): Caller {
  return isSystem
    ? { kind: "USER", userId }
    : { kind: "CREDENTIAL", credential: { kind: "SESSION", digest: "" } };
}

function take(
  progress: Progress,
  { method, path, query, data }: ExplainInput,
  snapshot: Snapshot,
  principal: Principal,
): void {
  const address = parseAddress(path);
  progress.target = address.target;
  const limits = requestLimitsOf(settingsOf(snapshot));
  const parsed = parseRequest({ ...address, method, query, data }, limits);
  const request = openCursor(parsed, snapshot.cursorKey);
  progress.stage = "AUTHENTICATE";
  const { active, isSystem } = progress.account;
  const isHeard = isSystem || isCredentialGood(principal, standingOf(principal, snapshot));
  if (!active || !isHeard) throw createError("AUTHENTICATION_REQUIRED");
  progress.stage = "PLAN";
  progress.plan = planRequest(request, snapshot.catalogue);
  progress.stage = "AUTHORIZE";
  progress.authorized = authorizePlan(progress.plan, snapshot, principal);
  progress.stage = "COMPILE";
  const caller = callerOf(progress.account, principal);
  progress.statement = compileStatement(progress.authorized, snapshot, callerKindOf(caller));
  progress.stage = "BIND";
  const context = { request, snapshot, principal, caller };
  progress.parameters = bindParameters(progress.statement, context);
}

function describe(
  { plan, authorized, statement, parameters }: Progress,
  snapshot: Snapshot,
  principal: Principal,
  refusal: RequestExplanation["refusal"],
): RequestExplanation {
  const visibility = new Visibility(snapshot, principal);
  const relation = plan?.relation ?? null;
  const action = plan === undefined ? null : actionOf(plan.request);
  const named = statement?.requested ?? (relation === null ? [] : [relation]);
  const access =
    relation === null || action === null ? null : visibility.accessTo(relation, action);
  return {
    refusal,
    row: refusal === null && plan !== undefined ? compileRowQuery(plan, snapshot, principal) : null,
    relation,
    action,
    grantIds: [
      ...(access?.kind === "GRANTED" ? grantIdsOf(access.grants) : []),
      ...grantIdsOf(authorized?.kind === "CREATE" ? authorized.merge : []),
    ],
    relations: named.map((each) => reportReading(each, visibility)),
    statement:
      statement === undefined
        ? null
        : { text: statement.text, parameters: describeParameters(statement, parameters) },
  };
}

function reportReading(relation: Relation, visibility: Visibility): RelationReport {
  const visible = visibility.of(relation);
  const access = visibility.accessTo(relation, "READ");
  const fields = reportReadable(visible);
  return {
    relation,
    grantIds: access.kind === "GRANTED" ? grantIdsOf(access.grants) : [],
    everyRow: visible.rows === null && access.kind === "GRANTED",
    fields,
    hiddenFields: relation.columns
      .map(({ name }) => name)
      .filter((name) => visible.fieldByName(name) === undefined),
  };
}

/** The report omits the values by which a real request proves its rights. */
const proofs: ReadonlySet<ParameterSource["kind"]> = new Set(["PROOF", "VERSION", "CALLER"]);

function describeParameters(
  statement: Statement,
  parameters: readonly Parameter[] | undefined,
): ExplainedParameter[] {
  return statement.parameters.map(({ kind }, index) => ({
    source: kind,
    value: proofs.has(kind) ? null : (parameters?.[index] ?? null),
  }));
}
