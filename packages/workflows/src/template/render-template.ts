import { exactNumberText } from "@rowhouse/wire";
import type { ComputeBudget } from "../base/compute-budget.ts";
import type { ExpressionContext } from "../base/expression-context.ts";
import { exceedsSize, isJsonObject, setOwn, toJson } from "../base/json.ts";
import { RunFault } from "../base/run-fault.ts";
import { SecretText } from "../secrets/secret-text.ts";
import {
  type ParsedTemplate,
  type Placeholder,
  parseTemplate,
  secretNameOf,
  type Text,
} from "./parse-template.ts";

/** A JSON value of a definition whose strings are templates, parsed once when it is published. */
export type TemplateTree =
  | { readonly kind: "LITERAL"; readonly value: unknown }
  | { readonly kind: "TEMPLATE"; readonly template: ParsedTemplate }
  | { readonly kind: "LIST"; readonly items: readonly TemplateTree[] }
  | { readonly kind: "OBJECT"; readonly entries: readonly (readonly [string, TemplateTree])[] };

export interface RenderOptions {
  /** Pays the cost of rendering. Without a budget, only the size is limited. */
  readonly budget?: ComputeBudget | undefined;
  /** Applied to each value of a placeholder before it is used. */
  readonly produced?: (value: unknown) => unknown;
  /** Applied to the text of each value inside a longer text, with the index of its part. */
  readonly interpolated?: (text: string, part: number) => string;
  /** Whether templates may use secrets. A text with a secret is then a `SecretText`. */
  readonly secrets?: boolean;
}

/**
 * Parses every string of `value` as a template.
 *
 * @param onFault receives each string that is not a valid template, with its JSON pointer below `value`
 */
export function compileTemplates(
  value: unknown,
  onFault: (pointer: readonly string[], error: unknown) => void,
  pointer: readonly string[] = [],
): TemplateTree {
  if (typeof value === "string") {
    if (!value.includes("{{")) return { kind: "LITERAL", value };
    try {
      return { kind: "TEMPLATE", template: parseTemplate(value) };
    } catch (error) {
      onFault(pointer, error);
      return { kind: "LITERAL", value };
    }
  }
  if (Array.isArray(value)) {
    return {
      kind: "LIST",
      items: value.map((item, index) =>
        compileTemplates(item, onFault, [...pointer, String(index)]),
      ),
    };
  }
  if (isJsonObject(value)) {
    return {
      kind: "OBJECT",
      entries: Object.entries(value).map(([key, item]) => [
        key,
        compileTemplates(item, onFault, [...pointer, key]),
      ]),
    };
  }
  return { kind: "LITERAL", value };
}

/** Yields every template of a tree, with its JSON pointer below the tree. */
export function* templatesOf(
  tree: TemplateTree,
  pointer: readonly string[] = [],
): Generator<{ readonly template: ParsedTemplate; readonly pointer: readonly string[] }> {
  switch (tree.kind) {
    case "LITERAL":
      return;
    case "TEMPLATE":
      yield { template: tree.template, pointer };
      return;
    case "LIST":
      for (const [index, item] of tree.items.entries()) {
        yield* templatesOf(item, [...pointer, String(index)]);
      }
      return;
    case "OBJECT":
      for (const [key, item] of tree.entries) yield* templatesOf(item, [...pointer, key]);
      return;
    default:
      tree satisfies never;
  }
}

/**
 * Renders a tree. A template that consists of one placeholder keeps the type of the value. A value is never parsed as
 * a template.
 *
 * @throws RunFault TEMPLATE_ERROR for a path that has no value and no default, INPUT_TOO_LARGE for texts above the
 * limit of a step, RUN_TOO_COSTLY
 */
export function renderTree(
  tree: TemplateTree,
  context: ExpressionContext,
  options: RenderOptions = {},
): unknown {
  return render(tree, context, options, new TextBound(options.budget));
}

function render(
  tree: TemplateTree,
  context: ExpressionContext,
  options: RenderOptions,
  bound: TextBound,
): unknown {
  switch (tree.kind) {
    case "LITERAL":
      return tree.value;
    case "TEMPLATE":
      return renderTemplate(tree.template, context, options, bound);
    case "LIST":
      return tree.items.map((item) => render(item, context, options, bound));
    case "OBJECT": {
      const result: Record<string, unknown> = {};
      for (const [key, item] of tree.entries) {
        setOwn(result, key, render(item, context, options, bound));
      }
      return result;
    }
    default:
      return tree satisfies never;
  }
}

/** The limit of all texts of one tree together, in characters. A template can use the same large value many times. */
const textMax = 4_194_304;

/** Limits the texts of one tree before they are written. */
class TextBound {
  readonly #budget: ComputeBudget | undefined;
  #left = textMax;

  constructor(budget: ComputeBudget | undefined) {
    this.#budget = budget;
  }

  /** @throws RunFault INPUT_TOO_LARGE, RUN_TOO_COSTLY */
  textOf(value: unknown): string {
    this.#budget?.charge(1);
    if (exceedsSize(value, this.#left)) throw tooMuchText();
    const text = textOf(value);
    this.#left -= text.length;
    // Measured: writing 1 MiB of objects as JSON takes 15 ms; copying a text takes almost no time.
    this.#budget?.charge(typeof value === "string" ? text.length >> 6 : text.length >> 3);
    if (this.#left < 0) throw tooMuchText();
    return text;
  }
}

function tooMuchText(): RunFault {
  return new RunFault("INPUT_TOO_LARGE", "The texts of this step are too long");
}

function renderTemplate(
  template: ParsedTemplate,
  context: ExpressionContext,
  options: RenderOptions,
  bound: TextBound,
): unknown {
  const { interpolated = (text: string) => text } = options;
  const [only] = template.parts;
  const produce = (placeholder: Placeholder) => {
    const value = resolve(placeholder, context);
    return options.produced === undefined ? value : options.produced(value);
  };
  const secretOf = (part: Text | Placeholder): string | undefined =>
    part.kind === "PLACEHOLDER" && options.secrets === true ? secretNameOf(part) : undefined;
  const isWhole = template.parts.length === 1;
  if (isWhole && only?.kind === "PLACEHOLDER" && secretOf(only) === undefined) return produce(only);
  const parts = template.parts.map((part, index) => {
    if (part.kind === "TEXT") return part.text;
    const name = secretOf(part);
    if (name === undefined) return interpolated(bound.textOf(produce(part)), index);
    return { name, write: (value: string) => (isWhole ? value : interpolated(value, index)) };
  });
  const hasSecret = parts.some((part) => typeof part !== "string");
  return hasSecret ? new SecretText(parts) : parts.join("");
}

function resolve(placeholder: Placeholder, context: ExpressionContext): unknown {
  let value: unknown = context;
  for (const key of placeholder.path) {
    // Own keys only: neither a prototype nor the `length` of a list or text is reachable.
    const isIndex = Array.isArray(value) && /^[0-9]+$/.test(key);
    if (!(isIndex || isJsonObject(value)) || !Object.hasOwn(value as object, key)) {
      if (placeholder.fallback !== undefined) return placeholder.fallback.value;
      throw new RunFault("TEMPLATE_ERROR", `{{${placeholder.source}}} has no value`);
    }
    value = (value as Record<string, unknown>)[key];
  }
  return value === null && placeholder.fallback !== undefined ? placeholder.fallback.value : value;
}

/** Returns a value as part of a longer text: a text as it is, null as an empty text, lists and objects as JSON. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return exactNumberText(value) ?? toJson(value);
}
