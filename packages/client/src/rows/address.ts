import { encode, encodeSegment } from "../request/query.ts";
import type { KeyValue } from "../types/resource.ts";
import { filterText } from "./filter-text.ts";
import type { Affected } from "./write-options.ts";

/** A table or view by its names, which may have any characters. */
export type Address = {
  readonly schema: string;
  readonly name: string;
  /** `table` by default. */
  readonly kind?: "table" | "view" | undefined;
};

const part = '([^".]+|"(?:[^"]|"")+")';
const spelling = new RegExp(`^${part}\\.${part}$`, "u");

/**
 * Reads `schema.table`. A name with a dot or a quote stands in double quotes, as in SQL: `"a.b".c`.
 *
 * @throws TypeError for any other text
 */
export function readAddress(text: string): { readonly schema: string; readonly name: string } {
  const [, schema, name] = spelling.exec(text) ?? [];
  if (schema === undefined || name === undefined) {
    throw new TypeError(
      'A resource is "schema.table", with names that have dots or quotes in double quotes',
    );
  }
  return { schema: unquoted(schema), name: unquoted(name) };
}

/** Returns the path of a resource. @throws TypeError for a name that a URL cannot contain */
export function pathOf({ schema, name, kind = "table" }: Address): string {
  return `/api/${encodeSegment(schema)}/${kind}/${encodeSegment(name)}`;
}

/**
 * Returns a key as a segment of a path: one value, or the values of a composite key in the key's order.
 *
 * @throws TypeError for a key that a URL cannot contain
 */
export function keySegment(key: KeyValue | readonly KeyValue[]): string {
  // A segment of a path cannot be empty: a comma alone is the empty text.
  if (typeof key !== "object") return key === "" ? "," : encodeSegment(String(key));
  // With a comma beside it, a value of dots is no step of the path.
  if (key.length > 1) return key.map((value) => encode(String(value))).join(",");
  return key[0] === undefined ? encodeSegment("") : keySegment(key[0]);
}

/** Returns the parameters that select the rows of a write by a filter. */
export function affectedQuery<R, N extends keyof R, W>({ where, maxAffected }: Affected<R, N, W>) {
  return [
    ["where", filterText(where, "where")],
    ["max_affected", String(maxAffected)],
  ] as const;
}

function unquoted(part: string): string {
  return part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part;
}
