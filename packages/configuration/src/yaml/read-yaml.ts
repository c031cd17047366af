import { faultsMax } from "@rowhouse/errors";
import { isStorableText, parseExactJson, writeExactJson } from "@rowhouse/wire";
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  Parser,
  type YAMLMap,
  YAMLParseError,
} from "yaml";
import type { ReadYaml, TextFault, YamlPlace } from "./yaml-text.ts";

/** Values of the keys `NAME`, in place of texts that consist of `${NAME}`. */
export type VariableValues = ReadonlyMap<string, string>;

const depthMax = 100;
const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const variable = /^\$(\$*)\{([A-Z][A-Z0-9_]*)\}$/;

/**
 * Parses one YAML 1.2 document that has only what JSON has: mappings with text keys, lists, texts, numbers as in JSON,
 * true, false and null. Anchors, aliases, tags and several documents in a file are refused. It takes about a second for
 * 300,000 characters.
 *
 * A text that consists of `${NAME}` is replaced by the variable's value; `$${NAME}` is the text `${NAME}`.
 */
export function readYaml(text: string, variables: VariableValues): ReadYaml {
  const document = parse(text);
  if (document === undefined)
    return { faults: [{ offset: 0, message: "It is nested too deeply" }] };
  const faults: TextFault[] = [];
  for (const errors of [document.errors, document.warnings]) {
    for (const { pos, message } of errors.slice(0, faultsMax)) {
      faults.push({ offset: pos[0], message: message.split("\n", 1)[0] ?? "This is no YAML" });
    }
  }
  if (faults.length > 0) return { faults: faults.slice(0, faultsMax) };
  const reader = new Reader(faults, variables);
  const { value, place } = reader.read(document.contents, null, 0);
  if (faults.length > 0) return { faults };
  return { value: writeExactJson(value), places: JSON.stringify(place) };
}

/**
 * Parses a text in two stages. The second one recurses into what is nested, and a nesting of some thousands of brackets
 * ends the process: so the first stage, which does not, measures it.
 *
 * @returns undefined for a text that is nested too deeply
 */
function parse(text: string): Document.Parsed | undefined {
  const tokens = [...new Parser().parse(text)];
  if (tokens.some((token) => isTooDeep(token))) return undefined;
  const options = { schema: "core", version: "1.2", prettyErrors: false } as const;
  const composer = new Composer({ ...options, stringKeys: true, uniqueKeys: false });
  const [document, second] = composer.compose(tokens, true, text.length);
  if (document === undefined) throw new Error("The composer returned no document");
  if (second !== undefined) {
    const message = "A file has one document";
    document.errors.push(
      new YAMLParseError(second.range.slice(0, 2) as [number, number], "MULTIPLE_DOCS", message),
    );
  }
  return document as Document.Parsed;
}

function isTooDeep(root: CST.Token): boolean {
  const left: { readonly token: CST.Token; readonly depth: number }[] = [{ token: root, depth: 0 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { token, depth } = next;
    if (depth > depthMax) return true;
    const inside: (CST.Token | null | undefined)[] = [];
    if ("value" in token && typeof token.value === "object") inside.push(token.value);
    if ("items" in token) for (const { key, value } of token.items) inside.push(key, value);
    for (const one of inside) if (one) left.push({ token: one, depth: depth + 1 });
  }
  return false;
}

interface ReadNode {
  readonly value: unknown;
  readonly place: YamlPlace;
}

class Reader {
  readonly #faults: TextFault[];
  readonly #variables: VariableValues;

  constructor(faults: TextFault[], variables: VariableValues) {
    this.#faults = faults;
    this.#variables = variables;
  }

  read(node: unknown, key: number | null, depth: number): ReadNode {
    const offset = offsetOf(node) ?? key ?? 0;
    if (node === null || node === undefined) return { value: null, place: { key, value: offset } };
    if (depth > depthMax) this.#refuse(node, "It is nested too deeply");
    else if (isAlias(node) || (node as { anchor?: string }).anchor !== undefined) {
      this.#refuse(node, "Anchors and aliases are not used here");
    } else if ((node as { tag?: string }).tag !== undefined) {
      this.#refuse(node, "Tags are not used here");
    } else if (isMap(node)) return this.#mappingOf(node as YAMLMap, { key, value: offset }, depth);
    else if (isSeq(node)) {
      const items: ReadNode[] = [];
      for (const item of node.items) {
        if (this.#faults.length >= faultsMax) break;
        items.push(this.read(item, null, depth + 1));
      }
      return {
        value: items.map(({ value }) => value),
        place: { key, value: offset, items: items.map(({ place }) => place) },
      };
    } else return { value: this.#scalarOf(node), place: { key, value: offset } };
    return { value: null, place: { key, value: offset } };
  }

  // The parser's own search for repeated keys compares each key with each other one.
  #mappingOf({ items }: YAMLMap, place: YamlPlace, depth: number): ReadNode {
    const read = new Map<string, ReadNode>();
    for (const { key: keyNode, value } of items) {
      const key = String(isScalar(keyNode) ? keyNode.value : keyNode);
      if (read.has(key)) this.#refuse(keyNode, `The key ${key} stands twice`);
      else read.set(key, this.read(value, offsetOf(keyNode) ?? 0, depth + 1));
      if (this.#faults.length >= faultsMax) break;
    }
    const entries = [...read];
    return {
      value: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
      place: {
        ...place,
        items: Object.fromEntries(entries.map(([key, one]) => [key, one.place])),
      },
    };
  }

  #scalarOf(node: unknown): unknown {
    if (!isScalar(node)) return this.#refuse(node, "This is no value");
    const { value, source } = node;
    if (typeof value === "string") return this.#textOf(node, value);
    if (typeof value !== "number" && typeof value !== "bigint") return value;
    if (source === undefined || !jsonNumber.test(source)) {
      return this.#refuse(node, "Numbers are written as in JSON; put a text in quotation marks");
    }
    return parseExactJson(source);
  }

  #textOf(node: unknown, text: string): unknown {
    if (!isStorableText(text)) {
      return this.#refuse(node, "Text cannot contain NUL or an unpaired surrogate");
    }
    const [whole, dollars = "", name = ""] = variable.exec(text) ?? [];
    if (whole === undefined) return text;
    if (dollars !== "") return text.slice(1);
    return this.#variables.get(name) ?? this.#refuse(node, `The variable ${name} has no value`);
  }

  #refuse(node: unknown, message: string): null {
    this.#faults.push({ offset: offsetOf(node) ?? 0, message });
    return null;
  }
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

/** Returns a text that `readYaml` reads as this one. */
export function escapeVariable(text: string): string {
  return variable.test(text) ? `$${text}` : text;
}
