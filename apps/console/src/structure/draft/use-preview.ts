import { type AdminOperations, RowhouseError } from "@rowhouse/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import type { PlacedChange } from "../model/compile-draft.ts";
import type { Locate, PlacedText } from "../model/places.ts";
import { useDelayed } from "./use-delayed.ts";

/** The effects of a change. */
export type ChangePreview =
  AdminOperations["POST /schema/{schema}/tables/{table}/preview"]["answer"]["data"];

/** Where a preview is asked for, and what for. */
export interface PreviewRequest {
  readonly schema: string;
  /** The table that changes; null for a new one. */
  readonly table: string | null;
  readonly etag: string | undefined;
  /** The `data` member of the body as JSON; empty for no change. */
  readonly body: string;
  readonly locate: Locate;
  readonly changes: readonly PlacedChange[];
}

/** What the service says of a draft. */
export interface Preview {
  /** Undefined until the first answer, and after faults. */
  readonly effects: ChangePreview | undefined;
  /** The changes that have these effects: those of an earlier draft until the answer to the present one arrives. */
  readonly changes: readonly PlacedChange[];
  /** Faults at their places. */
  readonly faults: readonly PlacedText[];
  /** A failure that is no fault of the draft. */
  readonly failure: unknown;
  /** Whether another administrator has changed the table since it was read. */
  readonly isOutdated: boolean;
  /** Whether the answer is that of the draft as it is now. */
  readonly isCurrent: boolean;
  retry(): void;
}

/** Milliseconds without a change until a preview is asked for. */
const delayMs = 300;

/** Asks for the effects of a draft after each change. Only the answer to the latest draft is shown. */
export function usePreview(request: PreviewRequest): Preview {
  const { schema, table, etag, locate } = request;
  const body = useDelayed(request.body, delayMs);
  const isEmpty = body === "";
  const query = useQuery({
    queryKey: ["structure-preview", schema, table, etag, body],
    queryFn: async ({ signal }) => ({
      effects: await load(request, body, signal),
      changes: request.changes,
    }),
    enabled: !isEmpty,
    // The rows of the table change without the draft.
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const error = isEmpty ? null : query.error;
  const isFault = error instanceof RowhouseError && error.status >= 400 && error.status < 500;
  const isOutdated = error instanceof RowhouseError && error.status === 412;
  return {
    effects: isEmpty || error !== null ? undefined : query.data?.effects,
    changes: query.data?.changes ?? [],
    faults:
      isFault && !isOutdated
        ? error.faults.map(({ path, message }) => ({ ...locate(path), message }))
        : [],
    failure: isFault ? null : error,
    isOutdated,
    isCurrent:
      body === request.body && (isEmpty || (!query.isFetching && !query.isPlaceholderData)),
    retry: () => void query.refetch(),
  };
}

async function load(
  { schema, table, etag: ifMatch }: PreviewRequest,
  body: string,
  signal: AbortSignal,
): Promise<ChangePreview> {
  const data = JSON.parse(body);
  if (table !== null) {
    const path = { schema, table };
    const options = { path, data, signal, ifMatch };
    return (await client.admin.post("/schema/{schema}/tables/{table}/preview", options)).data;
  }
  const options = { path: { schema }, data, signal };
  const { sql } = (await client.admin.post("/schema/{schema}/tables/preview", options)).data;
  return { sql, locks: [], failingRows: [], losses: [], confirmations: [], notes: [] };
}
