import type { NavigationResource } from "../shell/navigation.ts";

/** Returns the tables and views by schema, those whose label, name or schema contains the text. */
export function groupBySchema(
  resources: readonly NavigationResource[],
  text: string,
): ReadonlyMap<string, readonly NavigationResource[]> {
  const wanted = text.trim().toLowerCase();
  const groups = new Map<string, NavigationResource[]>();
  for (const resource of resources) {
    const { schema, name, label } = resource;
    const isWanted = [label ?? "", name, schema].some((one) => one.toLowerCase().includes(wanted));
    if (!isWanted) continue;
    const group = groups.get(schema);
    if (group === undefined) groups.set(schema, [resource]);
    else group.push(resource);
  }
  return groups;
}
