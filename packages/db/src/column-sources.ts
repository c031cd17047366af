import type { Catalogue } from "./catalogue/catalogue.ts";
import type { Column, Relation } from "./catalogue/relation.ts";
import { readOrigins } from "./catalogue/view-origins.ts";
import type { Queryable } from "./queryable.ts";

/** The table column that a view's column refers to directly. */
export interface ColumnSource {
  readonly relation: Relation;
  readonly column: Column;
}

/** Maximum depth of views over views. */
const levelsMax = 32;

/**
 * Resolves the columns of views to the table columns that they refer to directly: through aliases, joins, subqueries,
 * WITH and views over views. A column has no source if it is computed, comes from a UNION, or belongs to a relation
 * that is not a resource.
 *
 * PostgreSQL stores for each column of a view's query the relation and column that it refers to (`resorigtbl`,
 * `resorigcol`), so the text of the query is not parsed.
 *
 * @returns the sources by the view's OID, then by the attribute number of its column
 */
export async function loadColumnSources(
  database: Queryable,
  catalogue: Pick<Catalogue, "relationByOid">,
  views: readonly Relation[],
): Promise<ReadonlyMap<number, ReadonlyMap<number, ColumnSource>>> {
  const origins = new Map<number, ReturnType<typeof readOrigins>>();
  let wanted = views.filter(isView).map((view) => view.oid);
  for (let level = 0; wanted.length > 0 && level < levelsMax; level += 1) {
    const rules = await database.query<{ oid: string; rule: string }>(
      `select ev_class::text as oid, ev_action::text as rule from pg_catalog.pg_rewrite
       where ev_type = '1' and ev_class = any ($1::text::oid[])`,
      [`{${wanted.join(",")}}`],
    );
    for (const { oid, rule } of rules) origins.set(Number(oid), readOrigins(rule));
    const next = new Set<number>();
    for (const oid of wanted) {
      for (const origin of origins.get(oid)?.values() ?? []) {
        const relation = catalogue.relationByOid(origin.relationOid);
        if (relation !== undefined && isView(relation) && !origins.has(relation.oid)) {
          next.add(relation.oid);
        }
      }
    }
    wanted = [...next];
  }

  const sourceOf = (oid: number, number: number, level: number): ColumnSource | undefined => {
    const origin = origins.get(oid)?.get(number);
    const relation = origin === undefined ? undefined : catalogue.relationByOid(origin.relationOid);
    if (origin === undefined || relation === undefined || level > levelsMax) return undefined;
    if (isView(relation)) return sourceOf(relation.oid, origin.attributeNumber, level + 1);
    const column = relation.columnByNumber(origin.attributeNumber);
    return column === undefined ? undefined : { relation, column };
  };
  return new Map(
    views.map((view) => {
      const sources = new Map<number, ColumnSource>();
      for (const { attributeNumber } of view.columns) {
        const source = sourceOf(view.oid, attributeNumber, 0);
        if (source !== undefined) sources.set(attributeNumber, source);
      }
      return [view.oid, sources];
    }),
  );
}

function isView(relation: Relation): boolean {
  return relation.resource.kind === "VIEW";
}
