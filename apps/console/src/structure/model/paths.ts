/** Returns the address of the page of a table or view in the structure. */
export function structurePath(
  schema: string,
  kind: "table" | "view",
  name: string,
  tab?: string,
): string {
  const path = `${schemaPath(schema)}/${kind}/${encodeURIComponent(name)}`;
  return tab === undefined ? path : `${path}?tab=${tab}`;
}

/** Returns the address of the page that creates a table or view. */
export function newPath(schema: string, kind: "table" | "view"): string {
  return `${schemaPath(schema)}/new/${kind}`;
}

/** Returns the address of the list of a schema. */
export function schemaListPath(schema: string): string {
  return `/admin/structure?schema=${encodeURIComponent(schema)}`;
}

function schemaPath(schema: string): string {
  return `/admin/structure/${encodeURIComponent(schema)}`;
}

/** Returns the address of the map of a schema, or of every schema. */
export function mapPath(schema: string | undefined): string {
  const path = "/admin/structure/map";
  return schema === undefined ? path : `${path}?schema=${encodeURIComponent(schema)}`;
}
