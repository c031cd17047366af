import { getRouteApi } from "@tanstack/react-router";
import { ReadingListPage } from "../../records/saved/reading-list-page.tsx";
import { dashboardApi } from "./dashboard-api.ts";

const route = getRouteApi("/frame/admin/dashboards");

/** Every dashboard, for administrators. */
export function DashboardsPage() {
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ReadingListPage
      api={dashboardApi}
      search={search}
      onSearch={(text) => void navigate({ search: { search: text }, replace: true })}
    />
  );
}
