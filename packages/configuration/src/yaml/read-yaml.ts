import { faultsMax } from "@rowhouse/errors";
import { isStorableText, parseExactJson } from "@rowhouse/wire";
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  type YAMLMap,
  YAMLParseError,
} from "yaml";

/** A place in a file; both numbers start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A mistake in a text that is no document. */
export interface TextFault extends Position {
  readonly message: string;
}

/** The steps from the top of a document to a value: names of keys, and indexes of lists. */
export type DocumentPath = readonly (string | number)[];

/** A parsed text: JSON values, and where each of them stands. */
export interface YamlText {
  /** Numbers that a double would change keep their digits. */
  readonly value: unknown;
  /** Returns where a value stands; for one that is missing, where its nearest ancestor does. */
  positionOf(path: DocumentPath): Position;
  /** Returns where a key stands. */
  positionOfKey(path: DocumentPath): Position;
}

/** A value of the key `NAME`, in place of a text that consists of `${NAME}`; undefined if there is none. */
export type VariableOf = (name: string) => string | undefined;

const depthMax = 100;
const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const variable = /^\$(\$*)\{([A-Z][A-Z0-9_]*)\}$/;

/**
 * Parses one YAML 1.2 document that has only what JSON has: mappings with text keys, lists, texts, numbers as in JSON,
 * true, false and null. Anchors, aliases, tags and several documents in a file are refused.
 *
 * A text that consists of `${NAME}` is replaced by the variable's value; `$${NAME}` is the text `${NAME}`.
 */
export function readYaml(text: string, variableOf: VariableOf): YamlText | readonly TextFault[] {
  const lines = new LineCounter();
  const placeOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const document = parse(text, lines);
  if (document === undefined) return [{ line: 1, column: 1, message: "It is nested too deeply" }];
  const faults: TextFault[] = [...document.errors, ...document.warnings]
    .slice(0, faultsMax)
    .map((error) => ({
      ...placeOf(error.pos[0]),
      message: error.message.split("\n", 1)[0] ?? "This is no YAML",
    }));
  if (faults.length > 0) return faults;
  const read = new Reader(faults, placeOf, variableOf);
  const root = document.contents;
  const value = read.valueOf(root, 0);
  if (faults.length > 0) return faults;
  const offsetOf = (node: unknown) => (node as Node | null)?.range?.[0] ?? 0;
  return {
    value,
    positionOf: (path) => placeOf(offsetOf(find(root, path).value)),
    positionOfKey: (path) => {
      const { key, value } = find(root, path);
      return placeOf(offsetOf(key ?? value));
    },
  };
}

/**
 * Parses a text in two stages. The second one recurses into what is nested, and a nesting of some thousands of brackets
 * ends the process: so the first stage, which does not, measures it.
 *
 * @returns undefined for a text that is nested too deeply
 */
function parse(text: string, lineCounter: LineCounter): Document.Parsed | undefined {
  const tokens = [...new Parser(lineCounter.addNewLine).parse(text)];
  if (tokens.some((token) => isTooDeep(token))) return undefined;
  const options = { schema: "core", version: "1.2", prettyErrors: false } as const;
  const composer = new Composer({ ...options, lineCounter, stringKeys: true, uniqueKeys: false });
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

class Reader {
  readonly #faults: TextFault[];
  readonly #placeOf: (offset: number) => Position;
  readonly #variableOf: VariableOf;

  constructor(faults: TextFault[], placeOf: (offset: number) => Position, variableOf: VariableOf) {
    this.#faults = faults;
    this.#placeOf = placeOf;
    this.#variableOf = variableOf;
  }

  valueOf(node: unknown, depth: number): unknown {
    if (node === null || node === undefined) return null;
    if (depth > depthMax) return this.#refuse(node, "It is nested too deeply");
    if (isAlias(node) || (node as { anchor?: string }).anchor !== undefined) {
      return this.#refuse(node, "Anchors and aliases are not used here");
    }
    if ((node as { tag?: string }).tag !== undefined) {
      return this.#refuse(node, "Tags are not used here");
    }
    if (isMap(node)) return this.#mappingOf(node as YAMLMap, depth);
    if (isSeq(node)) {
      return node.items.map((item) =>
        this.#faults.length < faultsMax ? this.valueOf(item, depth + 1) : null,
      );
    }
    if (!isScalar(node)) return this.#refuse(node, "This is no value");
    const { value, source } = node;
    if (typeof value === "string") return this.#textOf(node, value);
    if (typeof value !== "number" && typeof value !== "bigint") return value;
    if (source === undefined || !jsonNumber.test(source)) {
      return this.#refuse(node, "Numbers are written as in JSON; put a text in quotation marks");
    }
    return parseExactJson(source);
  }

  // The parser's own search for repeated keys compares each key with each other one.
  #mappingOf({ items }: YAMLMap, depth: number): unknown {
    const values = new Map<string, unknown>();
    for (const pair of items) {
      const key = keyOf(pair);
      if (values.has(key)) this.#refuse(pair.key, `The key ${key} stands twice`);
      else values.set(key, this.valueOf(pair.value, depth + 1));
      if (this.#faults.length >= faultsMax) break;
    }
    return Object.fromEntries(values);
  }

  #textOf(node: unknown, text: string): unknown {
    if (!isStorableText(text)) {
      return this.#refuse(node, "Text cannot contain NUL or an unpaired surrogate");
    }
    const [whole, dollars = "", name = ""] = variable.exec(text) ?? [];
    if (whole === undefined) return text;
    if (dollars !== "") return text.slice(1);
    const value = this.#variableOf(name);
    return value ?? this.#refuse(node, `The variable ${name} has no value`);
  }

  #refuse(node: unknown, message: string): null {
    const offset = (node as Node | null)?.range?.[0] ?? 0;
    this.#faults.push({ ...this.#placeOf(offset), message });
    return null;
  }
}

/** Returns a text that `readYaml` reads as this one. */
export function escapeVariable(text: string): string {
  return variable.test(text) ? `$${text}` : text;
}

function keyOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

function find(
  root: unknown,
  path: DocumentPath,
): { readonly key: unknown; readonly value: unknown } {
  let found: { key: unknown; value: unknown } = { key: null, value: root };
  for (const step of path) {
    const { value } = found;
    if (isMap(value)) {
      const pair = (value as YAMLMap).items.find((item) => keyOf(item) === String(step));
      if (pair === undefined) return found;
      found = { key: pair.key, value: pair.value ?? pair.key };
    } else if (isSeq(value)) {
      const item = value.items[Number(step)];
      if (item === undefined) return found;
      found = { key: null, value: item };
    } else return found;
  }
  return found;
}
