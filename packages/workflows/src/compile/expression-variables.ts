import { exactNumberText } from "@rowhouse/wire";
import type { ASTNode } from "#cel-js";
import type { ExpressionContext } from "../base/expression-context.ts";
import { isJsonObject } from "../base/json.ts";

/** The parts of a context that an expression reads, as trees of keys; `undefined` selects everything below. */
type Selection = Map<string, Selection> | undefined;

/** Builds the CEL variables of an expression from a context. */
export interface ExpressionVariables {
  /** Ids of the steps whose outputs the expression names. */
  readonly steps: ReadonlySet<string>;
  /** Ids of the steps whose faults the expression names. */
  readonly errors: ReadonlySet<string>;
  /** @param charge receives the number of values before they are converted */
  build(context: ExpressionContext, charge: (count: number) => void): Record<string, unknown>;
}

const roots = ["start", "steps", "vars", "errors", "item", "index"] as const;
const rootNames: ReadonlySet<string> = new Set(roots);

/**
 * Finds the parts of a context that an expression reads. Only these are converted: a loop over 10,000 items whose
 * condition reads one number of each must not convert the caller's whole body 10,000 times.
 */
export function variablesOf(ast: ASTNode): ExpressionVariables {
  const selection: Map<string, Selection> = new Map();
  select(ast, selection);
  return {
    steps: new Set(selection.get("steps")?.keys()),
    errors: new Set(selection.get("errors")?.keys()),
    build: (context, charge) =>
      Object.fromEntries(
        roots.map((root) => {
          const value = context[root] ?? null;
          const isNamed = selection.has(root);
          // CEL checks the type of a variable even if the expression does not read it.
          if (!isNamed) return [root, isJsonObject(value) ? new Map() : null];
          return [root, convertPart(value, selection.get(root), charge)];
        }),
      ),
  };
}

function select(node: unknown, selection: Map<string, Selection>): void {
  if (Array.isArray(node)) {
    for (const part of node) select(part, selection);
    return;
  }
  if (!isNode(node)) return;
  const path = pathOf(node);
  if (path === undefined) select(node.args, selection);
  else add(selection, path);
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}

/** Returns the root and the keys of a chain such as `start.data["a b"].?c`; undefined for any other expression. */
function pathOf(node: ASTNode): readonly string[] | undefined {
  switch (node.op) {
    case "id":
      return rootNames.has(node.args) ? [node.args] : undefined;
    case ".":
    case ".?": {
      const [of, key] = node.args;
      const path = pathOf(of);
      return path === undefined ? undefined : [...path, key];
    }
    case "[]":
    case "[?]": {
      const [of, key] = node.args;
      if (key.op !== "value" || typeof key.args !== "string") return undefined;
      const path = pathOf(of);
      return path === undefined ? undefined : [...path, key.args];
    }
    default:
      return undefined;
  }
}

function add(selection: Map<string, Selection>, path: readonly string[]): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    selection.set(key, undefined);
    return;
  }
  if (!selection.has(key)) selection.set(key, new Map());
  const below = selection.get(key);
  if (below !== undefined) add(below, rest);
}

function convertPart(
  value: unknown,
  selection: Selection,
  charge: (count: number) => void,
): unknown {
  if (selection === undefined || !isJsonObject(value)) return convert(value, charge);
  charge(1);
  const part = new Map<string, unknown>();
  for (const [key, below] of selection) {
    if (Object.hasOwn(value, key)) part.set(key, convertPart(value[key], below, charge));
  }
  return part;
}

/** Converts objects to maps, which have no prototype, and numbers to the CEL type of their kind. */
export function convert(value: unknown, charge: (count: number) => void): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  const digits = exactNumberText(value);
  if (digits !== undefined) return exactNumber(digits);
  if (Array.isArray(value)) {
    charge(value.length);
    return value.map((item) => convert(item, charge));
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value);
    charge(entries.length);
    const converted = new Map<string, unknown>();
    for (const [key, item] of entries) converted.set(key, convert(item, charge));
    return converted;
  }
  return value;
}

/** Returns an integer as int, also one such as `9007199254740993.0`, which no double represents. */
function exactNumber(digits: string): bigint | number {
  const [, integer, fraction] = /^(-?\d{1,100})(\.0+)?$/.exec(digits) ?? [];
  const double = Number(digits);
  const isDouble =
    integer === undefined || (fraction !== undefined && Number.isSafeInteger(double));
  return isDouble ? double : BigInt(integer);
}
