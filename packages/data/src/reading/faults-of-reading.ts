import type { Relation, Snapshot } from "@rowhouse/db";
import { AppError, createError, escapePointer, type Fault } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { authorizePlan } from "../authorize/authorize-plan.ts";
import { type Projection, projectFields } from "../authorize/projection.ts";
import type { SortKey } from "../authorize/sort-keys.ts";
import type { Visible } from "../authorize/visible.ts";
import { compileStatement } from "../compile/compile-statement.ts";
import { bindParameters } from "../execute/bind-parameters.ts";
import { requestLimitsOf } from "../parse/parse-request.ts";
import type { AggregateRequest, ListRequest } from "../parse/request.ts";
import { listRequestOf } from "../parse/typed-read.ts";
import { planRequest } from "../plan/plan-request.ts";
import { type Reading, requestOfReading } from "./reading.ts";

/**
 * Returns the faults of a reading before it is stored, regardless of its readers.
 *
 * @param pointer to the reading in the body: `/data/definition`
 */
export function faultsOfReading(
  reading: Reading,
  relation: Relation,
  snapshot: Snapshot,
  pointer: string,
): Fault[] {
  const administrators = [...snapshot.roles.values()].filter((role) => role.isAdministrators);
  const principal = {
    userId: nobody,
    version: "0",
    roleIds: administrators.map((role) => role.id),
    session: null,
    tokenId: null,
    plane: null,
  };
  try {
    const limits = requestLimitsOf(settingsOf(snapshot));
    if (reading.limit !== null && reading.limit > limits.limitMax) {
      throw createError("QUERY_INVALID", {
        path: "limit",
        message: `This must be at most ${limits.limitMax}`,
      });
    }
    const request = requestOfReading(relation, reading, limits);
    if (request.kind === "AGGREGATE") requireMarkable(request);
    const plan = authorizePlan(planRequest(request, snapshot.catalogue), snapshot, principal);
    if (plan.kind === "AGGREGATE") {
      if (plan.groups.some(({ path }) => path.inside)) throw insideDocument("group_by");
      if (plan.aggregates.some(({ path }) => path?.inside)) throw insideDocument("aggregate");
    }
    if (plan.kind === "LIST") {
      if (reading.kind === "LIST" && reading.fields !== null) {
        const asWritten = listRequestOf(request.target, { fields: reading.fields }, limits);
        const depthMax = settingsOf(snapshot)["data.max_relation_depth"];
        requireNoAlias(asWritten, plan.read, depthMax);
      }
      requireColumns(plan.projection);
      requireFields(plan.order);
    }
    const statement = compileStatement(plan, snapshot, "USER");
    const caller = { kind: "USER", userId: nobody } as const;
    bindParameters(statement, { request, snapshot, principal, caller });
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.faults.map((fault) => ({
      ...fault,
      code: fault.code === "QUERY_INVALID" ? "BODY_INVALID" : fault.code,
      ...(fault.path === undefined ? {} : { path: `${pointer}${toPointer(fault.path)}` }),
    }));
  }
}

/** @throws AppError QUERY_INVALID for an alias: a reading names its columns by number, and shows them by their names */
function requireNoAlias({ fields }: ListRequest, visible: Visible, depthMax: number): void {
  const paths = (fields ?? []).flatMap((term) => (typeof term === "string" ? [] : [term.path]));
  if (paths.length === 0) return;
  try {
    projectFields(visible, paths, new Map(), depthMax);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = "This does not take aliases; a column has its label";
    throw createError("QUERY_INVALID", { path: "fields", message });
  }
}

/**
 * @throws AppError QUERY_INVALID for an order by a number of related rows, by a value inside a document or by a rank, which is
 * no column that can be renamed
 */
function requireFields(order: readonly SortKey[]): void {
  if (order.every((key) => key.kind === "FIELD" && key.inside === undefined)) return;
  throw createError("QUERY_INVALID", {
    path: "order_by",
    message:
      "This is not ordered by numbers of related rows, values inside documents and _rank; a view can have the column",
  });
}

/**
 * @throws AppError QUERY_INVALID for an expression, whose fields would not follow a rename, and for a part of a date: no
 * filter selects the rows of its group
 */
function requireMarkable({ groups, aggregates }: AggregateRequest): void {
  if (aggregates.some(({ expression }) => expression !== null)) {
    throw createError("QUERY_INVALID", {
      path: "aggregate",
      message: "This does not take an expression; a view can compute the column",
    });
  }
  if (groups.every(({ part }) => part === null)) return;
  throw createError("QUERY_INVALID", {
    path: "group_by",
    message: "This does not take date_part: no filter selects the rows of such a group",
  });
}

/**
 * @throws AppError QUERY_INVALID for numbers of related rows and values inside documents: each field that a reading shows
 * is a column
 */
function requireColumns({ documents, related }: Projection): void {
  if (documents.length > 0) throw insideDocument("fields");
  for (const { numbers, projection } of related) {
    if (numbers !== null) {
      const message = "This does not take numbers of related rows";
      throw createError("QUERY_INVALID", { path: "fields", message });
    }
    requireColumns(projection);
  }
}

function insideDocument(path: string): AppError {
  const message = "This does not take values inside documents; a view can have the column";
  return createError("QUERY_INVALID", { path, message });
}

const nobody = "00000000-0000-0000-0000-000000000000";

const names: Readonly<Record<string, string>> = { order_by: "orderBy", group_by: "groupBy" };

/** Converts `where[plate][_eq]` to `/where/plate/_eq`. */
function toPointer(parameter: string): string {
  const [root = "", ...rest] = parameter.split(/\[|\]\[|\]$/);
  return [names[root] ?? root, ...rest.filter((segment) => segment !== "")]
    .map((segment) => `/${escapePointer(segment)}`)
    .join("");
}
