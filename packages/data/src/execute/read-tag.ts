import { hash } from "node:crypto";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";

/**
 * Returns the `ETag` of a read of one row: the row's own tag, which `If-Match` compares, followed by a hash of the response
 * if that shows other rows, for `If-None-Match` (RFC 9110 §8.8.1: a strong validator changes with the representation).
 *
 * @param shown the body with rows other than the one that is read; null for a body of that row alone
 */
export function readTag(ownTag: string, shown: string | null): string {
  return shown === null ? `"${ownTag}"` : `"${ownTag}.${hash("md5", shown)}"`;
}

/** Returns the row's own tag in the tag of a read, without quotes. */
export function ownTagOf(tag: string): string {
  return /^([0-9a-f]{32})\.[0-9a-f]{32}$/.exec(tag)?.[1] ?? tag;
}

/**
 * Returns the `ETag` of the one row that a write returns, as a read of it would. Undefined for a list, for a table without
 * a key, and if the caller may not read the row, so that the response has only its key.
 */
export function writtenTag(plan: AuthorizedPlan, data: string): string | undefined {
  if (plan.kind !== "CREATE" && plan.kind !== "UPDATE") return undefined;
  const isRow = plan.kind === "CREATE" ? !plan.isList : plan.selection.by === "KEY";
  const { read, relation } = plan;
  if (!isRow || relation.primaryKey.length === 0 || read.fields.length === 0) return undefined;
  const isReadAgain = plan.again !== null;
  if (read.rows !== null || isReadAgain) {
    const isOfKey = (name: string) => relation.primaryKey.includes(name);
    const isKeyAlone = Object.keys(JSON.parse(data) as object).every(isOfKey);
    const hasMore = !read.fields.every(({ column }) => isOfKey(column.name));
    if (isKeyAlone && (read.rows !== null || hasMore)) return undefined;
  }
  return `"${hash("md5", data)}"`;
}
