/** The page of a workflow: its editor, or another tab. */
export function workflowPath(
  id: string,
  tab: "editor" | "runs" | "versions" | "settings" = "editor",
): string {
  const path = `/admin/workflows/${encodeURIComponent(id)}`;
  return tab === "editor" ? path : `${path}/${tab}`;
}
