import { exactNumberText, isExactNumber } from "@rowhouse/wire";
import type { ComputeBudget } from "../base/compute-budget.ts";
import type { ExpressionContext } from "../base/expression-context.ts";
import { type JsonObject, mapLeaves, measure, toJson } from "../base/json.ts";
import { RunFault } from "../base/run-fault.ts";
import type { CompiledEffect } from "../compile/compiled.ts";
import { renderTree } from "../template/render-template.ts";

/** The limit of an effect's rendered templates, in characters of JSON. */
const inputSizeMax = 16_777_216;

/**
 * Renders the templates of an effect.
 *
 * @param budget pays the cost
 * @throws RunFault TEMPLATE_ERROR, INPUT_TOO_LARGE, RUN_TOO_COSTLY
 */
export function renderInput(
  compiled: CompiledEffect,
  context: ExpressionContext,
  budget?: ComputeBudget,
): JsonObject {
  const input = fillIn(compiled, context, budget);
  const { size } = measure(input, inputSizeMax);
  budget?.charge(Math.ceil(size / 32));
  if (size > inputSizeMax) {
    throw new RunFault(
      "INPUT_TOO_LARGE",
      "The rendered templates of this step are too large to send",
    );
  }
  return input;
}

function fillIn(
  { step, input: tree, where, url }: CompiledEffect,
  context: ExpressionContext,
  budget: ComputeBudget | undefined,
): JsonObject {
  // A definition with a secret in any other step cannot be published.
  const secrets = step.kind === "httpRequest";
  const input = renderTree(tree, context, { budget, secrets }) as JsonObject;
  return {
    ...input,
    // Keeps a value from being read as a variable of the filter language.
    ...(where === undefined
      ? {}
      : { where: renderTree(where, context, { budget, produced: escapeVariables }) }),
    ...(url === undefined
      ? {}
      : { url: renderTree(url, context, { budget, interpolated: encodeUrlPart, secrets }) }),
    ...("key" in step && step.key !== undefined ? { key: keyOf(input.key) } : {}),
  };
}

/** Returns a rendered value as text: a text as it is, any other value as JSON. */
export function renderedTextOf(value: unknown): string {
  if (typeof value === "string") return value;
  return isExactNumber(value) ? (exactNumberText(value) ?? "") : toJson(value);
}

/** Returns the values of a key as texts. */
function keyOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.map((one: unknown) => {
    if (typeof one === "string") return one;
    const digits = exactNumberText(one) ?? (typeof one === "number" ? String(one) : undefined);
    if (digits === undefined)
      throw new RunFault("TEMPLATE_ERROR", "A key must be a text or a number");
    return digits;
  });
}

/** Escapes a caller's `$USER.email` as `$$USER.email`, so that the filter language reads it as text. */
function escapeVariables(value: unknown): unknown {
  return mapLeaves(value, (leaf) =>
    typeof leaf === "string" && /^\$(?:USER\.|NOW$|PERIOD\.|FIELD\.)/.test(leaf)
      ? `$${leaf}`
      : leaf,
  );
}

/** Encodes a value as one part of a URL's path or query. */
function encodeUrlPart(text: string, part: number): string {
  // A placeholder at the beginning of the URL is its origin; the author of the definition chose to take it from a value.
  if (part === 0) return text;
  if (text === "." || text === "..") {
    throw new RunFault("TEMPLATE_ERROR", "A value inside a URL cannot be a dot segment");
  }
  return encodeURIComponent(text);
}
