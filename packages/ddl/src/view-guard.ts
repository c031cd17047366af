import type { FuncCall, RangeVar, SelectStmt, SQLValueFunction, TypeName } from "libpg-query";
import { qualifyCall } from "./base/qualify-call.ts";
import { refuseExpression } from "./base/sql-grammar.ts";
import { placeAtByte, type TextPlace } from "./base/text-place.ts";
import { fieldShapeOf, isAllowedNode } from "./base/view-shapes.ts";
import { clockKeywords, functions, volatileFunctions } from "./expression-allowlist.ts";
import type { TypeReference } from "./guarded-table.ts";
import { guardTypeName, isReservedSchema, namePartsOf } from "./type-name.ts";

/**
 * Functions of pg_catalog that a view may call in addition to those of expressions; they read only their arguments.
 */
const ofViews: readonly string[] = [
  // Aggregates
  ...[
    "count",
    "sum",
    "avg",
    "min",
    "max",
    "array_agg",
    "string_agg",
    "bool_and",
    "bool_or",
    "every",
  ],
  ...["any_value", "bit_and", "bit_or", "bit_xor", "json_agg", "jsonb_agg", "json_object_agg"],
  ...["jsonb_object_agg", "json_agg_strict", "jsonb_agg_strict", "json_object_agg_strict"],
  ...["jsonb_object_agg_strict", "range_agg", "range_intersect_agg", "stddev", "stddev_pop"],
  ...["stddev_samp", "variance", "var_pop", "var_samp", "corr", "covar_pop", "covar_samp"],
  ...["regr_avgx", "regr_avgy", "regr_count", "regr_intercept", "regr_r2", "regr_slope"],
  ...["regr_sxx", "regr_sxy", "regr_syy", "mode", "percentile_cont", "percentile_disc"],
  // Window functions
  ...["row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead"],
  ...["first_value", "last_value", "nth_value"],
  // Set-returning functions
  ...["generate_series", "generate_subscripts", "unnest", "string_to_table"],
  ...["regexp_split_to_table", "regexp_matches", "regexp_match", "regexp_split_to_array"],
  ...["json_array_elements", "json_array_elements_text", "json_each", "json_each_text"],
  ...["json_object_keys", "json_to_record", "json_to_recordset", "jsonb_array_elements"],
  ...["jsonb_array_elements_text", "jsonb_each", "jsonb_each_text", "jsonb_object_keys"],
  ...["jsonb_to_record", "jsonb_to_recordset", "jsonb_path_query"],
  // JSON
  ...["to_json", "row_to_json", "array_to_json", "json_build_object", "json_build_array"],
  ...["json_extract_path", "json_extract_path_text", "jsonb_set", "jsonb_insert", "jsonb_pretty"],
  ...["jsonb_path_query_array", "jsonb_path_query_first", "jsonb_object", "json_object"],
  ...["json_strip_nulls"],
  // Text, numbers, arrays, ranges, full text
  ...["lpad", "rpad", "to_ascii", "quote_ident", "unistr", "degrees", "radians", "pi"],
  ...["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "cbrt", "log10", "factorial"],
  ...["array_positions", "array_replace", "array_dims", "trim_array", "array_sort"],
  ...["array_reverse", "range_merge", "multirange", "abbrev", "netmask", "text", "set_masklen"],
  ...["ts_rank", "ts_rank_cd", "ts_headline", "phraseto_tsquery", "setweight", "strip", "numnode"],
  ...["querytree", "tsvector_to_array", "ts_delete", "crc32", "crc32c"],
];

/**
 * Functions that a view may call: their results depend only on their arguments and the current time. Volatile
 * functions are excluded, because a filter on a column that changes with each evaluation protects nothing.
 */
export const viewFunctions: ReadonlySet<string> = new Set(
  [...functions, ...ofViews].filter((name) => !volatileFunctions.has(name)),
);

/** A table or view that a definition reads. */
export interface RelationReference {
  readonly schema: string;
  readonly name: string;
  /** Where the text mentions it. */
  readonly place: TextPlace | undefined;
}

/** The objects of a definition that require a lookup in the database. */
export interface ViewReferences {
  readonly relations: readonly RelationReference[];
  readonly types: readonly TypeReference[];
}

const depthMax = 500;

/** Specific messages for common forms that a view may not contain. */
const refusedFields: Readonly<Record<string, string>> = {
  intoClause: "A view cannot contain INTO",
  lockingClause: "A view cannot lock rows",
  catalogname: "A view can read only tables of its own database",
  search_clause: "SEARCH is not allowed in a definition",
  cycle_clause: "CYCLE is not allowed in a definition",
};
const refusedNodes: Readonly<Record<string, string>> = {
  InsertStmt: "A view cannot change rows",
  UpdateStmt: "A view cannot change rows",
  DeleteStmt: "A view cannot change rows",
  MergeStmt: "A view cannot change rows",
  ParamRef: "A view cannot have parameters",
  RangeTableSample: "TABLESAMPLE is not allowed in a definition",
};

/**
 * Walks a SELECT and accepts only nodes on the allowlists. It modifies the tree in scope: it qualifies functions and
 * relations with their schema, so that an object of the same name on a search path cannot replace them.
 *
 * @param schema the schema of relations without an explicit one: the view's own
 * @param text the text of the SELECT, for the places of faults
 * @throws AppError EXPRESSION_INVALID
 */
export function guardSelect(
  select: SelectStmt,
  { schema, path, text }: { readonly schema: string; readonly path: string; readonly text: string },
): ViewReferences {
  const guard = new SelectGuard(schema, path, text);
  guard.visit("SelectStmt", select, { names: new Set(), depth: 0 });
  return guard;
}

interface WithScope {
  /** The WITH queries that are visible here. */
  readonly names: ReadonlySet<string>;
  readonly depth: number;
}

class SelectGuard implements ViewReferences {
  readonly relations: RelationReference[] = [];
  readonly types: TypeReference[] = [];
  readonly #schema: string;
  readonly #path: string;
  readonly #text: string;
  /** The offset in bytes of the node that is visited, or of one around it. */
  #location: number | undefined;

  constructor(schema: string, path: string, text: string) {
    this.#schema = schema;
    this.#path = path;
    this.#text = text;
  }

  visit(kind: string, node: object, scope: WithScope): void {
    // PostgreSQL leaves out an offset of 0, and has -1 for a node without one.
    if ("location" in node && typeof node.location === "number" && node.location >= 0) {
      this.#location = node.location;
    }
    if (scope.depth > depthMax) this.#refuse("The definition is nested too deeply");
    if (!isAllowedNode(kind)) {
      this.#refuse(refusedNodes[kind] ?? "This form is not allowed in a view's definition");
    }
    this.#inspect(kind, node, scope);
    const inside =
      kind === "SelectStmt" ? this.#withNames(node as SelectStmt, scope) : deeper(scope);
    for (const [field, part] of Object.entries(node)) {
      const shape = fieldShapeOf(kind, field);
      if (shape === undefined) {
        this.#refuse(refusedFields[field] ?? "This form is not allowed in a view's definition");
      }
      // The WITH queries were visited with the names that are visible to each.
      if (shape === "value" || (kind === "SelectStmt" && field === "withClause")) continue;
      if (shape === "nodes") this.#visitNodes(part, inside);
      else this.visit(shape.kind, part as object, inside);
    }
  }

  #visitNodes(part: unknown, scope: WithScope): void {
    for (const node of Array.isArray(part) ? part : [part]) {
      // The tree has an empty node where the SQL has none, for example DISTINCT without a list.
      for (const [kind, content] of Object.entries(node as object)) {
        this.visit(kind, content as object, scope);
      }
    }
  }

  /** Returns the scope inside a SELECT, where its own WITH queries are visible; visits those queries. */
  #withNames(select: SelectStmt, scope: WithScope): WithScope {
    const clause = select.withClause;
    if (clause === undefined) return deeper(scope);
    const { ctes = [], recursive = false, ...rest } = clause;
    if (Object.keys(rest).some((field) => fieldShapeOf("WithClause", field) === undefined)) {
      this.#refuse("This form is not allowed in a view's definition");
    }
    const names = new Set(scope.names);
    const nameOf = (cte: object): string | undefined =>
      "CommonTableExpr" in cte ? (cte.CommonTableExpr as { ctename?: string }).ctename : undefined;
    if (recursive) for (const cte of ctes) names.add(nameOf(cte) ?? "");
    for (const cte of ctes) {
      this.#visitNodes(cte, { names: new Set(names), depth: scope.depth + 1 });
      names.add(nameOf(cte) ?? "");
    }
    return { names, depth: scope.depth + 1 };
  }

  #inspect(kind: string, node: object, scope: WithScope): void {
    if (kind === "RangeVar") this.#inspectRelation(node as RangeVar, scope);
    else if (kind === "FuncCall") this.#inspectCall(node as FuncCall);
    else if (kind === "TypeName") this.#inspectType(node as TypeName);
    else if (kind === "A_Expr") this.#inspectOperator((node as { name?: object[] }).name);
    else if (kind === "SubLink") this.#inspectOperator((node as { operName?: object[] }).operName);
    else if (kind === "SortBy") this.#inspectOperator((node as { useOp?: object[] }).useOp);
    else if (
      kind === "SQLValueFunction" &&
      !clockKeywords.has((node as SQLValueFunction).op ?? "")
    ) {
      this.#refuse("The only keywords allowed are those that return the current date or time");
    }
  }

  #inspectRelation(relation: RangeVar, scope: WithScope): void {
    const name = relation.relname ?? "";
    if (relation.schemaname === undefined && scope.names.has(name)) return;
    relation.schemaname ??= this.#schema;
    if (isReservedSchema(relation.schemaname)) {
      this.#refuse(`A view cannot read the schema ${relation.schemaname}`);
    }
    this.relations.push({ schema: relation.schemaname, name, place: this.#place() });
  }

  #inspectCall(call: FuncCall): void {
    const names = namePartsOf(call.funcname);
    const name = names.at(-1) ?? "";
    const [schema] = names.length === 2 ? names : [];
    if (names.length <= 2 && (schema === undefined || schema === "pg_catalog")) {
      if (viewFunctions.has(name)) {
        qualifyCall(call, name);
        return;
      }
      const hint = schema === undefined ? "; qualify a function of your own with its schema" : "";
      this.#refuse(`The function ${name} is not allowed in a view${hint}`);
    }
    if (schema === undefined || isReservedSchema(schema)) {
      this.#refuse(`The function ${names.join(".")} is not allowed in a view`);
    }
  }

  #inspectType(type: TypeName): void {
    const reference = guardTypeName(type, this.#path);
    if (reference !== undefined) this.types.push({ ...reference, place: this.#place() });
  }

  /** Operators of Postgres only compute a value; for others, the database looks up the function behind them. */
  #inspectOperator(name: object[] | undefined): void {
    const names = namePartsOf(name as Parameters<typeof namePartsOf>[0]);
    const [schema] = names.length > 1 ? names : [];
    if (schema !== undefined && schema !== "pg_catalog" && isReservedSchema(schema)) {
      this.#refuse(`The operator ${names.join(".")} is not allowed in a view`);
    }
  }

  #refuse(message: string): never {
    refuseExpression(this.#path, message, this.#place());
  }

  #place(): TextPlace | undefined {
    return this.#location === undefined ? undefined : placeAtByte(this.#text, this.#location);
  }
}

function deeper({ names, depth }: WithScope): WithScope {
  return { names, depth: depth + 1 };
}
