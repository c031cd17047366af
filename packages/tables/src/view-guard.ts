import type { FuncCall, RangeVar, SelectStmt, SQLValueFunction, TypeName } from "libpg-query";
import { clockKeywords } from "./expression-allowlist.ts";
import type { TypeReference } from "./guarded-table.ts";
import { qualifyCall } from "./qualify-call.ts";
import { refuseExpression } from "./sql-grammar.ts";
import { guardTypeName, isReservedSchema, namesOf } from "./type-name.ts";
import { viewFunctions } from "./view-allowlist.ts";
import { isAllowedNode, shapeOf } from "./view-shapes.ts";

/** A table or view that a definition reads. */
export interface RelationReference {
  readonly schema: string;
  readonly name: string;
}

/** What a definition mentions that only the database can say more of. */
export interface ViewReferences {
  readonly relations: readonly RelationReference[];
  readonly types: readonly TypeReference[];
}

const depthMax = 500;

/** What is said of forms that people write and that have no place in a view. */
const refusedFields: Readonly<Record<string, string>> = {
  intoClause: "A view's definition has no INTO",
  lockingClause: "A view's definition locks no rows",
  catalogname: "A view reads tables of its own database",
  search_clause: "SEARCH is not allowed in a definition",
  cycle_clause: "CYCLE is not allowed in a definition",
};
const refusedNodes: Readonly<Record<string, string>> = {
  InsertStmt: "A view's definition changes no rows",
  UpdateStmt: "A view's definition changes no rows",
  DeleteStmt: "A view's definition changes no rows",
  MergeStmt: "A view's definition changes no rows",
  ParamRef: "A view's definition has no parameters",
  RangeTableSample: "TABLESAMPLE is not allowed in a definition",
};

/**
 * Walks a SELECT and lets through what is on the lists. The tree is changed in place: names of functions and of relations
 * get their schema, so that nothing of the same name on a search path can take their place.
 *
 * @param schema where relations are that are named without a schema: the view's own
 * @throws AppError EXPRESSION_INVALID
 */
export function guardSelect(select: SelectStmt, schema: string, path: string): ViewReferences {
  const guard = new SelectGuard(schema, path);
  guard.visit("SelectStmt", select, { names: new Set(), depth: 0 });
  return guard;
}

interface Place {
  /** The queries of WITH that can be seen here. */
  readonly names: ReadonlySet<string>;
  readonly depth: number;
}

class SelectGuard implements ViewReferences {
  readonly relations: RelationReference[] = [];
  readonly types: TypeReference[] = [];
  readonly #schema: string;
  readonly #path: string;

  constructor(schema: string, path: string) {
    this.#schema = schema;
    this.#path = path;
  }

  visit(kind: string, node: object, place: Place): void {
    if (place.depth > depthMax) this.#refuse("The definition is nested too deeply");
    if (!isAllowedNode(kind)) {
      this.#refuse(refusedNodes[kind] ?? "This form is not allowed in a view's definition");
    }
    this.#inspect(kind, node, place);
    const inside =
      kind === "SelectStmt" ? this.#withNames(node as SelectStmt, place) : deeper(place);
    for (const [field, part] of Object.entries(node)) {
      const shape = shapeOf(kind, field);
      if (shape === undefined) {
        this.#refuse(refusedFields[field] ?? "This form is not allowed in a view's definition");
      }
      // The queries of WITH were visited with the names that each of them sees.
      if (shape === "value" || (kind === "SelectStmt" && field === "withClause")) continue;
      if (shape === "nodes") this.#visitNodes(part, inside);
      else this.visit(shape.kind, part as object, inside);
    }
  }

  #visitNodes(part: unknown, place: Place): void {
    for (const node of Array.isArray(part) ? part : [part]) {
      // The tree has an empty node where the grammar has none: DISTINCT without a list, for one.
      for (const [kind, content] of Object.entries(node as object)) {
        this.visit(kind, content as object, place);
      }
    }
  }

  /** The place inside of a SELECT, where its own WITH can be seen; visits the queries of that WITH. */
  #withNames(select: SelectStmt, place: Place): Place {
    const clause = select.withClause;
    if (clause === undefined) return deeper(place);
    const { ctes = [], recursive = false, ...rest } = clause;
    if (Object.keys(rest).some((field) => shapeOf("WithClause", field) === undefined)) {
      this.#refuse("This form is not allowed in a view's definition");
    }
    const names = new Set(place.names);
    const nameOf = (cte: object): string | undefined =>
      "CommonTableExpr" in cte ? (cte.CommonTableExpr as { ctename?: string }).ctename : undefined;
    if (recursive) for (const cte of ctes) names.add(nameOf(cte) ?? "");
    for (const cte of ctes) {
      this.#visitNodes(cte, { names: new Set(names), depth: place.depth + 1 });
      names.add(nameOf(cte) ?? "");
    }
    return { names, depth: place.depth + 1 };
  }

  #inspect(kind: string, node: object, place: Place): void {
    if (kind === "RangeVar") this.#inspectRelation(node as RangeVar, place);
    else if (kind === "FuncCall") this.#inspectCall(node as FuncCall);
    else if (kind === "TypeName") this.#inspectType(node as TypeName);
    else if (kind === "A_Expr") this.#inspectOperator((node as { name?: object[] }).name);
    else if (kind === "SubLink") this.#inspectOperator((node as { operName?: object[] }).operName);
    else if (kind === "SortBy") this.#inspectOperator((node as { useOp?: object[] }).useOp);
    else if (
      kind === "SQLValueFunction" &&
      !clockKeywords.has((node as SQLValueFunction).op ?? "")
    ) {
      this.#refuse("Of the keywords, only those that give the time are allowed");
    }
  }

  #inspectRelation(relation: RangeVar, place: Place): void {
    const name = relation.relname ?? "";
    if (relation.schemaname === undefined && place.names.has(name)) return;
    relation.schemaname ??= this.#schema;
    if (isReservedSchema(relation.schemaname)) {
      this.#refuse(`A view reads nothing of the schema ${relation.schemaname}`);
    }
    this.relations.push({ schema: relation.schemaname, name });
  }

  #inspectCall(call: FuncCall): void {
    const names = namesOf(call.funcname);
    const name = names.at(-1) ?? "";
    const [schema] = names.length === 2 ? names : [];
    if (names.length <= 2 && (schema === undefined || schema === "pg_catalog")) {
      if (viewFunctions.has(name)) {
        qualifyCall(call, name);
        return;
      }
      const hint = schema === undefined ? "; one of your own is named with its schema" : "";
      this.#refuse(`The function ${name} is not allowed in a view${hint}`);
    }
    if (schema === undefined || isReservedSchema(schema)) {
      this.#refuse(`The function ${names.join(".")} is not allowed in a view`);
    }
  }

  #inspectType(type: TypeName): void {
    const reference = guardTypeName(type, this.#path);
    if (reference !== undefined) this.types.push(reference);
  }

  /** Those of Postgres compute and nothing else; of others, the database is asked for the function behind them. */
  #inspectOperator(name: object[] | undefined): void {
    const names = namesOf(name as Parameters<typeof namesOf>[0]);
    const [schema] = names.length > 1 ? names : [];
    if (schema !== undefined && schema !== "pg_catalog" && isReservedSchema(schema)) {
      this.#refuse(`The operator ${names.join(".")} is not allowed in a view`);
    }
  }

  #refuse(message: string): never {
    refuseExpression(this.#path, message);
  }
}

function deeper({ names, depth }: Place): Place {
  return { names, depth: depth + 1 };
}
