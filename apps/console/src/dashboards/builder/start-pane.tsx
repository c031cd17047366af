import { writeName } from "@rowhouse/access/written-name";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { titleOf } from "../../records/model/resource.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { navigationQuery } from "../../shell/navigation.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Plus } from "../../ui/icons.generated.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { NewPanel, withStart } from "./edit-draft.ts";
import { usualTime } from "./fields.ts";
import { contentIcon } from "./kind-icon.ts";
import { ResourceField } from "./resource-field.tsx";
import { startProposals } from "./start-proposals.ts";
import { useResource } from "./use-resource.ts";
import { useTermWords } from "./use-term-words.ts";

interface StartPaneProps {
  readonly onAdd: (panel: NewPanel) => void;
  readonly onAddAll: (start: Parameters<typeof withStart>[1]) => void;
}

/** In place of an empty board: panels that fit a table, so that one sees something real at once. */
export function StartPane({ onAdd, onAddAll }: StartPaneProps) {
  const t = useTranslations("dashboardBuilder");
  const words = useTranslations("manage");
  const { data } = useQuery(navigationQuery);
  const [chosen, choose] = useState<string>();
  const usual = data?.resources.find(
    ({ schema, actions, columns }) =>
      schema !== "system" &&
      actions.includes("READ") &&
      columns.some(({ baseType }) => /^(?:date|timestamp)/.test(baseType)),
  );
  const resourceId = chosen ?? usual?.id ?? null;
  const { found, fields, facts, error, reload } = useResource(resourceId);
  const terms = useTermWords(fields);
  const table = found === undefined ? "" : titleOf(found.resource);
  const panels = startProposals(fields, facts).map((proposal): NewPanel => {
    return { ...proposal.content, title: terms.titleOf(proposal, table), resourceId };
  });
  const addAll = () => {
    const time = usualTime(fields);
    const period =
      time === undefined
        ? undefined
        : { label: t("parameterKinds.PERIOD"), field: writeName(time.path) };
    onAddAll({ panels, name: table, period });
  };
  return (
    <EmptyState title={t("startTitle")} text={t("startText")}>
      <div className="grid w-full max-w-140 gap-4">
        <ResourceField label={t("table")} resourceId={resourceId} onChange={choose} />
        {error !== null && <FailureNotice error={error} onRetry={reload} />}
        {resourceId !== null && found === undefined && error === null && (
          <Skeleton label={words("loading")} rows={5} />
        )}
        {panels.length > 0 && (
          <>
            <ul
              aria-label={t("proposals")}
              className="divide-y divide-line rounded-panel border border-line bg-surface"
            >
              {panels.map((panel) => {
                const Icon = contentIcon(panel);
                return (
                  <li
                    key={panel.title}
                    className="flex min-w-0 items-center gap-2 py-1.5 pr-2 pl-3"
                  >
                    <Icon size={16} aria-hidden="true" className="shrink-0 text-ink-2" />
                    <span className="min-w-0 flex-1 truncate" dir="auto" title={panel.title}>
                      {panel.title}
                    </span>
                    <ToolButton
                      kind="bare"
                      aria-label={t("addNamed", { name: panel.title })}
                      onClick={() => onAdd(panel)}
                    >
                      <Plus size={14} aria-hidden="true" />
                      {t("addOne")}
                    </ToolButton>
                  </li>
                );
              })}
            </ul>
            <div>
              <ToolButton kind="primary" onClick={addAll}>
                {t("addAll", { count: panels.length })}
              </ToolButton>
            </div>
          </>
        )}
      </div>
    </EmptyState>
  );
}
