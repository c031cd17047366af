import { useQuery } from "@tanstack/react-query";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { navigationQuery } from "../../shell/navigation.ts";

/** The table `system.users`, `system.roles` or `system.role_members`, as far as the person may use it. */
export interface ManagedTable {
  may(action: NavigationResource["actions"][number]): boolean;
  /** The names of the columns that the person may read. */
  readonly readable: readonly string[];
  canRead(name: string): boolean;
  canSet(name: string, way: "creatable" | "updatable"): boolean;
}

/** The tables of accounts; undefined until the navigation is loaded. */
export function useManagedTables() {
  const { data } = useQuery(navigationQuery);
  if (data === undefined) return undefined;
  const find = (name: string) =>
    managedTable(data.resources.find((one) => one.schema === "system" && one.name === name));
  return { users: find("users"), roles: find("roles"), members: find("role_members") };
}

function managedTable(resource: NavigationResource | undefined): ManagedTable {
  const columnOf = (name: string): NavigationColumn | undefined =>
    resource?.columns.find((one) => one.name === name);
  const readable = resource?.columns.filter((one) => one.readable).map(({ name }) => name) ?? [];
  return {
    may: (action) => resource?.actions.includes(action) === true,
    readable,
    canRead: (name) => readable.includes(name),
    canSet: (name, way) => columnOf(name)?.[way] === true,
  };
}
