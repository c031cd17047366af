import { queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import type { TableName } from "./map-graph.ts";

interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly nextCursor: string | null };
}

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** All tables of a schema, or of every schema, and the foreign keys from and to them. */
export function mapQuery(schema: string | undefined) {
  const filter = schema === undefined ? {} : { schema };
  return queryOptions({
    queryKey: ["structure", "map", schema],
    queryFn: async ({ signal }) => {
      const [tables, keys] = await Promise.all([
        loadAll((page) => {
          const query = { kind: "TABLE" as const, ...filter, ...page };
          return client.admin.get("/resources", { query, signal });
        }),
        loadAll((page) =>
          client.admin.get("/foreign-keys", { query: { ...filter, ...page }, signal }),
        ),
      ]);
      const names: TableName[] = tables.map(({ schema: own, name }) => ({ schema: own, name }));
      return { tables: names, keys };
    },
  });
}

/** Loads every page of a list. */
async function loadAll<Item>(load: (page: PageQuery) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await load({ limit: 1000, ...(cursor === null ? {} : { cursor }) });
    items.push(...page.data);
    cursor = page.meta.nextCursor;
  } while (cursor !== null);
  return items;
}
