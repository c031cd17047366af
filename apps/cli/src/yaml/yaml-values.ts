import { parseExactJson } from "@rowhouse/wire";
import { isMap, isScalar, isSeq, type Pair, parseDocument } from "yaml";

/** The value of a variable that a file names; undefined for one without a value. */
export type VariableValue = (name: string) => string | undefined;

/** A text that consists of a variable, or of one whose dollar is escaped. */
const variable = /^\$(\$*)\{([A-Z][A-Z0-9_]*)\}$/;
const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Parses a file as the service does. */
export function parse(text: string) {
  return parseDocument(text, { version: "1.2", schema: "core", prettyErrors: false });
}

/** Returns the value of a file with its variables; a file that says nothing is an empty mapping. */
export function readValue(text: string, variableOf: VariableValue = () => undefined): unknown {
  const document = parse(text);
  return document.errors.length > 0 ? undefined : (nodeValue(document.contents, variableOf) ?? {});
}

/** Returns the value of a node. A variable without a value is its own text. */
export function nodeValue(node: unknown, variableOf: VariableValue = () => undefined): unknown {
  if (isMap(node)) {
    return Object.fromEntries(
      node.items.map((pair) => [keyOfPair(pair), nodeValue(pair.value, variableOf)]),
    );
  }
  if (isSeq(node)) return node.items.map((item) => nodeValue(item, variableOf));
  if (!isScalar(node)) return null;
  const { value, source } = node;
  if (typeof value === "string") {
    const [whole, dollars, name = ""] = variable.exec(value) ?? [];
    if (whole === undefined) return value;
    return dollars === "" ? (variableOf(name) ?? value) : value.slice(1);
  }
  return typeof value === "number" && source !== undefined && jsonNumber.test(source)
    ? parseExactJson(source)
    : value;
}

/** Returns the names of the variables in a node. */
export function variablesIn(node: unknown): string[] {
  if (isMap(node)) return node.items.flatMap(({ value }) => variablesIn(value));
  if (isSeq(node)) return node.items.flatMap(variablesIn);
  const [, dollars, name] = variable.exec(String(isScalar(node) ? node.value : "")) ?? [];
  return dollars === "" && name !== undefined ? [name] : [];
}

export function keyOfPair({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}
