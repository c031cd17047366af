import { useTranslations } from "use-intl";
import { FilterBar } from "../../records/filter/filter-bar.tsx";
import type { FilterFault } from "../../records/filter/filter-faults.ts";
import type { ReadingQuery } from "../../records/readings/open-reading.ts";
import { SearchBox } from "../../records/table/search-box.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { Download } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { fileName, saveFile } from "../../ui/save-file.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { PanelRowsSearch } from "../model/panel-rows-search.ts";
import { downloadPanelRows, type MarkPlace } from "./dashboard-queries.ts";

interface PanelRowsToolsProps {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly search: PanelRowsSearch;
  readonly place: MarkPlace;
  readonly query: ReadingQuery;
  readonly title: string;
  readonly faults: readonly FilterFault[];
  readonly onChange: (change: Partial<PanelRowsSearch>) => void;
}

/** What a person chooses of the rows behind a mark: a filter, a text, and a file of them. */
export function PanelRowsTools(props: PanelRowsToolsProps) {
  const { resource, resources, search, place, query, title, faults, onChange } = props;
  const t = useTranslations("dashboards");
  const save = useTask(async () => {
    saveFile(await downloadPanelRows(place, query), fileName(title, "csv"));
  }, []);
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-1.5 gap-y-1 border-line border-b px-3.5 py-1.5">
      <FilterBar
        {...{ resource, resources, faults }}
        where={search.where}
        onChange={(where) => onChange({ where })}
      />
      <span className="flex-1" />
      <SearchBox text={search.search ?? ""} onChange={(text) => onChange({ search: text })} />
      <ToolButton aria-busy={save.isBusy} onClick={save.run}>
        <Download size={14} aria-hidden="true" />
        {t("csv")}
      </ToolButton>
      {save.failure !== undefined && <Notice kind="danger">{save.failure}</Notice>}
    </div>
  );
}
