import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync } from "oxc-parser";

/** A function of a source file. */
export type FunctionSize = { readonly name: string; readonly line: number; readonly lines: number };

/** What the check reads of one source file. */
export type SourceFile = {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** Paths of this repository, relative to it, of every relative import, `import type` and re-export included. */
  readonly files: readonly string[];
  /** Names of workspace packages that the file imports. */
  readonly packages: readonly string[];
  /** Each name that the file imports of another module, types included: `@rowhouse/db Column`, with `*` for all of them. */
  readonly names: readonly string[];
  /** Names of the exports that the file declares; it only passes on those of other files. */
  readonly exports: readonly string[];
  readonly functions: readonly FunctionSize[];
};

/**
 * Parses one source file.
 *
 * @throws Error if the file does not parse
 */
export function readSourceFile(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  const { module, program, errors } = parseSync(path, text);
  const [fault] = errors;
  if (fault) throw new Error(`${path}: ${fault.message}`);
  const specifiers = [
    ...module.staticImports.map((each) => each.moduleRequest.value),
    ...module.staticExports.flatMap((each) =>
      each.entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map((each) =>
      text.slice(each.moduleRequest.start + 1, each.moduleRequest.end - 1),
    ),
  ];
  return {
    path,
    text,
    lines: text.split("\n").length - 1,
    files: unique(
      specifiers
        .filter((each) => each.startsWith("."))
        .map((each) => normalize(join(dirname(path), each))),
    ),
    packages: unique(specifiers.flatMap((each) => /^@rowhouse\/[a-z-]+/.exec(each)?.[0] ?? [])),
    names: unique([
      ...module.staticImports.flatMap(({ moduleRequest, entries }) =>
        entries.map(({ importName }) => `${moduleRequest.value} ${importName.name ?? "*"}`),
      ),
      ...module.staticExports.flatMap(({ entries }) =>
        entries.map(
          ({ moduleRequest, importName }) => `${moduleRequest?.value} ${importName.name ?? "*"}`,
        ),
      ),
      ...module.dynamicImports.map(
        ({ moduleRequest: { start, end } }) => `${text.slice(start + 1, end - 1)} *`,
      ),
    ]),
    exports: unique(
      module.staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ moduleRequest, exportName }) =>
          moduleRequest === null && exportName.name !== null ? exportName.name : [],
        ),
      ),
    ),
    functions: functionsOf(program, text),
  };
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** Returns the regular expressions of a source text as they are written. */
export function regularExpressionsIn(path: string, text: string): string[] {
  const found: string[] = [];
  visit(parseSync(path, text).program, ({ type, value, start, end }) => {
    if (type === "Literal" && value instanceof RegExp) found.push(text.slice(start, end));
  });
  return found;
}

/** The place of a function's body in a source text. */
export type FunctionBody = {
  readonly start: number;
  readonly end: number;
  /** Whether it is an expression. */
  readonly isExpression: boolean;
  /** The lines of the whole function. */
  readonly lines: number;
};

/** Returns the bodies of all functions of a source text, those without a name and inside others included. */
export function functionBodiesIn(path: string, text: string): FunctionBody[] {
  const found: FunctionBody[] = [];
  visit(parseSync(path, text).program, (node) => {
    if (!isFunction(node) || !isNode(node.body)) return;
    const { start, end, type } = node.body;
    const lines = text.slice(node.start, node.end).split("\n").length;
    found.push({ start, end, isExpression: type !== "BlockStatement", lines });
  });
  return found;
}

type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly id?: { readonly name?: string } | null;
  readonly key?: { readonly name?: string };
  readonly value?: unknown;
  readonly init?: unknown;
  readonly body?: unknown;
};

/** Functions with a name; the lines of a function include those of the functions inside it. */
function functionsOf(program: unknown, text: string): FunctionSize[] {
  const found: FunctionSize[] = [];
  visit(program, (node) => {
    const name = nameOf(node);
    if (name === undefined) return;
    const line = text.slice(0, node.start).split("\n").length;
    found.push({ name, line, lines: text.slice(node.start, node.end).split("\n").length });
  });
  return found;
}

function nameOf(node: Node): string | undefined {
  if (node.type === "FunctionDeclaration") return node.id?.name;
  if (node.type === "MethodDefinition") return node.key?.name;
  if (node.type === "VariableDeclarator" && isFunction(node.init)) return node.id?.name;
  return undefined;
}

function isFunction(value: unknown): value is Node {
  return isNode(value) && /^(Arrow)?Function(Expression)?/.test(value.type);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function visit(value: unknown, found: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const each of value) visit(each, found);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (isNode(value)) found(value);
  for (const each of Object.values(value)) {
    if (typeof each === "object") visit(each, found);
  }
}
