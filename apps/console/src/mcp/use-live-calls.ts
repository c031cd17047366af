import type { AdminOperations } from "@rowhouse/client";
import { useEffect, useState } from "react";
import { client } from "../shell/client.ts";
import { type CallsSearch, callsQuery } from "./calls-search.ts";

/** A recorded call. */
export type Call = AdminOperations["GET /mcp/calls"]["answer"]["data"][number];

/** Calls that the page keeps of those that arrive while it is open. */
const keptMax = 500;

/** Calls that arrived since a list was loaded, newest first. */
export interface LiveCalls {
  readonly calls: readonly Call[];
  /** Whether calls are followed at this moment. */
  readonly isLive: boolean;
  /** Why calls are followed no longer. */
  readonly error: unknown;
  /** Follows the calls again. */
  retry(): void;
}

type Followed = Omit<LiveCalls, "retry">;

/**
 * Follows the calls that pass the filters.
 *
 * @param after the newest call of the list; undefined until the list is loaded
 * @param isPaused whether the list stands still
 */
export function useLiveCalls(
  search: CallsSearch,
  after: string | undefined,
  isPaused: boolean,
): LiveCalls {
  const filters = JSON.stringify(callsQuery(search));
  const [state, setState] = useState<Followed & { readonly filters: string }>();
  const [attempt, setAttempt] = useState(0);
  const own = state?.filters === filters ? state : undefined;
  const from = own?.calls[0]?.id ?? after;
  const isReady = from !== undefined && !isPaused;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stream itself moves on from its first call
  useEffect(() => {
    if (!isReady) return;
    const ending = new AbortController();
    const keep = (
      change: (last: readonly Call[]) => readonly Call[],
      more: Omit<Followed, "calls">,
    ) =>
      setState((last) => ({
        ...{ filters, ...more },
        calls: change(last?.filters === filters ? last.calls : []),
      }));
    const follow = async (): Promise<void> => {
      const query = JSON.parse(filters) as ReturnType<typeof callsQuery>;
      const options = { query: query ?? {}, signal: ending.signal, lastEventId: from };
      for await (const { data } of client.admin.events("/mcp/calls", options)) {
        keep((last) => [...data.toReversed(), ...last].slice(0, keptMax), {
          isLive: true,
          error: null,
        });
      }
    };
    follow().catch((error: unknown) => {
      if (!ending.signal.aborted) keep((last) => last, { isLive: false, error });
    });
    return () => {
      ending.abort();
      setState((last) => (last === undefined ? last : { ...last, isLive: false }));
    };
  }, [filters, isReady, attempt]);
  const { calls = [], isLive = false, error = null } = own ?? {};
  return { calls, isLive, error, retry: () => setAttempt((last) => last + 1) };
}
