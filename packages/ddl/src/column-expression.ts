import type { FuncCall, Node } from "libpg-query";
import { qualifyCall } from "./base/qualify-call.ts";
import { deparseExpression, parseOneExpression, refuseExpression } from "./base/sql-grammar.ts";
import { clockKeywords, functions, operators, volatileFunctions } from "./expression-allowlist.ts";
import type { TypeReference } from "./guarded-table.ts";
import { guardTypeName, namePartsOf } from "./type-name.ts";

/** `using` converts a column to another type; `index` is an index key or the condition of a partial index. */
export type ExpressionKind = "default" | "check" | "generated" | "using" | "index";

/** An expression that passed the guard. */
export interface ParsedExpression {
  /** The deparsed text with qualified function names; this is the text that runs. */
  readonly sql: string;
  readonly references: readonly TypeReference[];
  /** The columns that the expression mentions. */
  readonly columns: readonly string[];
}

const depthMax = 100;

/**
 * Parses an expression with the grammar of Postgres and accepts only nodes on the allowlist.
 *
 * @param columnNames the columns that the expression may mention; a default mentions none
 * @param path the JSON pointer of the text, for the error
 * @throws AppError EXPRESSION_INVALID
 */
export async function parseColumnExpression(
  text: string,
  kind: ExpressionKind,
  columnNames: ReadonlySet<string>,
  path: string,
): Promise<ParsedExpression> {
  const node = await parseOneExpression(text, path);
  const guard = new ExpressionGuard(kind, columnNames, path);
  guard.visit(node, 0);
  const columns = [...guard.columns];
  return { sql: deparseExpression(node, path), references: guard.references, columns };
}

/** Walks a tree that it may modify: it qualifies function names in place. */
class ExpressionGuard {
  readonly references: TypeReference[] = [];
  readonly columns = new Set<string>();
  readonly #kind: ExpressionKind;
  readonly #columnNames: ReadonlySet<string>;
  readonly #path: string;

  constructor(kind: ExpressionKind, columnNames: ReadonlySet<string>, path: string) {
    this.#kind = kind;
    this.#columnNames = columnNames;
    this.#path = path;
  }

  visit(node: Node, depth: number): void {
    if (depth > depthMax) this.#refuse("The expression is nested too deeply");
    this.#inspect(node);
    for (const part of partsOf(node)) {
      // Subqueries, parameters, DEFAULT, XML and nodes that a later Postgres adds.
      if (part === notAllowed) this.#refuse("This form is not allowed in an expression");
      if (part !== undefined) this.visit(part, depth + 1);
    }
  }

  /** Returns the fault of a node itself, without its parts. */
  #inspect(node: Node): void {
    if ("ColumnRef" in node) this.#inspectColumn(node.ColumnRef.fields);
    else if ("FuncCall" in node) this.#inspectCall(node.FuncCall);
    else if ("A_Expr" in node) this.#requireOperator(namePartsOf(node.A_Expr.name));
    else if ("TypeCast" in node) {
      const reference = guardTypeName(node.TypeCast.typeName ?? {}, this.#path);
      if (reference !== undefined) this.references.push(reference);
    } else if ("SQLValueFunction" in node && !clockKeywords.has(node.SQLValueFunction.op ?? "")) {
      this.#refuse("The only keywords allowed are those that return the current date or time");
    }
  }

  #inspectColumn(fields: readonly Node[] | undefined): void {
    if (this.#kind === "default") this.#refuse("A default cannot refer to a column");
    const [name, ...rest] = namePartsOf(fields);
    if (name === undefined || rest.length > 0 || !this.#columnNames.has(name)) {
      this.#refuse("Only columns of the table itself are allowed, without the table's name");
    }
    this.columns.add(name);
  }

  #inspectCall(call: FuncCall): void {
    const { funcname, args, funcformat, location, ...rest } = call;
    if (Object.keys(rest).length > 0) this.#refuse("Only plain function calls are allowed");
    const names = namePartsOf(funcname);
    const name = names.at(-1) ?? "";
    const qualified = names.length === 2 && names[0] === "pg_catalog";
    if ((names.length !== 1 && !qualified) || !functions.has(name)) {
      this.#refuse(`The function ${names.join(".")} is not allowed here`);
    }
    const isLasting = this.#kind !== "default" && this.#kind !== "using";
    if (isLasting && volatileFunctions.has(name)) {
      this.#refuse(`${name} returns a different value for each call and is not allowed here`);
    }
    qualifyCall(call, name);
  }

  #requireOperator(names: readonly string[]): void {
    const qualified = names.length === 2 && names[0] === "pg_catalog";
    const name = names.at(-1) ?? "";
    if ((names.length !== 1 && !qualified) || !operators.has(name)) {
      this.#refuse(`The operator ${names.join(".")} is not allowed here`);
    }
  }

  #refuse(message: string): never {
    refuseExpression(this.#path, message);
  }
}

const notAllowed = Symbol("a node that is not on the list");

/** Returns the parts of a node on the allowlist. */
function partsOf(node: Node): readonly (Node | undefined | typeof notAllowed)[] {
  if ("A_Const" in node || "ColumnRef" in node || "SQLValueFunction" in node) return [];
  if ("List" in node) return node.List.items ?? [];
  if ("BoolExpr" in node) return node.BoolExpr.args ?? [];
  if ("NullTest" in node) return [node.NullTest.arg];
  if ("BooleanTest" in node) return [node.BooleanTest.arg];
  if ("CoalesceExpr" in node) return node.CoalesceExpr.args ?? [];
  if ("MinMaxExpr" in node) return node.MinMaxExpr.args ?? [];
  if ("A_ArrayExpr" in node) return node.A_ArrayExpr.elements ?? [];
  if ("RowExpr" in node) return node.RowExpr.args ?? [];
  if ("FuncCall" in node) return node.FuncCall.args ?? [];
  if ("NamedArgExpr" in node) return [node.NamedArgExpr.arg];
  if ("A_Expr" in node) return [node.A_Expr.lexpr, node.A_Expr.rexpr];
  if ("TypeCast" in node) return [node.TypeCast.arg];
  if ("CollateClause" in node) return [node.CollateClause.arg];
  if ("JsonIsPredicate" in node) return [node.JsonIsPredicate.expr];
  if ("CaseWhen" in node) return [node.CaseWhen.expr, node.CaseWhen.result];
  if ("CaseExpr" in node) {
    return [node.CaseExpr.arg, ...(node.CaseExpr.args ?? []), node.CaseExpr.defresult];
  }
  if ("A_Indices" in node) return [node.A_Indices.lidx, node.A_Indices.uidx];
  if ("A_Indirection" in node) {
    return [node.A_Indirection.arg, ...(node.A_Indirection.indirection ?? [])];
  }
  return [notAllowed];
}
