import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { homeEntries, keepRecent } from "../shell/home-entries.ts";
import type { Navigation } from "../shell/navigation.ts";

/** Keeps what the person opens, for their home page. */
export function useRecent(navigation: Navigation | undefined): void {
  const queries = useQueryClient();
  const { pathname } = useLocation();
  useEffect(() => {
    if (navigation === undefined) return;
    const opened = homeEntries(navigation).find(({ href }) => href === pathname);
    // Without it the page works as well.
    if (opened !== undefined) keepRecent(queries, opened).catch(() => {});
  }, [navigation, pathname, queries]);
}
