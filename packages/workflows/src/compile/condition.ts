import { type ASTNode, Budget, CostError, Environment } from "#cel-js";
import { ComputeBudget, expressionCostMax } from "../base/compute-budget.ts";
import type { ExpressionContext } from "../base/expression-context.ts";
import { RunFault } from "../base/run-fault.ts";
import { variablesOf } from "./expression-variables.ts";

export interface Condition {
  /** Ids of the steps whose outputs it names. */
  readonly steps: ReadonlySet<string>;
  /**
   * Evaluates the condition.
   *
   * @param budget pays the cost of the evaluation
   * @throws RunFault CONDITION_ERROR if it cannot be evaluated or does not yield a boolean, CONDITION_TOO_COSTLY above
   * the cost limit of one expression, RUN_TOO_COSTLY above the rest of `budget`
   */
  evaluate(context: ExpressionContext, budget?: ComputeBudget): boolean;
}

/** An expression that cannot be compiled. The message is for the workflow's author. */
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
// JSON has one kind of number, CEL has three. Integers become int, other numbers double; these operators mix the two.
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
    steps: variables.steps,
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
        throw new RunFault("CONDITION_ERROR", "The condition must yield true or false");
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
      throw new Error(`A condition must yield a boolean; this expression yields a ${check.type}`);
    }
    return { evaluate: parsed, ast: parsed.ast };
  } catch (error) {
    throw new ConditionSyntaxError(firstLine(error), { cause: error });
  }
}

/**
 * Returns whether an expression calls `matches`. CEL requires a linear-time engine; the library uses JavaScript's
 * regular expressions, where one expression and one caller's text can block the process without a limit.
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
    "The condition costs too much to evaluate. Iterate over fewer values, or avoid nested loops",
    cause,
  );
}

function firstLine(error: unknown): string {
  return (
    (error instanceof Error ? error.message : String(error)).split("\n")[0]?.slice(0, 300) ?? ""
  );
}
