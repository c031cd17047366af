import { isRecord } from "../errors/read-error.ts";
import type { CallOptions } from "../request/client-options.ts";
import { clientError, type Transport } from "../request/transport.ts";
import type { ColumnName } from "../types/paths.ts";
import type { AnyResources } from "../types/resource.ts";

/** A change of one row, as far as the caller may see it. */
export type HistoryEntry<R = AnyResources, N extends keyof R = keyof R> = {
  readonly id: string;
  readonly at: string;
  readonly action: "CREATE" | "UPDATE" | "DELETE";
  /** The user; null for a change by another client of the database. The name is null if the caller may not read it. */
  readonly by: { readonly id: string; readonly name: string | null } | null;
  readonly tokenId: string | null;
  /** The run of the workflow that made the change. */
  readonly runId: string | null;
  readonly requestId: string | null;
  readonly changes: readonly HistoryChange<R, N>[];
};

/** The values of one field before and after a change. */
export type HistoryChange<R = AnyResources, N extends keyof R = keyof R> = {
  readonly field: ColumnName<R, N>;
  readonly old: unknown;
  readonly new: unknown;
};

/** A page of a history. */
export type HistoryPage<R = AnyResources, N extends keyof R = keyof R> = {
  readonly entries: readonly HistoryEntry<R, N>[];
  /** Null after the last page. */
  readonly nextCursor: string | null;
};

export type HistoryOptions = CallOptions & {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
};

/** @param path of the row, encoded */
export async function readHistory<R, N extends keyof R>(
  transport: Transport,
  path: string,
  { limit, cursor, signal }: HistoryOptions,
): Promise<HistoryPage<R, N>> {
  const query = [
    ["limit", limit?.toString()],
    ["cursor", cursor],
  ] as const;
  const request = {
    ...{ method: "GET", path: `${path}/history`, query, signal },
    repeatable: "ALWAYS",
  } as const;
  const { body, status } = await transport.json(request);
  const { data, meta } = isRecord(body) ? body : {};
  if (!Array.isArray(data)) {
    throw clientError(request, status, "RESPONSE_INVALID", "The response has no entries");
  }
  const nextCursor = isRecord(meta) ? meta.nextCursor : undefined;
  return { entries: data, nextCursor: typeof nextCursor === "string" ? nextCursor : null };
}
