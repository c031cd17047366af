import { writeName } from "@rowhouse/access/written-name";
import { queryOptions } from "@tanstack/react-query";
import { filesKey } from "../../records/library/file-queries.ts";
import { targetOf } from "../../records/model/reference.ts";
import { addressOf, labelColumn, type Row } from "../../records/model/resource.ts";
import { countRows } from "../../records/rows/load-rows.ts";
import { client } from "../../shell/client.ts";
import type { Navigation, NavigationRelation, NavigationResource } from "../../shell/navigation.ts";

/** The rows of one table that refer to a file by one foreign key. */
export interface FileUse {
  readonly relation: NavigationRelation;
  readonly target: NavigationResource;
  readonly where: Row;
  /** The first of them. */
  readonly rows: readonly Row[];
  readonly count: number;
}

const shownRows = 5;

/** The rows that refer to a file, as far as the person may read them. */
export function usesQuery(resource: NavigationResource, { resources }: Navigation, id: string) {
  return queryOptions({
    queryKey: [...filesKey, "uses", id],
    // Rows of other tables change without the library.
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        resource.relations.map((relation) => useOf(relation, resources, id, signal)),
      );
      return found.flatMap((use) => (use === undefined || use.count === 0 ? [] : [use]));
    },
  });
}

async function useOf(
  relation: NavigationRelation,
  resources: readonly NavigationResource[],
  id: string,
  signal: AbortSignal,
): Promise<FileUse | undefined> {
  const target = targetOf(resources, relation);
  const [pair, ...others] = relation.columns ?? [];
  const isUse = relation.foreignKey === "TARGET" && pair?.from === "id" && others.length === 0;
  if (!isUse || target === undefined || !target.actions.includes("READ")) return undefined;
  const where = { [writeName(pair.to)]: { _eq: id } };
  const names = [...target.primaryKey, labelColumn(target)?.name ?? pair.to];
  const fields = [...new Set(names)].map(writeName);
  const { rows } = await client
    .from(addressOf(target))
    .list({ fields, where, limit: shownRows, signal });
  const count = rows.length < shownRows ? rows.length : await countRows(target, { where }, signal);
  return { relation, target, where, rows, count };
}
