import { type Principal, readName, splitTerms, writeName } from "@rowhouse/access";
import type { Column, Relation, Snapshot } from "@rowhouse/db";
import { AppError, createError, createFault, escapePointer, type Fault } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { authorizePlan } from "./authorize/authorize-plan.ts";
import { type Projection, projectFields } from "./authorize/projection.ts";
import { Visibility } from "./authorize/visible.ts";
import { compileStatement } from "./compile/compile-statement.ts";
import { bindParameters } from "./execute/bind-parameters.ts";
import type { RequestLimits } from "./parse/parse-parts.ts";
import { aggregateRequestOf, listRequestOf, orderTermOf } from "./parse/parse-read.ts";
import type { AggregateRequest, ListRequest } from "./parse/request.ts";
import { requestLimitsOf } from "./parse/request-limits.ts";
import { planRequest } from "./plan/plan-request.ts";

/** A reading of a resource that is kept, in the words of a request's query. */
export type Reading = ListReading | AggregateReading;

export interface ListReading {
  readonly kind: "LIST";
  /** Null for all that the reader may see. */
  readonly fields: readonly string[] | null;
  readonly where: unknown;
  readonly orderBy: readonly string[];
  /** Rows at most; null for as many as a request gives by itself. */
  readonly limit: number | null;
}

export interface AggregateReading {
  readonly kind: "AGGREGATE";
  readonly aggregate: readonly string[];
  readonly groupBy: readonly string[];
  readonly where: unknown;
  readonly having: unknown;
  readonly orderBy: readonly string[];
  /** Groups at most. */
  readonly limit: number | null;
}

/** What a reader asks beside a reading. */
export interface ReadingPage {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly search?: string | undefined;
  readonly count?: "exact" | "estimated" | undefined;
}

/**
 * The request that a reading of a relation makes.
 *
 * @throws AppError of the contract, with the parameters of a query as paths
 */
export function requestOfReading(
  { schema, name, resource }: Relation,
  reading: Reading,
  limits: RequestLimits,
  page: ReadingPage = {},
): ListRequest | AggregateRequest {
  const target = { schema, name, kind: resource.kind };
  const { where, orderBy } = reading;
  const common = {
    ...(where == null ? {} : { where }),
    ...(orderBy.length === 0 ? {} : { orderBy: orderBy.join(",") }),
  };
  if (reading.kind === "AGGREGATE") {
    const { aggregate, groupBy, having, limit } = reading;
    return aggregateRequestOf(
      target,
      {
        ...common,
        aggregate: aggregate.join(","),
        ...(groupBy.length === 0 ? {} : { groupBy: groupBy.join(",") }),
        ...(having == null ? {} : { having }),
        ...(limit === null ? {} : { limit: Math.min(limit, limits.limitMax) }),
      },
      limits,
    );
  }
  const { cursor, search, count } = page;
  const rowsMax = reading.limit ?? limits.limitMax;
  const limit = Math.min(page.limit ?? reading.limit ?? limits.limitDefault, rowsMax);
  return listRequestOf(
    target,
    {
      ...common,
      ...(reading.fields === null ? {} : { fields: reading.fields.join(",") }),
      ...(cursor === undefined ? {} : { cursor }),
      ...(search === undefined ? {} : { search }),
      ...(count === undefined ? {} : { count }),
      limit: Math.min(limit, limits.limitMax),
    },
    limits,
  );
}

/** Whether a principal may have the answer to a request, as far as a snapshot tells. */
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

/** A field that a reading shows, by its path from the relation that is read. */
export interface ShownField {
  readonly path: string;
  readonly relation: Relation;
  readonly column: Column;
}

/** A reading as far as a principal may know of its fields. */
export interface ReadingInSight {
  readonly reading: ListReading;
  readonly fields: readonly ShownField[];
}

/**
 * A reading with the fields that a principal may know of alone: those shown, and those that rows are ordered by. Its
 * filter stays as it is: without a part of it, it would give other rows.
 *
 * @returns null where no field is left
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
      return leavesOf(projectFields(visible, [readName(path)], new Map(), depthMax), "");
    } catch (error) {
      if (error instanceof AppError) return [];
      throw error;
    }
  };
  const paths = reading.fields?.filter((path) => fieldsOf(path).length > 0) ?? null;
  const fields = (paths ?? ["*"]).flatMap(fieldsOf);
  if (fields.length === 0) return null;
  const orderBy = reading.orderBy.filter(
    (term) => fieldsOf(writeName(orderTermOf(term).field)).length > 0,
  );
  return { reading: { ...reading, fields: paths, orderBy }, fields };
}

function leavesOf({ visible, fields, related }: Projection, prefix: string): ShownField[] {
  return [
    ...fields.map(({ column }) => ({
      path: `${prefix}${column.name}`,
      relation: visible.relation,
      column,
    })),
    ...related.flatMap(({ name, projection }) => leavesOf(projection, `${prefix}${name}.`)),
  ];
}

/**
 * What is wrong with a reading that is to be kept, whoever will open it.
 *
 * @param pointer to the reading in the body: `/data/definition`
 */
export function faultsOfReading(
  reading: Reading,
  relation: Relation,
  snapshot: Snapshot,
  pointer: string,
): Fault[] {
  const lists = [
    ["fields", reading.kind === "LIST" ? (reading.fields ?? []) : []],
    ["orderBy", reading.orderBy],
  ] as const;
  const commas = lists.flatMap(([name, terms]) =>
    terms.flatMap((term, index) =>
      splitTerms(term).length > 1
        ? [
            createFault("BODY_INVALID", {
              path: `${pointer}/${name}/${index}`,
              message: "Must be one name; a name with a comma is put in double quotes",
            }),
          ]
        : [],
    ),
  );
  if (commas.length > 0) return commas;
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
        message: `This is at most ${limits.limitMax}`,
      });
    }
    const request = requestOfReading(relation, reading, limits);
    const plan = authorizePlan(planRequest(request, snapshot.catalogue), snapshot, principal);
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

const nobody = "00000000-0000-0000-0000-000000000000";

const names: Readonly<Record<string, string>> = { order_by: "orderBy", group_by: "groupBy" };

/** `where[plate][_eq]` as `/where/plate/_eq`. */
function toPointer(parameter: string): string {
  const [root = "", ...rest] = parameter.split(/\[|\]\[|\]$/);
  return [names[root] ?? root, ...rest.filter((segment) => segment !== "")]
    .map((segment) => `/${escapePointer(segment)}`)
    .join("");
}
