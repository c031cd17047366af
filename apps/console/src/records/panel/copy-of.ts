import type { NavigationResource } from "../../shell/navigation.ts";
import type { Row } from "../model/resource.ts";

/** Returns the values of a duplicate: those that the person may set, without the key if it has a default. */
export function copyOf(resource: NavigationResource, row: Row): Row {
  const copied = resource.columns.filter(
    ({ name, creatable, hasDefault }) =>
      creatable && name in row && !(hasDefault && resource.primaryKey.includes(name)),
  );
  return Object.fromEntries(copied.map(({ name }) => [name, row[name]]));
}
