import {
  type Caller,
  callerKindOf,
  distinctFields,
  type Principal,
  plainPath,
  readPath,
  wholeName,
  writeName,
} from "@rowhouse/access";
import type { Column, Relation, Snapshot } from "@rowhouse/db";
import { AppError, createError, escapePointer, type Fault } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { authorizePlan } from "../authorize/authorize-plan.ts";
import { type Projection, projectFields } from "../authorize/projection.ts";
import { resolveToOne } from "../authorize/resolve-path.ts";
import type { SortKey } from "../authorize/sort-keys.ts";
import { Visibility, type Visible } from "../authorize/visible.ts";
import { compileStatement } from "../compile/compile-statement.ts";
import { bindParameters } from "../execute/bind-parameters.ts";
import { requestLimitsOf } from "../parse/parse-request.ts";
import type { RequestLimits } from "../parse/query-parameters.ts";
import type { AggregateRequest, ListRequest } from "../parse/request.ts";
import { type AggregateTerm, type GroupTerm, orderTermOf } from "../parse/terms.ts";
import { aggregateRequestOf, listRequestOf, type NarrowingFilter } from "../parse/typed-read.ts";
import { planRequest } from "../plan/plan-request.ts";

/** A stored query of a resource, with the terms of a request's query. */
export type Reading = ListReading | AggregateReading;

export interface ListReading {
  readonly kind: "LIST";
  /** Null for all fields that the reader may see. */
  readonly fields: readonly string[] | null;
  readonly where: unknown;
  readonly orderBy: readonly string[];
  /** Maximum number of rows; null for the default of a request. */
  readonly limit: number | null;
}

export interface AggregateReading {
  readonly kind: "AGGREGATE";
  readonly aggregate: readonly string[];
  readonly groupBy: readonly string[];
  readonly where: unknown;
  readonly having: unknown;
  readonly orderBy: readonly string[];
  /** Maximum number of groups. */
  readonly limit: number | null;
}

/** The part of the rows of a reading that a reader requests. */
export interface ReadingPage {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly search?: string | undefined;
  readonly count?: "exact" | "estimated" | undefined;
  /** In place of the order of a list. */
  readonly orderBy?: readonly string[] | undefined;
  /** In place of the fields of a list. */
  readonly fields?: readonly string[] | undefined;
  /** Filters beside that of the reading. */
  readonly narrowedBy?: readonly NarrowingFilter[] | undefined;
  /** Begins the path of a fault of the reading's own filter; by default `where`. */
  readonly wherePath?: string | undefined;
  /** Whether the response has the entity tag of each row. */
  readonly etags?: boolean | undefined;
}

/**
 * Returns the request of a reading.
 *
 * @throws AppError of the contract, with the parameters of a query as paths
 */
export function requestOfReading(
  relation: Relation,
  reading: Reading,
  limits: RequestLimits,
  page: ReadingPage = {},
): ListRequest | AggregateRequest {
  const { schema, name, resource } = relation;
  const target = { schema, name, kind: resource.kind };
  const { where, orderBy } = reading;
  const { search, narrowedBy, wherePath } = page;
  const common = {
    ...(where == null ? {} : { where }),
    ...(search === undefined ? {} : { search }),
    ...(narrowedBy === undefined ? {} : { narrowedBy }),
    ...(wherePath === undefined ? {} : { wherePath }),
  };
  if (reading.kind === "AGGREGATE") {
    const { aggregate, groupBy, having, limit } = reading;
    const input = {
      ...{ ...common, orderBy, aggregate, groupBy },
      ...(having == null ? {} : { having }),
      ...(limit === null ? {} : { limit: Math.min(limit, limits.limitMax) }),
    };
    return aggregateRequestOf(target, input, limits);
  }
  const { cursor, count, etags } = page;
  const fields = page.fields ?? reading.fields;
  const rowsMax = reading.limit ?? limits.limitMax;
  const limit = Math.min(page.limit ?? reading.limit ?? limits.limitDefault, rowsMax);
  const input = {
    ...common,
    orderBy: page.orderBy ?? orderBy,
    ...(fields === null ? {} : { fields: distinctTerms(fields, relation) }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(count === undefined ? {} : { count }),
    ...(etags === undefined ? {} : { etags }),
    limit: Math.min(limit, limits.limitMax),
  };
  return listRequestOf(target, input, limits);
}

/** A field and a relation of one name are both in a row: the relation under an alias. */
function distinctTerms(terms: readonly string[], { columnByName }: Relation): readonly string[] {
  const paths = terms.map((term) => {
    const path = readPath(term);
    const name = wholeName(path);
    const isColumn = name !== undefined && columnByName(name) !== undefined;
    return isColumn ? [name] : path.split(".").map(plainPath);
  });
  const distinct = distinctFields(paths);
  // A term without an alias stays as it is written.
  return terms.map((term, index) => {
    const { term: aliased = term, members = [] } = distinct[index] ?? {};
    return members.every((member, at) => member === paths[index]?.[at]) ? term : aliased;
  });
}

/** Returns whether a principal may make a request, according to a snapshot. */
export function mayRead(
  request: ListRequest | AggregateRequest,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): boolean {
  try {
    compileStatement(
      authorizePlan(planRequest(request, snapshot.catalogue), snapshot, principal),
      snapshot,
      "USER",
    );
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/**
 * Requires that a principal may make a request, and that its values have the types of their columns, as far as this can be
 * decided without PostgreSQL.
 *
 * @throws AppError as the request itself would
 */
export function requireReadable(
  request: ListRequest | AggregateRequest,
  snapshot: Snapshot,
  principal: Principal,
  caller: Caller,
): void {
  const plan = authorizePlan(planRequest(request, snapshot.catalogue), snapshot, principal);
  const statement = compileStatement(plan, snapshot, callerKindOf(caller));
  bindParameters(statement, { request, snapshot, principal, caller });
}

/** A field of a reading, by its path from the relation of the reading. */
export interface ShownField {
  readonly path: string;
  readonly relation: Relation;
  readonly column: Column;
}

/** The part of a reading that a principal may see. */
export interface ReadingInSight {
  readonly reading: ListReading;
  readonly fields: readonly ShownField[];
}

/**
 * Removes the fields and order terms of a reading that a principal may not see. The filter stays, because a part of it
 * would match other rows.
 *
 * @returns null if no field is left
 */
export function withinSight(
  reading: ListReading,
  relation: Relation,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): ReadingInSight | null {
  const visible = new Visibility(snapshot, principal).of(relation);
  const depthMax = settingsOf(snapshot)["data.max_relation_depth"];
  const fieldsOf = (path: string): ShownField[] => {
    try {
      const { projection } = projectFields(visible, [path], new Map(), depthMax);
      return leavesOf(projection, "");
    } catch (error) {
      if (error instanceof AppError) return [];
      throw error;
    }
  };
  const paths = reading.fields?.filter((path) => fieldsOf(readPath(path)).length > 0) ?? null;
  const fields = (paths ?? ["*"]).map(readPath).flatMap(fieldsOf);
  if (fields.length === 0) return null;
  // The name of a relation can be that of a field among all.
  const isAllAndMore = paths !== null && paths.length > 1 && paths.includes("*");
  const written = [...new Set(fields.map(({ path }) => writeName(path)))];
  const orderBy = reading.orderBy.filter((term) => fieldsOf(orderTermOf(term).field).length > 0);
  return { reading: { ...reading, fields: isAllAndMore ? written : paths, orderBy }, fields };
}

function leavesOf({ visible, fields, related }: Projection, prefix: string): ShownField[] {
  return [
    ...fields.map(({ name, field: { column } }) => ({
      path: `${prefix}${name}`,
      relation: visible.relation,
      column,
    })),
    ...related.flatMap(({ name, projection }) => leavesOf(projection, `${prefix}${name}.`)),
  ];
}

/**
 * Returns a field that a principal may read through to-one relations; undefined if it is missing, hidden, or the values of
 * several rows.
 *
 * @param path as `readPath` returns it
 */
export function fieldInSight(
  relation: Relation,
  path: string,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): ShownField | undefined {
  if (!relation.resource.exposedMethods.includes("GET")) return undefined;
  const visible = new Visibility(snapshot, principal).of(relation);
  const depthMax = settingsOf(snapshot)["data.max_relation_depth"];
  try {
    const found = resolveToOne(visible, path, { parameter: "field", depthMax });
    if (found === undefined) return undefined;
    const last = found.edges.at(-1)?.target ?? visible;
    return { path: plainPath(path), relation: last.relation, column: found.field.column };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** The terms of an aggregation with their fields. */
export interface Terms {
  readonly groups: readonly (GroupTerm & { readonly shown: ShownField })[];
  readonly aggregates: readonly (AggregateTerm & { readonly shown: ShownField | null })[];
}

/** Returns the terms of an aggregation with their fields; undefined if the principal may not read one of these. */
export function termsInSight(
  { groups, aggregates }: Pick<AggregateRequest, "groups" | "aggregates">,
  relation: Relation,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): Terms | undefined {
  const shownOf = (field: string) => fieldInSight(relation, field, snapshot, principal);
  const shownGroups = groups.flatMap((term) => {
    const shown = shownOf(term.field);
    return shown === undefined ? [] : [{ ...term, shown }];
  });
  const shownAggregates = aggregates.flatMap((term) => {
    const shown = term.field === null ? null : shownOf(term.field);
    return shown === undefined ? [] : [{ ...term, shown }];
  });
  if (shownGroups.length < groups.length || shownAggregates.length < aggregates.length) {
    return undefined;
  }
  return { groups: shownGroups, aggregates: shownAggregates };
}

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
