import { type Definition, isJsonObject } from "./definition.ts";

/**
 * A `{{…}}`; braces and quotes in a default do not end it. One that has no end matches up to where it breaks off, so that
 * no part of it is searched again.
 */
const placeholder =
  /\{\{(?!\{)(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|\{[^{}]*\}|[^"{}])*(?:(\}\})|$|(?=[{}]))/gs;
const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Replaces references to the output of a step (`steps.<id>`) in templates and conditions. The id itself, other texts,
 * and steps whose id only begins the same way stay.
 */
export function renameReferences(definition: Definition, from: string, to: string): Definition {
  if (from === "" || from === to) return definition;
  const renamed = renameIn(definition, from, to);
  return isJsonObject(renamed) ? renamed : definition;
}

function renameIn(value: unknown, from: string, to: string): unknown {
  if (typeof value === "string") return renameInTemplate(value, from, to);
  if (Array.isArray(value)) {
    const items = value.map((item) => renameIn(item, from, to));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => [
    name,
    isCondition(value, name) && typeof item === "string"
      ? renameInExpression(item, from, to)
      : renameIn(item, from, to),
  ]);
  return entries.some(([name, item]) => item !== value[name]) ? Object.fromEntries(entries) : value;
}

function isCondition(object: { readonly [name: string]: unknown }, name: string): boolean {
  return name === "expression" && object.kind === "condition";
}

/** In a template a name may have dashes, and ends where a path can go on. */
function renameInTemplate(text: string, from: string, to: string): string {
  if (!text.includes("{{")) return text;
  const reference = referenceTo(from, "A-Za-z0-9_-");
  return text.replace(placeholder, (one, end: string | undefined) =>
    end === undefined ? one : replaceOutsideQuotes(one, reference, () => `steps.${to}`),
  );
}

/** In CEL a dash is a minus, so a name with one stands in brackets. */
function renameInExpression(text: string, from: string, to: string): string {
  const written = plainName.test(to) ? `steps.${to}` : `steps[${JSON.stringify(to)}]`;
  return replaceOutsideQuotes(text, referenceTo(from, "A-Za-z0-9_"), () => written);
}

/** Matches `steps.id` and `steps["id"]`; the first alternative is a text in quotes, which stays. */
function referenceTo(name: string, nameSigns: string): RegExp {
  const id = name.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
  const dotted = `\\.\\s*${id}(?![${nameSigns}])`;
  const quoted = `\\[\\s*(?:"${id}"|'${id}')\\s*\\]`;
  return new RegExp(
    `("(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*')|(?<![A-Za-z0-9_.-])steps\\s*(?:${dotted}|${quoted})`,
    "g",
  );
}

function replaceOutsideQuotes(text: string, form: RegExp, write: () => string): string {
  return text.replace(form, (found, quoted: string | undefined) =>
    quoted === undefined ? write() : found,
  );
}
