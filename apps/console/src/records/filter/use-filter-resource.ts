import type { AdminOperations } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import {
  type NavigationColumn,
  type NavigationResource,
  navigationQuery,
} from "../../shell/navigation.ts";

type Detail = AdminOperations["GET /resources/{id}"]["answer"]["data"];
type DetailColumn = AdminOperations["GET /resources/{id}/columns"]["answer"]["data"][number];

/** A resource with every column, for a filter on it. */
export interface FilterResource {
  readonly resource: NavigationResource;
  /** The resources that its relations lead to. */
  readonly resources: readonly NavigationResource[];
  /** Whether its rows can be counted: the Data API accepts GET. */
  readonly isReadable: boolean;
}

/** Loads a resource with its columns, exposed or hidden. */
export function useFilterResource(id: string | undefined) {
  const { data: navigation } = useQuery(navigationQuery);
  const detail = useQuery({
    queryKey: ["resources", "detail", id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const path = { id: id ?? "" };
      const [resource, columns] = await Promise.all([
        client.admin.get("/resources/{id}", { path, signal }),
        client.admin.get("/resources/{id}/columns", { path, signal }),
      ]);
      return { resource: resource.data, columns: columns.data };
    },
  });
  const found = (): FilterResource | undefined => {
    if (navigation === undefined || detail.data === undefined) return undefined;
    const { resource, columns } = detail.data;
    const own = navigation.resources.find((one) => one.id === id);
    const isReadable = own?.actions.includes("READ") === true;
    return {
      resource: isReadable ? own : hiddenResource(resource, columns, own),
      resources: navigation.resources,
      isReadable,
    };
  };
  return { found: found(), error: detail.error, reload: () => void detail.refetch() };
}

/** A resource that the navigation does not show, as its filter needs it. */
function hiddenResource(
  { id, schema, name, kind, label, description, primaryKey }: Detail,
  columns: readonly DetailColumn[],
  own: NavigationResource | undefined,
): NavigationResource {
  return {
    ...{ id, schema, name, kind, label, description, primaryKey },
    path: "",
    actions: [],
    history: false,
    title: [],
    relations: own?.relations ?? [],
    columns: columns.map(hiddenColumn),
  };
}

function hiddenColumn(column: DetailColumn): NavigationColumn {
  const { name, dataType, values, label, format, colors } = column;
  const { hasDefault, generated, nullable } = column;
  return {
    ...{ name, dataType, values, label, format, colors, hasDefault, generated, nullable },
    description: null,
    // `character varying(20)[]` has the base type `character varying`.
    baseType: dataType.replace(/\[\]$/, "").replace(/\([^)]*\)/, ""),
    array: dataType.endsWith("[]"),
    lengthMax: null,
    ...{ readable: true, creatable: true, updatable: true, required: false },
  };
}
