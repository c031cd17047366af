import { parseExactJson } from "@rowhouse/wire";
import { type ASTNode, Budget, CostError, Environment, EvaluationError } from "#cel-js";
import { ComputeBudget, expressionCostMax } from "../base/compute-budget.ts";
import type { ExpressionContext } from "../base/expression-context.ts";
import { RunFault } from "../base/run-fault.ts";
import { convert, variablesOf } from "./expression-variables.ts";

export interface Condition {
  /** Ids of the steps whose outputs it names. */
  readonly steps: ReadonlySet<string>;
  /** Ids of the steps whose faults it names. */
  readonly errors: ReadonlySet<string>;
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
  ["%", remainder],
];

function remainder(left: number, right: number): number {
  if (right === 0) throw new EvaluationError("modulo by zero");
  return left % right;
}

/** Parses JSON to the values that a context has: maps, which have no prototype, and exact integers. */
function parseBytes(this: Pick<Budget, "charge">, bytes: Uint8Array): unknown {
  this.charge(bytes.length);
  return convert(parseExactJson(Buffer.from(bytes).toString()), (count) => this.charge(count));
}

/** The roots that an expression may read, by its place. */
export type ConditionPlace = "TRIGGER" | "STEP" | "LOOP";

function createEnvironment(variables: Readonly<Record<string, "map" | "dyn">>): Environment {
  const environment = new Environment({
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: { maxAstNodes: 1000, maxDepth: 50 },
  });
  for (const [name, type] of Object.entries(variables)) environment.registerVariable(name, type);
  // JSON has one kind of number, CEL has three. Integers become int, other numbers double; these operators mix the two.
  for (const [operator, calculate] of arithmetic) {
    environment
      .registerOperator(`double ${operator} int: double`, (left: number, right: bigint) =>
        calculate(left, Number(right)),
      )
      .registerOperator(`int ${operator} double: double`, (left: bigint, right: number) =>
        calculate(Number(left), right),
      );
  }
  return environment
    .registerOperator("double % double", remainder)
    .registerFunction("bytes.json(): dyn", parseBytes);
}

const stepVariables = { start: "map", steps: "map", vars: "map", errors: "map" } as const;
const environments: Readonly<Record<ConditionPlace, Environment>> = {
  TRIGGER: createEnvironment({ start: "map" }),
  STEP: createEnvironment(stepVariables),
  LOOP: createEnvironment({ ...stepVariables, item: "dyn", index: "dyn" }),
};

/**
 * Compiles and checks a CEL expression over `start`; at a step, also over `steps`, `vars` and `errors`; in a loop, also
 * over `item` and `index`.
 *
 * @throws ConditionSyntaxError
 * @example compileCondition("start.data.body.distance > 10 && has(vars.driver)")
 */
export function compileCondition(expression: string, place: ConditionPlace = "LOOP"): Condition {
  const { evaluate, ast } = parse(expression, place);
  const variables = variablesOf(ast);
  return {
    steps: variables.steps,
    errors: variables.errors,
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

function parse(expression: string, place: ConditionPlace): Parsed {
  try {
    const parsed = environments[place].parse(expression);
    if (callsMatches(parsed.ast)) {
      throw new Error("matches is not available; use startsWith, endsWith, contains or ==");
    }
    const check = parsed.check();
    if (!check.valid) {
      throw new Error(misplaced(check.error, place) ?? firstLine(check.error), {
        cause: check.error,
      });
    }
    if (check.type !== "bool" && check.type !== "dyn") {
      throw new Error(`A condition must yield a boolean; this expression yields a ${check.type}`);
    }
    return { evaluate: parsed, ast: parsed.ast };
  } catch (error) {
    throw new ConditionSyntaxError(firstLine(error), { cause: error });
  }
}

/** Returns the message for a root that exists elsewhere; undefined for any other fault. */
function misplaced(error: unknown, place: ConditionPlace): string | undefined {
  const name = /^Unknown variable: (\w+)$/.exec(firstLine(error))?.[1];
  if (name === undefined || !environments.LOOP.hasVariable(name)) return undefined;
  return place === "TRIGGER"
    ? `A filter reads start only; ${name} is available in the steps`
    : `${name} is available only inside a forEach`;
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
