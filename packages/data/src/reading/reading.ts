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
import { AppError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { authorizePlan } from "../authorize/authorize-plan.ts";
import { type Projection, projectFields } from "../authorize/projection.ts";
import { resolveToOne } from "../authorize/resolve-path.ts";
import { Visibility } from "../authorize/visible.ts";
import { compileStatement } from "../compile/compile-statement.ts";
import { bindParameters } from "../execute/bind-parameters.ts";
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
