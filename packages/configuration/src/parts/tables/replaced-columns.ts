import { serverVersionOf } from "@rowhouse/db";
import { type EnumType, expressionsSince, parseColumnExpression } from "@rowhouse/ddl";
import type { Document } from "../../model/document.ts";
import type { World } from "../../model/part.ts";
import { dropExpression, type PlacedChange, removals, withoutColumns } from "./table-changes.ts";
import type { TableDocument } from "./table-document.ts";
import { settleDocument } from "./table-settle.ts";

/** A change of a table. Columns that PostgreSQL cannot change are replaced. */
interface Change {
  readonly replaced: ReadonlySet<string>;
  /** The changes that drop what reads these columns. */
  readonly drops: readonly PlacedChange[];
  /** The table without them. */
  readonly kept: TableDocument;
  readonly after: TableDocument;
}

/** Returns what a document changes of a table, as PostgreSQL writes it. */
export async function changeOf(
  world: World,
  types: readonly EnumType[],
  document: Document<TableDocument>,
  before: TableDocument,
): Promise<Change> {
  const after = await settleDocument(world, types, before, document);
  const replaced = new Set<string>();
  const drops: PlacedChange[] = [];
  for (const [name, { generated }] of Object.entries(after.columns)) {
    const former = before.columns[name];
    if (generated === null || former === undefined) continue;
    const isBroken =
      former.generated !== null && (await readsRetyped(former.generated, before, after));
    if (isBroken) drops.push(dropExpression(name));
    const canChange =
      former.generated === generated ||
      (former.generated !== null &&
        (await serverVersionOf(world.database)).major >= expressionsSince);
    if (isBroken || !canChange) replaced.add(name);
  }
  if (replaced.size === 0) return { replaced, drops, kept: before, after };
  const kept = withoutColumns(before, replaced);
  return { replaced, drops: [...removals(before, kept), ...drops], kept, after };
}

/** Whether an expression reads a column that gets another type, which PostgreSQL refuses. */
async function readsRetyped(
  generated: string,
  before: TableDocument,
  after: TableDocument,
): Promise<boolean> {
  const names = new Set(Object.keys(after.columns));
  const { columns } = await parseColumnExpression(generated, "generated", names, "").catch(() => ({
    columns: [],
  }));
  return columns.some((name) => {
    const former = before.columns[name];
    return former !== undefined && former.type !== after.columns[name]?.type;
  });
}
