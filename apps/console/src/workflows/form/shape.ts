/** What an expression can read, as far as it is known: `POST /admin/api/workflows/{id}/completions`. */
export interface Shape {
  readonly type: "object" | "array" | "string" | "number" | "boolean" | "null" | "any";
  readonly properties?: Readonly<Record<string, Shape>> | undefined;
  readonly items?: Shape | undefined;
  /** Values as JSON, shortened. */
  readonly examples?: readonly string[] | undefined;
  readonly source?: "DEFINITION" | "RUNS" | undefined;
}

/** Everything that an expression can name at a place. */
export interface Scope {
  /** The roots, such as `start` and `steps`. */
  readonly roots: Shape;
}

/** A path up to the cursor: the names before the last dot, and what was typed after it. */
interface TypedPath {
  readonly keys: readonly string[];
  readonly typed: string;
}

/** Maximum number of characters of a path that completion follows. The search begins at each of them. */
const pathMax = 1000;

const pathForm =
  /(?:^|[^\w.\]"])((?:[A-Za-z_][\w-]*(?:\.(?:[A-Za-z_][\w-]*|\d+)|\[\d+\]|\[\\?"[^"\\]*\\?"\])*\.)?(?:[A-Za-z_][\w-]*|\d+)?)$/;
const celPathForm =
  /(?:^|[^\w.\]"])((?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\]|\["[^"\\]*"\])*\.)?(?:[A-Za-z_]\w*)?)$/;

/** Returns the path that ends at the end of a text; undefined if the text ends otherwise. */
export function pathAtEnd(text: string, language: "TEMPLATE" | "CEL"): TypedPath | undefined {
  const found = (language === "CEL" ? celPathForm : pathForm).exec(text.slice(-pathMax))?.[1];
  if (found === undefined) return undefined;
  const dot = found.lastIndexOf(".");
  const before = dot === -1 ? "" : found.slice(0, dot);
  const keys = [...before.matchAll(/\[\\?"([^"\\]*)\\?"\]|[\w-]+/g)].map(
    ([whole, quoted]) => quoted ?? whole,
  );
  return { keys, typed: found.slice(dot + 1) };
}

/** Returns the text of a template's placeholder before the cursor; undefined outside of one. */
export function openPlaceholder(text: string): string | undefined {
  const open = text.lastIndexOf("{{");
  if (open === -1) return undefined;
  const inside = text.slice(open + 2);
  return inside.includes("}}") || inside.includes("??") ? undefined : inside;
}

/** Returns what keys below a shape lead to; undefined if nothing is known of it. */
export function shapeAt(shape: Shape, keys: readonly string[]): Shape | undefined {
  const [key, ...rest] = keys;
  if (key === undefined) return shape;
  const inner =
    shape.items !== undefined && /^\d+$/.test(key)
      ? shape.items
      : Object.hasOwn(shape.properties ?? {}, key)
        ? shape.properties?.[key]
        : undefined;
  return inner === undefined ? undefined : shapeAt(inner, rest);
}

/** Whether a name can follow a dot. */
export function isPlainName(name: string, language: "TEMPLATE" | "CEL"): boolean {
  return (language === "CEL" ? /^[A-Za-z_]\w*$/ : /^[A-Za-z_][\w-]*$/).test(name);
}
