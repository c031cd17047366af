import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useOwnWays, WaysProvider } from "../../records/values/ways.ts";
import { client } from "../../shell/client.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { RecordPage } from "../../shell/record-page.tsx";
import type { BuilderSearch } from "./builder-search.ts";
import { ViewBuilder } from "./view-builder.tsx";
import { draftOf, emptyDraft } from "./view-draft.ts";

const route = getRouteApi("/frame/admin/data-views/$id");

/** The builder of a DataView by its id, or under `new` of one that is created. */
export function BuilderPage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const ways = useOwnWays();
  const isNew = id === "new";
  const navigation = useQuery(navigationQuery);
  const view = useQuery({
    queryKey: ["data-views", id],
    enabled: !isNew,
    // What a person has changed must not change under them; a save compares with the present version.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }) =>
      (await client.admin.get("/data-views/{id}", { path: { id }, signal })).data,
  });
  const onSearch = (change: BuilderSearch) =>
    void navigate({ search: (last) => ({ ...last, ...change }), replace: true });
  const stored = isNew ? undefined : view.data;
  const isLoaded = navigation.data !== undefined && (isNew || stored !== undefined);
  return (
    <WaysProvider value={ways}>
      <RecordPage
        record={isLoaded ? navigation.data : undefined}
        error={navigation.error ?? view.error}
        onRetry={() => {
          void navigation.refetch();
          if (!isNew) void view.refetch();
        }}
      >
        {({ resources }) => (
          <ViewBuilder
            key={id}
            stored={stored}
            first={stored === undefined ? emptyDraft(search.resource ?? "") : draftOf(stored)}
            resources={resources}
            search={search}
            onSearch={onSearch}
          />
        )}
      </RecordPage>
    </WaysProvider>
  );
}
