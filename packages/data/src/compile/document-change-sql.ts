import { arrayLiteral, type Column, quoteLiteral } from "@rowhouse/db";
import type { DocumentChange } from "../parse/document-change.ts";

/** The values of a change by their keys: the position of a value in `$set`, or the values inside an object. */
type ChangeTree = Map<string, number | ChangeTree>;

/**
 * Returns SQL for the document after a change, from the row that the statement writes.
 *
 * @param document SQL for the document as `jsonb`
 * @param valueAt returns SQL for a value of `$set` as `jsonb`
 */
export function changedDocumentSql(
  document: string,
  { sets, unsets }: DocumentChange,
  valueAt: (index: number) => string,
): string {
  const rest = unsets.map((path) => ` #- ${pathSql(path)}`).join("");
  const isObject = `pg_catalog.jsonb_typeof(${document}) = 'object'`;
  if (sets.length === 0)
    return `(case when ${isObject} then ${document}${rest} else ${document} end)`;
  const start = `case when ${isObject} then ${document}${rest} else '{}'::jsonb end`;
  return `(select ${mergedSql("d.v", treeOf(sets), [], valueAt)} from (select ${start} as v offset 0) d)`;
}

/**
 * Returns the condition that a change applies to a document: it is an object or missing, and so is each value on the way to a
 * value of `$set`.
 */
export function isChangeableSql(document: string, { sets }: DocumentChange): string {
  const ways = new Map<string, string>([["", document]]);
  for (const path of sets) {
    for (let end = 1; end < path.length; end += 1) {
      const way = `(${document} #> ${pathSql(path.slice(0, end))})`;
      ways.set(way, way);
    }
  }
  const conditions = Array.from(
    ways.values(),
    (way) => `coalesce(pg_catalog.jsonb_typeof(${way}), 'null') in ('object', 'null')`,
  );
  return `(${conditions.join(" and ")})`;
}

/** Returns SQL for the document of a column as `jsonb`. */
export function documentSql(sql: string, { type }: Pick<Column, "type">): string {
  return type.base === "jsonb" ? sql : `${sql}::jsonb`;
}

function treeOf(sets: DocumentChange["sets"]): ChangeTree {
  const root: ChangeTree = new Map();
  for (const [index, path] of sets.entries()) {
    let tree = root;
    for (const key of path.slice(0, -1)) {
      const known = tree.get(key);
      const inner: ChangeTree = typeof known === "object" ? known : new Map();
      tree.set(key, inner);
      tree = inner;
    }
    tree.set(path.at(-1) ?? "", index);
  }
  return root;
}

/** Maximum number of members in one call: a PostgreSQL function has at most 100 arguments. */
const membersMax = 45;

function mergedSql(
  start: string,
  tree: ChangeTree,
  path: readonly string[],
  valueAt: (index: number) => string,
): string {
  const members = Array.from(tree, ([key, inner]) => {
    const way = [...path, key];
    if (typeof inner === "number") return `${quoteLiteral(key)}::text, ${valueAt(inner)}`;
    const at = `(d.v #> ${pathSql(way)})`;
    const object = `(case when pg_catalog.jsonb_typeof(${at}) = 'object' then ${at} else '{}'::jsonb end)`;
    return `${quoteLiteral(key)}::text, ${mergedSql(object, inner, way, valueAt)}`;
  });
  const parts: string[] = [start];
  for (let at = 0; at < members.length; at += membersMax) {
    parts.push(`pg_catalog.jsonb_build_object(${members.slice(at, at + membersMax).join(", ")})`);
  }
  return `(${parts.join(" || ")})`;
}

function pathSql(path: readonly string[]): string {
  return `${quoteLiteral(arrayLiteral(path))}::text[]`;
}
