/** Returns the address of the rows of a table or view. */
export function resourcePath(resource: {
  readonly schema: string;
  readonly name: string;
  readonly kind: "TABLE" | "VIEW";
}): string {
  const { schema, name, kind } = resource;
  return `/app/data/${encodeURIComponent(schema)}/${kind.toLowerCase()}/${encodeURIComponent(name)}`;
}
