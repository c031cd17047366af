import { client } from "../../shell/client.ts";
import { useDraftAnswer } from "../../shell/use-draft-answer.ts";
import type { ViewDraft } from "./use-view-draft.ts";

/** What the service says of the definition of a view. */
export interface ViewPreview {
  readonly sql: readonly string[] | undefined;
  readonly faults: readonly { readonly path: string; readonly message: string }[];
  readonly failure: unknown;
  readonly isCurrent: boolean;
  retry(): void;
}

/**
 * Asks for the SQL of a view after each change.
 *
 * @param view the name of the view that is replaced; null for a new one
 */
export function useViewPreview(schema: string, view: string | null, draft: ViewDraft): ViewPreview {
  const isEmpty = draft.definition.trim() === "" || (view === null && draft.name === "");
  const { answer, refusal, failure, isCurrent, retry } = useDraftAnswer({
    key: ["view", schema, view],
    body: isEmpty ? "" : JSON.stringify(draft),
    load: (body, signal) => load(schema, view, JSON.parse(body), signal),
  });
  const faults = refusal?.faults ?? [];
  return {
    sql: answer,
    faults: faults.map(({ path = "", message }) => ({ path, message })),
    failure,
    isCurrent,
    retry,
  };
}

async function load(
  schema: string,
  view: string | null,
  { name, definition, comment, isMaterialized }: ViewDraft,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const parts = { definition, comment: comment || null };
  if (view === null) {
    const data = { name, ...parts, materialized: isMaterialized };
    const options = { path: { schema }, data, signal };
    return (await client.admin.post("/schema/{schema}/views/preview", options)).data.sql;
  }
  const data = { ...parts, action: "replace" as const };
  const options = { path: { schema, view }, data, signal };
  return (await client.admin.post("/schema/{schema}/views/{view}/preview", options)).data.sql;
}
