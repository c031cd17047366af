import { writeName } from "@rowhouse/access/written-name";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import { loadAll } from "../../shell/load-all.ts";
import { type ResourceEntry, resourceName } from "../../shell/resource-queries.ts";
import type { GrantTerms } from "./grant-draft.ts";
import type { Action } from "./grant-queries.ts";

/** A column of a table that names the user a row belongs to. */
export interface OwnerColumn {
  readonly column: string;
  /** The variable of the caller that it is compared with. */
  readonly variable: string;
}

/** The columns of each table that are a foreign key to the accounts, by `schema.name`. */
export const ownersQuery = queryOptions({
  queryKey: ["grants", "owner-columns"],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, readonly OwnerColumn[]>> => {
    const keys = await loadAll((page) =>
      client.admin.get("/foreign-keys", { query: page, signal }),
    );
    const owners = new Map<string, OwnerColumn[]>();
    for (const { schema, table, columns, targetSchema, targetTable, targetColumns } of keys) {
      const [column, ...others] = columns;
      const [target] = targetColumns;
      if (`${targetSchema}.${targetTable}` !== "system.users" || others.length > 0) continue;
      if (column === undefined || target === undefined) continue;
      const name = resourceName({ schema, name: table });
      const known = owners.get(name) ?? [];
      if (known.some((one) => one.column === column)) continue;
      owners.set(name, [...known, { column, variable: `$USER.${target}` }]);
    }
    return owners;
  },
});

/** Returns the columns that may name the owner of a row. */
export function ownersOf(
  owners: ReadonlyMap<string, readonly OwnerColumn[]> | undefined,
  resource: ResourceEntry,
): readonly OwnerColumn[] {
  return owners?.get(resourceName(resource)) ?? [];
}

/** All rows and fields. */
export const allTerms: GrantTerms = { fields: null, rowFilter: null, check: null, presets: {} };

/** The terms by which members reach their own rows only; new rows become theirs. */
export function ownTerms(action: Action, { column, variable }: OwnerColumn): GrantTerms {
  if (action === "CREATE") return { ...allTerms, presets: { [column]: variable } };
  return { ...allTerms, rowFilter: { [writeName(column)]: { _eq: variable } } };
}
