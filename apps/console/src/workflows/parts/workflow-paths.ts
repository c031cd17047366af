/** The page of a workflow: its editor, or another tab. */
export function workflowPath(
  id: string,
  tab: "editor" | "test" | "runs" | "versions" | "settings" = "editor",
): string {
  const path = `/admin/workflows/${encodeURIComponent(id)}`;
  return tab === "editor" ? path : `${path}/${tab}`;
}

/** The page of a run, with one of its steps. */
export function runPath(id: string, runId: string, step?: string): string {
  const path = `${workflowPath(id, "runs")}/${encodeURIComponent(runId)}`;
  return step === undefined ? path : `${path}?step=${encodeURIComponent(step)}`;
}

/** The editor with a step, and a field of it by its JSON pointer. */
export function stepPath(id: string, step: string, field = ""): string {
  const path = `${workflowPath(id)}?step=${encodeURIComponent(step)}`;
  return field === "" ? path : `${path}&field=${encodeURIComponent(field)}`;
}
