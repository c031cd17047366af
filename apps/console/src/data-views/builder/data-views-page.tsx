import { getRouteApi } from "@tanstack/react-router";
import { ReadingListPage } from "../../records/saved/reading-list-page.tsx";
import { dataViewApi } from "./data-view-api.ts";

const route = getRouteApi("/frame/admin/data-views");

/** Every DataView, for administrators. */
export function DataViewsPage() {
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ReadingListPage
      api={dataViewApi}
      search={search}
      onSearch={(text) => void navigate({ search: { search: text }, replace: true })}
    />
  );
}
