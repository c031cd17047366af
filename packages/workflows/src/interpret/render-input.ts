import { exactNumberText, isExactNumber } from "@rowhouse/json";
import type { ComputeBudget } from "../base/compute-budget.ts";
import type { ExpressionContext } from "../base/expression-context.ts";
import { type JsonObject, mapLeaves, measure, toJson } from "../base/json.ts";
import { RunFault } from "../base/run-fault.ts";
import type { CompiledEffect } from "../definition/compiled.ts";
import { renderTree } from "../template/render-template.ts";

/** What the templates of an effect may give, in characters of JSON: what a server would be sent, for instance. */
const inputSizeMax = 16_777_216;

/**
 * The templates of an effect, filled in.
 *
 * @param budget what that costs is taken from
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
    throw new RunFault("INPUT_TOO_LARGE", "The templates of this step give more than can be sent");
  }
  return input;
}

function fillIn(
  { step, input: tree, where, url }: CompiledEffect,
  context: ExpressionContext,
  budget: ComputeBudget | undefined,
): JsonObject {
  // Elsewhere a definition with a secret could not be published.
  const secrets = step.kind === "httpRequest";
  const input = renderTree(tree, context, { budget, secrets }) as JsonObject;
  return {
    ...input,
    // What the filter language would read in a value is kept from being read there.
    ...(where === undefined
      ? {}
      : { where: renderTree(where, context, { budget, produced: escapeVariables }) }),
    ...(url === undefined
      ? {}
      : { url: renderTree(url, context, { budget, interpolated: encodeUrlPart, secrets }) }),
    ...("key" in step && step.key !== undefined ? { key: keyOf(input.key) } : {}),
  };
}

/** What a template gave as text: a text as it is, anything else as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return isExactNumber(value) ? (exactNumberText(value) ?? "") : toJson(value);
}

/** A key's values as texts. */
function keyOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.map((one: unknown) => {
    if (typeof one === "string") return one;
    const digits = exactNumberText(one) ?? (typeof one === "number" ? String(one) : undefined);
    if (digits === undefined) throw new RunFault("TEMPLATE_ERROR", "A key is a text or a number");
    return digits;
  });
}

/** `$USER.email` that a caller sent stays a text: the filter language writes it `$$USER.email`. */
function escapeVariables(value: unknown): unknown {
  return mapLeaves(value, (leaf) =>
    typeof leaf === "string" && /^\$(?:USER\.|NOW$|PERIOD\.)/.test(leaf) ? `$${leaf}` : leaf,
  );
}

/** A value as one part of a URL's path or query. */
function encodeUrlPart(text: string, part: number): string {
  // A placeholder that begins the URL is its origin, which the definition's author chose to take from a value.
  if (part === 0) return text;
  if (text === "." || text === "..") {
    throw new RunFault("TEMPLATE_ERROR", "A value inside a URL cannot be a dot segment");
  }
  return encodeURIComponent(text);
}
