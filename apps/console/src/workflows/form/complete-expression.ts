import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import {
  isPlainName,
  openPlaceholder,
  pathAtEnd,
  type Scope,
  type Shape,
  shapeAt,
} from "./shape.ts";

/** The language of a text: text with `{{…}}`, JSON whose texts have them, or CEL. */
export type ExpressionLanguage = "TEMPLATE" | "JSON" | "CEL";

/** Functions and macros of CEL, with what they are applied to. */
const celFunctions: readonly Completion[] = [
  { label: "size", detail: "(list)" },
  { label: "has", detail: "(path)" },
  { label: "string", detail: "(value)" },
  { label: "int", detail: "(value)" },
  { label: "double", detail: "(value)" },
  { label: "timestamp", detail: "(text)" },
].map((one) => ({ ...one, type: "function", apply: `${one.label}(` }));
const celWords = ["true", "false", "null", "in"].map((label) => ({ label, type: "keyword" }));
const celMethods = {
  string: ["startsWith", "endsWith", "contains", "size"],
  array: ["exists", "all", "exists_one", "filter", "map", "size"],
};

/**
 * Offers what an expression can name: arrows choose, Enter accepts.
 *
 * @param findScope returns what can be named; called when the list opens
 */
export function expressionCompletion(
  language: ExpressionLanguage,
  findScope: () => Promise<Scope>,
): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const before = context.state.sliceDoc(0, context.pos);
    const text = language === "CEL" ? before : openPlaceholder(before);
    const kind = language === "CEL" ? "CEL" : "TEMPLATE";
    const path = text === undefined ? undefined : pathAtEnd(text, kind);
    if (path === undefined) return null;
    const isEmpty = path.typed === "" && path.keys.length === 0;
    if (isEmpty && language === "CEL" && !context.explicit) return null;
    const { roots } = await findScope();
    if (context.aborted) return null;
    const shape = shapeAt(roots, path.keys);
    const isRoot = path.keys.length === 0;
    const options = [
      ...(shape === undefined ? [] : optionsOf(shape, language, isRoot)),
      ...(language === "CEL" ? celOptions(shape, isRoot) : []),
    ];
    const from = context.pos - path.typed.length;
    return { from, options, validFor: language === "CEL" ? /^\w*$/ : /^[\w-]*$/ };
  };
  return [
    autocompletion({ override: [source], icons: false, defaultKeymap: false }),
    keymap.of(completionKeymap),
  ];
}

function optionsOf(shape: Shape, language: ExpressionLanguage, isRoot: boolean): Completion[] {
  const names = Object.entries(shape.properties ?? {}).map(([name, inner]) =>
    optionOf(name, inner, language, isRoot),
  );
  if (shape.items === undefined || language === "CEL") return names;
  return [...names, optionOf("0", shape.items, language, false)];
}

function optionOf(
  name: string,
  shape: Shape,
  language: ExpressionLanguage,
  isRoot: boolean,
): Completion {
  const examples = (shape.examples ?? []).join("\n");
  return {
    label: name,
    detail: shape.type === "any" ? "" : shape.type,
    ...(examples === "" ? {} : { info: examples }),
    apply: (view, _option, from, to) => insertName(view, name, { from, to }, language, isRoot),
  };
}

/** Inserts a name, in brackets where it cannot follow a dot, and closes the placeholder around it. */
function insertName(
  view: EditorView,
  name: string,
  range: { readonly from: number; readonly to: number },
  language: ExpressionLanguage,
  isRoot: boolean,
): void {
  const isPlain = /^\d+$/.test(name) || isPlainName(name, language === "CEL" ? "CEL" : "TEMPLATE");
  const quote = language === "JSON" ? '\\"' : '"';
  const insert = isPlain || isRoot ? name : `[${quote}${name}${quote}]`;
  const from = isPlain || isRoot ? range.from : range.from - 1;
  const after = view.state.sliceDoc(range.to);
  const end = after.indexOf("}}");
  const start = after.indexOf("{{");
  const isClosed = language === "CEL" || (end !== -1 && (start === -1 || end < start));
  view.dispatch({
    changes: { from, to: range.to, insert: isClosed ? insert : `${insert}}}` },
    selection: { anchor: from + insert.length },
    userEvent: "input.complete",
  });
}

function celOptions(shape: Shape | undefined, isRoot: boolean): readonly Completion[] {
  if (isRoot) return [...celFunctions, ...celWords];
  const methods =
    shape?.type === "array" ? celMethods.array : shape?.type === "string" ? celMethods.string : [];
  return methods.map((label) => ({ label, type: "function", apply: `${label}(` }));
}
