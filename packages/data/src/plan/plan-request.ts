import type { Filter } from "@rowhouse/access";
import type { Catalogue, Column, Method, Relation } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { AggregateTerm, GroupTerm } from "../parse/parse-aggregate.ts";
import type {
  Conflict,
  DataRequest,
  Deep,
  OrderTerm,
  Selection,
  Target,
} from "../parse/request.ts";

/** A request with its relation resolved. Its fields are still names; authorization resolves them. */
export type Plan = ListPlan | AggregatePlan | ReadPlan | CreatePlan | UpdatePlan | DeletePlan;

interface RelationPlan {
  readonly relation: Relation;
}

export interface ListPlan extends RelationPlan {
  readonly kind: "LIST";
  readonly fields: readonly string[] | null;
  readonly deep: Deep;
  readonly where: Filter | null;
  readonly order: readonly OrderTerm[];
  readonly limit: number;
  readonly hasOffset: boolean;
  readonly count: "exact" | "estimated" | null;
  readonly search: number | null;
  /** For each value of the cursor, whether it is null. Null without a cursor. */
  readonly after: readonly boolean[] | null;
}

export interface AggregatePlan extends RelationPlan {
  readonly kind: "AGGREGATE";
  readonly aggregates: readonly AggregateTerm[];
  readonly groups: readonly GroupTerm[];
  readonly where: Filter | null;
  readonly search: number | null;
  readonly having: Filter | null;
  readonly order: readonly OrderTerm[];
  readonly limit: number;
  readonly hasOffset: boolean;
  readonly count: "exact" | "estimated" | null;
}

export interface ReadPlan extends RelationPlan {
  readonly kind: "READ";
  readonly fields: readonly string[] | null;
  readonly deep: Deep;
  readonly key: readonly Column[];
}

export interface CreatePlan extends RelationPlan {
  readonly kind: "CREATE";
  /** The fields of each group of rows; the rows of a group set the same fields. */
  readonly groups: readonly (readonly string[])[];
  readonly isList: boolean;
  readonly conflict: Conflict | null;
  readonly minimal: boolean;
}

/** The rows that an update or delete selects: by key or by filter. */
export type SelectionPlan =
  | { readonly by: "KEY"; readonly key: readonly Column[]; readonly ifMatch: boolean }
  | { readonly by: "FILTER"; readonly where: Filter; readonly affectedMax: number };

export interface UpdatePlan extends RelationPlan {
  readonly kind: "UPDATE";
  readonly fields: readonly string[];
  readonly selection: SelectionPlan;
  readonly minimal: boolean;
}

export interface DeletePlan extends RelationPlan {
  readonly kind: "DELETE";
  readonly selection: SelectionPlan;
}

const methods: Readonly<Record<DataRequest["kind"], Method>> = {
  LIST: "GET",
  AGGREGATE: "GET",
  READ: "GET",
  CREATE: "POST",
  UPDATE: "PATCH",
  DELETE: "DELETE",
};

/** Returns the method that a resource must expose for this kind of request. */
export function methodOf(request: Pick<DataRequest, "kind">): Method {
  return methods[request.kind];
}

/**
 * Resolves the relation of a request and, if it names one row, the columns of the key.
 *
 * @throws AppError NOT_FOUND if the resource is missing or exposes no method, or if the id does not fit its primary
 * key
 */
export function planRequest(request: DataRequest, catalogue: Catalogue): Plan {
  const relation = requireRelation(request.target, catalogue);
  switch (request.kind) {
    case "LIST":
      return {
        kind: "LIST",
        relation,
        fields: request.fields,
        deep: request.deep,
        where: request.where,
        order: request.order,
        limit: request.limit,
        hasOffset: request.offset > 0,
        count: request.count,
        search: request.search,
        after: request.after?.map((value) => value === null) ?? null,
      };
    case "AGGREGATE": {
      const { aggregates, groups, where, search, having, order, limit, count } = request;
      const common = { where, search, having, order, limit, count };
      return {
        kind: "AGGREGATE",
        relation,
        aggregates,
        groups,
        ...common,
        hasOffset: request.offset > 0,
      };
    }
    case "READ":
      return {
        kind: "READ",
        relation,
        fields: request.fields,
        deep: request.deep,
        key: keyOf(relation, request.id),
      };
    case "CREATE":
      return {
        kind: "CREATE",
        relation,
        groups: request.groups.map((group) => group.fields),
        isList: request.isList,
        conflict: request.conflict,
        minimal: request.minimal,
      };
    case "UPDATE":
      return {
        kind: "UPDATE",
        relation,
        fields: [...request.values.keys()],
        selection: planSelection(request.selection, relation),
        minimal: request.minimal,
      };
    case "DELETE":
      return {
        kind: "DELETE",
        relation,
        selection: planSelection(request.selection, relation),
      };
    default:
      return request satisfies never;
  }
}

function planSelection(selection: Selection, relation: Relation): SelectionPlan {
  if (selection.by === "FILTER") {
    return { by: "FILTER", where: selection.where, affectedMax: selection.affectedMax };
  }
  return {
    by: "KEY",
    key: keyOf(relation, selection.id),
    ifMatch: selection.ifMatch !== null,
  };
}

function requireRelation(target: Target, catalogue: Catalogue): Relation {
  const relation = catalogue.relationByName(target.schema, target.name);
  const isKnown =
    relation !== undefined &&
    relation.resource.kind === target.kind &&
    relation.resource.exposedMethods.length > 0;
  if (!isKnown) throw createError("NOT_FOUND");
  return relation;
}

/**
 * Returns the primary key. A table without one has no rows by id, and an id must have as many values as the key has
 * columns.
 */
function keyOf(relation: Relation, id: readonly string[]): Column[] {
  if (relation.primaryKey.length === 0 || relation.primaryKey.length !== id.length) {
    throw createError("NOT_FOUND");
  }
  return relation.primaryKey.map((name) => {
    const column = relation.columnByName(name);
    if (column === undefined) throw createError("NOT_FOUND");
    return column;
  });
}
