import type { AdminOperations } from "@rowhouse/client";
import { type ReactNode, useEffect, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { linkClasses } from "../ui/classes.ts";
import { StateBadge } from "../ui/entries.tsx";
import { ScrollText } from "../ui/icons.generated.ts";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";
import { type CallsSearch, callsQuery } from "./calls-search.ts";

interface CallListProps {
  readonly calls: readonly Call[];
  /** Narrows the list to calls that share a value. */
  readonly onFilter: (change: CallsSearch) => void;
}

/** Calls of agents. A value leads to the calls that share it, a person to their page. */
export function CallList({ calls, onFilter }: CallListProps) {
  const t = useTranslations("mcp");
  const format = useFormatter();
  const narrow = (text: ReactNode, change: CallsSearch) => (
    <button
      type="button"
      className={`${linkClasses} max-w-full truncate align-bottom`}
      onClick={() => onFilter(change)}
    >
      {text}
    </button>
  );
  const columns: readonly ListColumn<Call>[] = [
    {
      key: "tool",
      label: t("call"),
      width: "w-44",
      cell: ({ tool, method }) =>
        tool === null ? (
          <code className="font-mono text-2">{method}</code>
        ) : (
          narrow(<code className="font-mono text-2">{tool}</code>, { tool })
        ),
    },
    {
      key: "resource",
      label: t("resource"),
      cell: ({ resource }) =>
        resource !== null && (
          <code className="font-mono text-2" title={resource}>
            {resource}
          </code>
        ),
    },
    {
      key: "outcome",
      label: t("outcome"),
      width: "w-52",
      cell: ({ outcome, code }) => (
        <span className="flex flex-wrap items-center gap-x-2">
          <StateBadge look={outcome === "SUCCEEDED" ? "ok" : "warn"}>
            {t(`outcomes.${outcome}`)}
          </StateBadge>
          {code !== null && <code className="font-mono text-2 wrap-anywhere">{code}</code>}
        </span>
      ),
    },
    {
      key: "person",
      label: t("person"),
      cell: ({ userId, userName }) =>
        userName === null ? (
          t("deleted")
        ) : (
          <AppLink
            href={`/admin/people/users/${userId}`}
            className={`${linkClasses} max-w-full truncate align-bottom`}
            title={userName}
            dir="auto"
          >
            {userName}
          </AppLink>
        ),
    },
    {
      key: "client",
      label: t("client"),
      cell: ({ clientName, tokenName, tokenId }) => (
        <span className="flex min-w-0 items-center gap-1">
          {narrow(<bdi>{clientName ?? tokenName ?? tokenId}</bdi>, { tokenId })}
          <AppLink
            href={`/admin/audit?actorTokenId=${tokenId}`}
            aria-label={t("audit", { name: tokenName ?? tokenId })}
            title={t("audit", { name: tokenName ?? tokenId })}
            className="grid size-6 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken"
          >
            <ScrollText size={14} aria-hidden="true" />
          </AppLink>
        </span>
      ),
    },
    {
      key: "rows",
      label: t("rows"),
      width: "w-20",
      isNumber: true,
      cell: ({ rows, bytes }) =>
        rows !== null && (
          <span title={bytes === null ? undefined : t("bytes", { count: bytes })}>
            {format.number(rows)}
          </span>
        ),
    },
    {
      key: "duration",
      label: t("duration"),
      width: "w-24",
      isNumber: true,
      cell: ({ durationMs }) => (
        <bdi>
          {format.number(durationMs, { style: "unit", unit: "millisecond", unitDisplay: "short" })}
        </bdi>
      ),
    },
    {
      key: "time",
      label: t("time"),
      width: "w-44",
      cell: ({ at }) => (
        <time dateTime={at}>
          {format.dateTime(new Date(at), { dateStyle: "short", timeStyle: "medium" })}
        </time>
      ),
    },
  ];
  return (
    <ListTable
      label={t("tabs.calls")}
      items={calls}
      columns={columns}
      keyOf={({ id }) => id}
      isWide
    />
  );
}

/** A recorded call. */
type Call = AdminOperations["GET /mcp/calls"]["answer"]["data"][number];

/** Calls that the page keeps of those that arrive while it is open. */
const keptMax = 500;

/** Calls that arrived since a list was loaded, newest first. */
interface LiveCalls {
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
