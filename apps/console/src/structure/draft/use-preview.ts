import type { ChangePreview } from "../../changes/change-lists.tsx";
import { client } from "../../shell/client.ts";
import { useDraftAnswer } from "../../shell/use-draft-answer.ts";
import type { PlacedChange } from "../model/compile-draft.ts";
import type { Locate, PlacedText } from "../model/places.ts";

/** Where a preview is asked for, and what for. */
interface PreviewRequest {
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

/** Asks for the effects of a draft of a table. */
export function usePreview(request: PreviewRequest): Preview {
  const { schema, table, etag, locate } = request;
  const { last, answer, refusal, failure, isCurrent, retry } = useDraftAnswer({
    key: [schema, table, etag],
    body: request.body,
    load: async (body, signal) => ({
      effects: await load(request, body, signal),
      changes: request.changes,
    }),
  });
  const isOutdated = refusal?.status === 412;
  const faults = isOutdated ? [] : (refusal?.faults ?? []);
  return {
    effects: answer?.effects,
    changes: last?.changes ?? [],
    faults: faults.map(({ path, message }) => ({ ...locate(path), message })),
    failure,
    isOutdated,
    isCurrent,
    retry,
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
