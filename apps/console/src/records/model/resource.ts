import { writeName } from "@rowhouse/access/written-name";
import type {
  NavigationColumn,
  NavigationRelation,
  NavigationResource,
} from "../../shell/navigation.ts";

/** One row as the Data API returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** The values of a key as texts, in the order of the key. */
export type RowKey = readonly string[];

/** The kind as it stands in paths of the API and of the pages. */
export function kindOf(resource: Pick<NavigationResource, "kind">): "table" | "view" {
  return resource.kind === "VIEW" ? "view" : "table";
}

/** The address that `client.from` takes. */
export function addressOf(resource: Pick<NavigationResource, "kind" | "schema" | "name">) {
  return { schema: resource.schema, name: resource.name, kind: kindOf(resource) };
}

/** The name that people read. */
export function titleOf(item: { readonly label: string | null; readonly name: string }): string {
  return item.label ?? item.name;
}

/** Returns the key of a row, or null for rows without an address. */
export function keyOf(resource: Pick<NavigationResource, "primaryKey">, row: Row): RowKey | null {
  if (resource.primaryKey.length === 0) return null;
  const values = resource.primaryKey.map((name) => row[name]);
  return values.every((value) => value !== null && value !== undefined) ? values.map(String) : null;
}

/** Returns the filter that only the row of a key matches. */
function keyFilter(
  resource: Pick<NavigationResource, "primaryKey">,
  key: RowKey,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    resource.primaryKey.map((name, index) => [writeName(name), { _eq: key[index] ?? "" }]),
  );
}

/** Returns the filter that the rows of some keys match. */
export function keysFilter(
  resource: Pick<NavigationResource, "primaryKey">,
  keys: readonly RowKey[],
): Readonly<Record<string, unknown>> {
  const [only] = resource.primaryKey;
  if (resource.primaryKey.length === 1 && only !== undefined) {
    return { [writeName(only)]: { _in: keys.map(([value]) => value ?? "") } };
  }
  return { _or: keys.map((key) => keyFilter(resource, key)) };
}

/** The columns that this person may read. */
export function readableColumns(resource: NavigationResource): readonly NavigationColumn[] {
  return resource.columns.filter(({ readable }) => readable);
}

/** Returns the relation to the row that a column refers to by itself. */
export function referenceOf(
  resource: NavigationResource,
  column: Pick<NavigationColumn, "name">,
): NavigationRelation | undefined {
  return resource.relations.find(
    ({ foreignKey, columns }) =>
      foreignKey === "OWN" && columns?.length === 1 && columns[0]?.from === column.name,
  );
}
