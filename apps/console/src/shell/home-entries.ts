import type { AppOperations } from "@rowhouse/client";
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { IconComponent } from "../ui/create-icon.ts";
import { Table2, TableProperties } from "../ui/icons.generated.ts";
import { client } from "./client.ts";
import { type Navigation, resourcePath } from "./navigation.ts";
import { readingIcon } from "./reading-icons.ts";
import { viewedAs } from "./viewed-as.ts";

type Home = NonNullable<AppOperations["GET /preferences"]["answer"]["data"]["home"]>;

/** What a person opens from their home page, by its kind and id. */
export interface HomeKey {
  readonly kind: "dashboard" | "dataView" | "resource";
  readonly id: string;
}

/** What can be opened from the home page, as its person may see it now. */
export interface HomeEntry extends HomeKey {
  readonly name: string;
  readonly detail: string;
  readonly icon: IconComponent;
  readonly href: string;
}

const pinnedMax = 50;
const recentMax = 20;

/** `GET /app/api/preferences`. */
export const preferencesQuery = queryOptions({
  queryKey: ["preferences"],
  queryFn: async ({ signal }) => (await client.app.get("/preferences", { signal })).data,
  // Another tab or browser changes them too.
  staleTime: 30_000,
});

/** Returns everything that a person may open, by kind: dashboards, DataViews, tables and views. */
export function homeEntries({
  dashboards,
  dataViews,
  resources,
}: Navigation): readonly HomeEntry[] {
  return [
    ...dashboards.map(
      ({ id, name, description, icon }): HomeEntry => ({
        ...{ kind: "dashboard", id, name, detail: description },
        ...{ icon: readingIcon(icon, "dashboard"), href: `/app/dashboards/${id}` },
      }),
    ),
    ...dataViews.map(
      ({ id, name, description, icon }): HomeEntry => ({
        ...{ kind: "dataView", id, name, detail: description },
        ...{ icon: readingIcon(icon, "dataView"), href: `/app/data-views/${id}` },
      }),
    ),
    ...resources.map(
      (resource): HomeEntry => ({
        ...{ kind: "resource", id: resource.id, name: resource.label ?? resource.name },
        detail: `${resource.schema}.${resource.name}`,
        icon: resource.kind === "VIEW" ? TableProperties : Table2,
        href: resourcePath(resource),
      }),
    ),
  ];
}

/** Whether two keys are of the same thing. */
export function isSameEntry(one: HomeKey, other: HomeKey): boolean {
  return one.kind === other.kind && one.id === other.id;
}

/** What the person has pinned and opened last; empty until it is loaded. */
export function useHome(): {
  readonly pinned: readonly HomeKey[];
  readonly recent: readonly HomeKey[];
} {
  const { data } = useQuery(preferencesQuery);
  return { pinned: data?.home?.pinned ?? [], recent: data?.home?.recent ?? [] };
}

/** Whether something is pinned, and the function that changes it; null where nothing can be pinned. */
export function usePin(entry: HomeKey): {
  readonly isPinned: boolean;
  readonly toggle: (() => void) | null;
} {
  const queries = useQueryClient();
  const { data } = useQuery(preferencesQuery);
  const pinned = data?.home?.pinned ?? [];
  const isPinned = pinned.some((one) => isSameEntry(one, entry));
  const isFull = !isPinned && pinned.length >= pinnedMax;
  const toggle = () => {
    const others = pinned.filter((one) => !isSameEntry(one, entry));
    const { kind, id } = entry;
    void changeHome(queries, { pinned: isPinned ? others : [...others, { kind, id }] });
  };
  return { isPinned, toggle: data === undefined || isFull || viewedAs() !== null ? null : toggle };
}

/** Puts something that was opened first among what was opened last. */
export async function keepRecent(queries: QueryClient, { kind, id }: HomeKey): Promise<void> {
  // An administrator who views the workspace of another person changes nothing of it.
  if (viewedAs() !== null) return;
  const { home } = await queries.fetchQuery(preferencesQuery);
  const recent = home?.recent ?? [];
  const [first] = recent;
  if (first !== undefined && isSameEntry(first, { kind, id })) return;
  const others = recent.filter((one) => !isSameEntry(one, { kind, id }));
  const opened = { kind, id, openedAt: new Date().toISOString() };
  await changeHome(queries, { recent: [opened, ...others].slice(0, recentMax) });
}

/** Shows a change at once, and takes it back if the service refuses it. */
async function changeHome(queries: QueryClient, change: Partial<Home>): Promise<void> {
  const { queryKey } = preferencesQuery;
  const before = queries.getQueryData(queryKey);
  queries.setQueryData(queryKey, (last) => ({ ...last, home: { ...last?.home, ...change } }));
  try {
    const { data } = await client.app.patch("/preferences", { data: { home: change } });
    queries.setQueryData(queryKey, data);
  } catch {
    queries.setQueryData(queryKey, before);
  }
}
