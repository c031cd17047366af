import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { personQuery } from "../shell/navigation.ts";
import { AdministrationSidebar } from "./administration-sidebar.tsx";
import { Sidebar } from "./sidebar.tsx";

/** The navigation beside the open page: of the administration on its pages, else of the workspace. */
export function FrameNavigation() {
  const { pathname } = useLocation();
  const { data: person } = useQuery(personQuery);
  const isAdministration = pathname === "/admin" || pathname.startsWith("/admin/");
  return isAdministration && person?.isAdministrator === true ? (
    <AdministrationSidebar />
  ) : (
    <Sidebar />
  );
}
