import type { CallOptions } from "../request/client-options.ts";
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
