import { type ASTNode, Budget, CostError, Environment } from "@marcbachmann/cel-js";
import { ComputeBudget, expressionCostMax } from "../base/compute-budget.ts";
import type { ExpressionContext } from "../base/expression-context.ts";
import { RunFault } from "../base/run-fault.ts";
import { variablesOf } from "./expression-variables.ts";

/** A compiled CEL expression. */
export interface Condition {
  /**
   * @param budget what it costs is taken from
   * @throws RunFault CONDITION_ERROR where it cannot be evaluated or gives no boolean, CONDITION_TOO_COSTLY above the
   * cost that one expression may have, RUN_TOO_COSTLY above what `budget` has left
   */
  evaluate(context: ExpressionContext, budget?: ComputeBudget): boolean;
}

/** Why an expression cannot be compiled; the message is for the workflow's author. */
export class ConditionSyntaxError extends Error {
  override readonly name = "ConditionSyntaxError";
}

const arithmetic: readonly (readonly [string, (left: number, right: number) => number])[] = [
  ["+", (left, right) => left + right],
  ["-", (left, right) => left - right],
  ["*", (left, right) => left * right],
  ["/", (left, right) => left / right],
];

const environment = new Environment({
  homogeneousAggregateLiterals: false,
  enableOptionalTypes: true,
  limits: { maxAstNodes: 1000, maxDepth: 50 },
})
  .registerVariable("start", "map")
  .registerVariable("steps", "map")
  .registerVariable("vars", "map")
  .registerVariable("errors", "map")
  .registerVariable("item", "dyn")
  .registerVariable("index", "dyn");
// JSON knows one kind of number, CEL three: whole numbers become int, the others double, and the two compare and
// calculate with one another.
for (const [operator, calculate] of arithmetic) {
  environment.registerOperator(`double ${operator} int`, (left: number, right: bigint) =>
    calculate(left, Number(right)),
  );
  environment.registerOperator(`int ${operator} double`, (left: bigint, right: number) =>
    calculate(Number(left), right),
  );
}

/**
 * Compiles and checks a CEL expression over `start`, `steps`, `vars`, `errors`, `item` and `index`.
 *
 * @throws ConditionSyntaxError
 * @example compileCondition("start.data.body.distance > 10 && has(vars.driver)")
 */
export function compileCondition(expression: string): Condition {
  const { evaluate, ast } = parse(expression);
  const variables = variablesOf(ast);
  return {
    evaluate: (context, budget = new ComputeBudget()) => {
      const max = budget.forExpression;
      const left = new Budget(max);
      let value: unknown;
      try {
        value = evaluate(
          variables.build(context, (count) => left.charge(count)),
          left,
        );
      } catch (error) {
        if (error instanceof CostError) {
          budget.charge(expressionCostMax);
          throw tooCostly(error);
        }
        budget.charge(max - left.remaining);
        throw new RunFault("CONDITION_ERROR", firstLine(error), error);
      }
      budget.charge(max - left.remaining);
      if (typeof value !== "boolean") {
        throw new RunFault("CONDITION_ERROR", "The condition is neither true nor false");
      }
      return value;
    },
  };
}

interface Parsed {
  readonly evaluate: (variables: Record<string, unknown>, budget: Budget) => unknown;
  readonly ast: ASTNode;
}

function parse(expression: string): Parsed {
  try {
    const parsed = environment.parse(expression);
    if (callsMatches(parsed.ast)) {
      throw new Error("matches is not available; use startsWith, endsWith, contains or ==");
    }
    const check = parsed.check();
    if (!check.valid) throw check.error ?? new Error("The expression is not valid");
    if (check.type !== "bool" && check.type !== "dyn") {
      throw new Error(`A condition is true or false; this is a ${check.type}`);
    }
    return { evaluate: parsed, ast: parsed.ast };
  } catch (error) {
    throw new ConditionSyntaxError(firstLine(error), { cause: error });
  }
}

/**
 * Whether an expression calls `matches`. CEL asks for an engine that takes linear time; the library has JavaScript's,
 * where one expression and one caller's text can hold every run of the process up for as long as they like.
 */
function callsMatches(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(callsMatches);
  if (typeof node !== "object" || node === null) return false;
  const { op, args } = node as { readonly op?: unknown; readonly args?: unknown };
  const isCall = (op === "rcall" || op === "call") && Array.isArray(args) && args[0] === "matches";
  return isCall || callsMatches(args);
}

function tooCostly(cause: unknown): RunFault {
  return new RunFault(
    "CONDITION_TOO_COSTLY",
    "The condition costs too much to evaluate. Go through fewer values, or avoid loops inside loops",
    cause,
  );
}

function firstLine(error: unknown): string {
  return (
    (error instanceof Error ? error.message : String(error)).split("\n")[0]?.slice(0, 300) ?? ""
  );
}
