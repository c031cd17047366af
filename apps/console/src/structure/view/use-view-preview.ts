import { RowhouseError } from "@rowhouse/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import { useDelayed } from "../draft/use-delayed.ts";
import type { ViewDraft } from "./use-view-draft.ts";

/** What the service says of the definition of a view. */
export interface ViewPreview {
  readonly sql: readonly string[] | undefined;
  readonly faults: readonly { readonly path: string; readonly message: string }[];
  readonly failure: unknown;
  readonly isCurrent: boolean;
  retry(): void;
}

/** Milliseconds without a change until a preview is asked for. */
const delayMs = 400;

/**
 * Asks for the SQL of a view after each change.
 *
 * @param view the name of the view that is replaced; null for a new one
 */
export function useViewPreview(schema: string, view: string | null, draft: ViewDraft): ViewPreview {
  const text = JSON.stringify(draft);
  const delayed = useDelayed(text, delayMs);
  const isEmpty = draft.definition.trim() === "" || (view === null && draft.name === "");
  const query = useQuery({
    queryKey: ["structure-preview", "view", schema, view, delayed],
    enabled: !isEmpty,
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const { name, definition, comment, isMaterialized } = JSON.parse(delayed) as ViewDraft;
      const parts = { definition, comment: comment || null };
      if (view === null) {
        const data = { name, ...parts, materialized: isMaterialized };
        const options = { path: { schema }, data, signal };
        return (await client.admin.post("/schema/{schema}/views/preview", options)).data.sql;
      }
      const options = {
        path: { schema, view },
        data: { ...parts, action: "replace" as const },
        signal,
      };
      return (await client.admin.post("/schema/{schema}/views/{view}/preview", options)).data.sql;
    },
  });
  const error = isEmpty ? null : query.error;
  const isFault = error instanceof RowhouseError && error.status >= 400 && error.status < 500;
  return {
    sql: isEmpty || error !== null ? undefined : query.data,
    faults: isFault ? error.faults.map(({ path = "", message }) => ({ path, message })) : [],
    failure: isFault ? null : error,
    isCurrent: text === delayed && !query.isFetching && !query.isPlaceholderData,
    retry: () => void query.refetch(),
  };
}
