import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { Listing } from "../shell/listing.tsx";
import { useSetting } from "../shell/settings.ts";
import { useListing } from "../shell/use-listing.ts";
import { useTitle } from "../shell/use-title.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { StateBadge } from "../ui/entries.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Pause, Play, X } from "../ui/icons.generated.ts";
import { Select } from "../ui/select.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { CallList, useLiveCalls } from "./call-list.tsx";
import { type CallsSearch, callOutcomes, callsQuery } from "./calls-search.ts";
import { McpOff } from "./mcp-off.tsx";
import { switches } from "./switches.ts";

const route = getRouteApi("/frame/admin/mcp/calls");

/** The calls of agents as they arrive: tool, duration, rows and refusals. The filters are in the address. */
export function CallsPage() {
  const t = useTranslations("mcp");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isOn = useSetting("mcp.enabled") === true;
  const [isPaused, pause] = useState(false);
  const loaded = useListing(["mcp", "calls", search], (page, signal) =>
    client.admin.get("/mcp/calls", { query: { ...callsQuery(search), ...page }, signal }),
  );
  const after = loaded.items === undefined ? undefined : (loaded.items[0]?.id ?? "0");
  const live = useLiveCalls(search, after, isPaused);
  const known = new Set(live.calls.map(({ id }) => id));
  const items = loaded.items && [...live.calls, ...loaded.items.filter(({ id }) => !known.has(id))];
  const filter = (change: CallsSearch) =>
    void navigate({ search: (last) => ({ ...last, ...change }) });
  useTitle(t("tabs.calls"));
  const Icon = isPaused ? Play : Pause;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <CallFilters search={search} onChange={filter} />
        <span className="flex items-center gap-2">
          {live.isLive && <StateBadge look="ok">{t("live")}</StateBadge>}
          <ToolButton onClick={() => pause(!isPaused)}>
            <Icon size={14} aria-hidden="true" />
            {t(isPaused ? "follow" : "pause")}
          </ToolButton>
        </span>
      </div>
      {live.error !== null && <FailureNotice error={live.error} onRetry={live.retry} />}
      <Listing
        listing={{ ...loaded, items }}
        isFiltered={Object.values(search).some((value) => value !== undefined)}
        empty={isOn ? <EmptyState title={t("noCalls")} text={t("noCallsText")} /> : <McpOff />}
      >
        {(calls) => <CallList calls={calls} onFilter={filter} />}
      </Listing>
    </>
  );
}

const tools = switches.flatMap((one) => one.tools);
const ids = ["userId", "tokenId"] as const;

interface CallFiltersProps {
  readonly search: CallsSearch;
  readonly onChange: (change: CallsSearch) => void;
}

/** The filters of the calls. */
function CallFilters({ search, onChange }: CallFiltersProps) {
  const t = useTranslations("mcp");
  const { tool = "" } = search;
  const named = tool === "" || tools.includes(tool) ? tools : [...tools, tool];
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-3">
      <Select
        label={t("tool")}
        value={tool}
        options={[
          { value: "", label: t("any") },
          ...named.map((value) => ({ value, label: value, isName: true })),
        ]}
        onChange={(value) => onChange({ tool: value === "" ? undefined : value })}
      />
      <Select
        label={t("outcome")}
        value={search.outcome ?? ""}
        options={[
          { value: "", label: t("any") },
          ...callOutcomes.map((value) => ({ value, label: t(`outcomes.${value}`) })),
        ]}
        onChange={(value) => onChange({ outcome: value === "" ? undefined : value })}
      />
      {ids.map(
        (name) =>
          search[name] !== undefined && (
            <span
              key={name}
              className="flex h-7 max-w-full items-center gap-1.5 rounded-control border border-accent-line bg-accent-soft pl-2"
            >
              <span className="text-ink-2">{t(`filters.${name}`)}</span>
              <code className="truncate font-mono text-2">{search[name]}</code>
              <IconButton
                label={t("remove", { name: t(`filters.${name}`) })}
                icon={X}
                onPress={() => onChange({ [name]: undefined })}
              />
            </span>
          ),
      )}
    </div>
  );
}
