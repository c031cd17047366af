import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { SqlNames } from "../ui/sql-editor.tsx";
import { client } from "./client.ts";
import { type CatalogTable, mentionedTables } from "./mentioned-tables.ts";

/** How long names are taken from the cache, in milliseconds. */
const staleTime = 60_000;

/** Every table and view of the catalogue. */
export const tablesQuery = queryOptions({
  queryKey: ["sql", "tables"],
  queryFn: async ({ signal }): Promise<readonly CatalogTable[]> => {
    const tables: CatalogTable[] = [];
    let cursor: string | null = null;
    do {
      const query: { limit: number; cursor?: string } = { limit: 1000 };
      if (cursor !== null) query.cursor = cursor;
      const page: {
        readonly data: readonly CatalogTable[];
        readonly meta: { readonly nextCursor: string | null };
      } = await client.admin.get("/resources", { query, signal });
      tables.push(...page.data);
      cursor = page.meta.nextCursor;
    } while (cursor !== null);
    return tables;
  },
  staleTime,
});

/** The columns of a table or view. */
function columnsQuery(id: string) {
  return queryOptions({
    queryKey: ["sql", "columns", id],
    queryFn: async ({ signal }) => {
      const { data } = await client.admin.get("/resources/{id}/columns", { path: { id }, signal });
      return data.map(({ name }) => name);
    },
    staleTime,
  });
}

/**
 * Finds the names that the completion of a text offers: all tables, and the columns of those that the text mentions.
 * Without an answer of the service there are none.
 */
export async function findNames(queries: QueryClient, text: string): Promise<SqlNames> {
  try {
    const tables = await queries.fetchQuery(tablesQuery);
    const mentioned = mentionedTables(tables, text);
    const columns = await Promise.all(
      mentioned.map(({ id }) => queries.fetchQuery(columnsQuery(id))),
    );
    return namesOf(tables, mentioned, columns);
  } catch {
    return namesOf([], [], []);
  }
}

function namesOf(
  tables: readonly CatalogTable[],
  mentioned: readonly CatalogTable[],
  columns: readonly (readonly string[])[],
): SqlNames {
  const schemas = new Map<string, Map<string, readonly string[]>>();
  for (const { id, schema, name } of tables) {
    const known = schemas.get(schema) ?? new Map<string, readonly string[]>();
    const index = mentioned.findIndex((one) => one.id === id);
    known.set(name, columns[index] ?? []);
    schemas.set(schema, known);
  }
  const [first] = mentioned;
  return {
    schemas: Object.fromEntries(
      [...schemas].map(([schema, known]) => [schema, Object.fromEntries(known)]),
    ),
    defaultSchema: first?.schema ?? "public",
    ...(first === undefined ? {} : { defaultTable: first.name }),
  };
}
