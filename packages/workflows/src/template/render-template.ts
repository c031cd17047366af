import { exactNumberText } from "@rowhouse/json";
import { isJsonObject, setOwn, toJson } from "../json.ts";
import { RunFault } from "../run/run-fault.ts";
import type { Scope } from "../run/scope.ts";
import { SecretText } from "../secrets/secret-text.ts";
import {
  type Placeholder,
  parseTemplate,
  secretNameOf,
  type Template,
  type Text,
} from "./parse-template.ts";

/** A JSON value of a definition whose strings are templates, parsed once at publish. */
export type TemplateTree =
  | { readonly kind: "LITERAL"; readonly value: unknown }
  | { readonly kind: "TEMPLATE"; readonly template: Template }
  | { readonly kind: "LIST"; readonly items: readonly TemplateTree[] }
  | { readonly kind: "OBJECT"; readonly entries: readonly (readonly [string, TemplateTree])[] };

export interface RenderOptions {
  /** Applied to each value that a placeholder gave, before it is used. */
  readonly produced?: (value: unknown) => unknown;
  /** Applied to the text of each value that stands inside a longer text, with the position of its part. */
  readonly interpolated?: (text: string, part: number) => string;
  /** Whether secrets may be named: a text with one is a `SecretText` then. */
  readonly secrets?: boolean;
}

/**
 * Parses every string of `value` as a template.
 *
 * @param onFault hears of each string that is no template, with its JSON pointer below `value`
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

/** Every template of a tree, with its JSON pointer below the tree. */
export function* templatesOf(
  tree: TemplateTree,
  pointer: readonly string[] = [],
): Generator<{ readonly template: Template; readonly pointer: readonly string[] }> {
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
 * Fills a tree in. A template that is nothing but one placeholder keeps the value's type; what a placeholder gave is
 * never read as a template.
 *
 * @throws RunFault TEMPLATE_ERROR for a path that leads nowhere and has no default
 */
export function renderTree(tree: TemplateTree, scope: Scope, options: RenderOptions = {}): unknown {
  switch (tree.kind) {
    case "LITERAL":
      return tree.value;
    case "TEMPLATE":
      return renderTemplate(tree.template, scope, options);
    case "LIST":
      return tree.items.map((item) => renderTree(item, scope, options));
    case "OBJECT": {
      const result: Record<string, unknown> = {};
      for (const [key, item] of tree.entries) setOwn(result, key, renderTree(item, scope, options));
      return result;
    }
    default:
      return tree satisfies never;
  }
}

function renderTemplate(template: Template, scope: Scope, options: RenderOptions): unknown {
  const { interpolated = (text: string) => text } = options;
  const [only] = template.parts;
  const produce = (placeholder: Placeholder) => {
    const value = resolve(placeholder, scope);
    return options.produced === undefined ? value : options.produced(value);
  };
  const secretOf = (part: Text | Placeholder): string | undefined =>
    part.kind === "PLACEHOLDER" && options.secrets === true ? secretNameOf(part) : undefined;
  const isWhole = template.parts.length === 1;
  if (isWhole && only?.kind === "PLACEHOLDER" && secretOf(only) === undefined) return produce(only);
  const parts = template.parts.map((part, index) => {
    if (part.kind === "TEXT") return part.text;
    const name = secretOf(part);
    if (name === undefined) return interpolated(textOf(produce(part)), index);
    return { name, write: (value: string) => (isWhole ? value : interpolated(value, index)) };
  });
  const hasSecret = parts.some((part) => typeof part !== "string");
  return hasSecret ? new SecretText(parts) : parts.join("");
}

function resolve(placeholder: Placeholder, scope: Scope): unknown {
  let value: unknown = scope;
  for (const key of placeholder.path) {
    // Own keys only: neither a prototype nor a list's or a text's `length` can be reached.
    const isIndex = Array.isArray(value) && /^[0-9]+$/.test(key);
    if (!(isIndex || isJsonObject(value)) || !Object.hasOwn(value as object, key)) {
      if (placeholder.fallback !== undefined) return placeholder.fallback.value;
      throw new RunFault("TEMPLATE_ERROR", `{{${placeholder.source}}} leads to nothing`);
    }
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** A value inside a longer text: texts as they are, null as nothing, lists and objects as JSON. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return exactNumberText(value) ?? toJson(value);
}
