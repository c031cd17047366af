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

/** A request whose relation is known: stage 2. Its fields are still names, which stage 3 gives meaning. */
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
  /** For each value of the cursor, whether it is null; null without a cursor. */
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
  /** The fields of each group of rows. */
  readonly groups: readonly (readonly string[])[];
  readonly isList: boolean;
  readonly conflict: Conflict | null;
  readonly minimal: boolean;
}

/** Which rows a write is about. */
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

/** The method that exposes a request of this kind. */
export function methodOf(request: Pick<DataRequest, "kind">): Method {
  return methods[request.kind];
}

/**
 * Finds the relation and its key.
 *
 * @throws AppError NOT_FOUND where there is no such resource, or no method of it is exposed
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

/** A table without a primary key has no rows by id; nor has an id of another length than the key. */
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
