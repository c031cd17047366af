import { parseExactJson } from "@rowhouse/wire";
import { isSecretName } from "../secrets/secret-name.ts";

/** One `{{path}}` or `{{path ?? default}}`. */
export interface Placeholder {
  readonly kind: "PLACEHOLDER";
  /** The root (`start`, `steps`, `vars`, …) and the keys below it. */
  readonly path: readonly [string, ...string[]];
  readonly fallback: { readonly value: unknown } | undefined;
  /** The text as written, for error messages. */
  readonly source: string;
}

export interface Text {
  readonly kind: "TEXT";
  readonly text: string;
}

/** A string of a definition, split into literal text and placeholders. */
export interface ParsedTemplate {
  readonly parts: readonly (Text | Placeholder)[];
}

/** A template that cannot be parsed. The message is for the workflow's author. */
export class TemplateSyntaxError extends Error {
  override readonly name = "TemplateSyntaxError";
}

const roots: ReadonlySet<string> = new Set([
  "start",
  "steps",
  "vars",
  "errors",
  "item",
  "index",
  "secrets",
]);
const segment = /^(?:[A-Za-z_][A-Za-z0-9_-]*|[0-9]{1,9}|\["(?:[^"\\]|\\["\\])*"\])$/;
const pathForm =
  /^[A-Za-z_][A-Za-z0-9_-]*(?:\.(?:[A-Za-z_][A-Za-z0-9_-]*|[0-9]{1,9})|\[[0-9]{1,9}\]|\["(?:[^"\\]|\\["\\])*"\])*$/;
const segmentForm = /[A-Za-z_][A-Za-z0-9_-]*|[0-9]{1,9}|\["(?:[^"\\]|\\["\\])*"\]/g;

/**
 * Parses a template. Paths are names joined by dots, list positions, and `["any key"]`; a default is a JSON literal.
 *
 * @throws TemplateSyntaxError
 * @example parseTemplate("Trip {{start.data.body.id ?? 0}}")
 */
export function parseTemplate(text: string): ParsedTemplate {
  const parts: (Text | Placeholder)[] = [];
  let position = 0;
  while (position < text.length) {
    const open = text.indexOf("{{", position);
    if (open === -1) break;
    if (open > position) parts.push({ kind: "TEXT", text: text.slice(position, open) });
    const close = findClose(text, open + 2);
    parts.push(parsePlaceholder(text.slice(open + 2, close).trim()));
    position = close + 2;
  }
  if (position < text.length) parts.push({ kind: "TEXT", text: text.slice(position) });
  return { parts };
}

export function placeholdersOf(template: ParsedTemplate): Placeholder[] {
  return template.parts.filter((part) => part.kind === "PLACEHOLDER");
}

/** Returns the end of the placeholder that begins before `from`. Braces inside quotes do not end it. */
function findClose(text: string, from: number): number {
  let quoted = false;
  let depth = 0;
  for (let index = from; index < text.length; index += 1) {
    const letter = text[index];
    if (quoted) {
      if (letter === "\\") index += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === "{") depth += 1;
    else if (letter === "}") {
      if (depth === 0) {
        if (text[index + 1] === "}") return index;
        break;
      }
      depth -= 1;
    }
  }
  throw new TemplateSyntaxError("A {{ has no }}");
}

function parsePlaceholder(source: string): Placeholder {
  const divider = source.indexOf("??");
  const pathText = divider === -1 ? source : source.slice(0, divider).trimEnd();
  const fallback = divider === -1 ? undefined : source.slice(divider + 2).trim();
  const path = parsePath(pathText);
  if (path[0] === "secrets") checkSecretPath(path, fallback !== undefined);
  return {
    kind: "PLACEHOLDER",
    path,
    fallback: fallback === undefined ? undefined : { value: parseFallback(fallback) },
    source: pathText,
  };
}

function parsePath(text: string): readonly [string, ...string[]] {
  if (text.length > 500 || !pathForm.test(text)) {
    throw new TemplateSyntaxError(`"${text.slice(0, 100)}" is not a path`);
  }
  const [root, ...keys] = (text.match(segmentForm) ?? [])
    .filter((part) => segment.test(part))
    .map((part) => (part.startsWith('["') ? part.slice(2, -2).replace(/\\(["\\])/g, "$1") : part));
  if (root === undefined || !roots.has(root)) {
    throw new TemplateSyntaxError(
      "A path must begin with start, steps, vars, errors, item, index or secrets",
    );
  }
  return [root, ...keys];
}

function checkSecretPath([, name, ...more]: readonly string[], hasFallback: boolean): void {
  if (name === undefined || !isSecretName(name) || more.length > 0) {
    throw new TemplateSyntaxError(
      "A secret must be written as secrets.NAME, in upper-case letters, digits and _",
    );
  }
  if (hasFallback) throw new TemplateSyntaxError("A secret cannot have a default");
}

/** Returns the name of the secret that a placeholder stands for; undefined for any other placeholder. */
export function secretNameOf({ path }: Placeholder): string | undefined {
  return path[0] === "secrets" ? path[1] : undefined;
}

function parseFallback(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    throw new TemplateSyntaxError('A default must be a JSON literal, such as 0, null or "none"');
  }
}
