import { useTranslations } from "use-intl";
import type { ReadingAnswer, ReadingQuery, ReadRows } from "../../records/readings/open-reading.ts";
import { ReadingTable } from "../../records/readings/reading-table.tsx";
import { useReadingView } from "../../records/readings/use-reading-view.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { PanelRowsSearch } from "../model/panel-rows-search.ts";

interface PanelRowsTableProps {
  readonly answer: ReadingAnswer;
  readonly read: ReadRows;
  readonly query: ReadingQuery;
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly search: PanelRowsSearch;
  readonly title: string;
  readonly onChange: (change: Partial<PanelRowsSearch>, isStep?: boolean) => void;
}

const noRecords: readonly string[] = [];

/** The rows behind a mark in the grid of every page, with their records beside it. */
export function PanelRowsTable(props: PanelRowsTableProps) {
  const { answer, resource, search, title, onChange } = props;
  const t = useTranslations("dashboards");
  const view = useReadingView({
    ...{ resource, resources: props.resources, reading: answer.data, state: search },
    onState: onChange,
    onOpen: (paths, isStep) => onChange({ open: paths.length === 0 ? undefined : paths }, isStep),
  });
  return (
    <ReadingTable
      {...{ answer, resource, view }}
      read={props.read}
      query={props.query}
      label={title}
      open={search.open ?? noRecords}
      empty={
        <div className="p-3.5">
          <EmptyState title={t("noRows")} text={t("noRowsText")} />
        </div>
      }
    />
  );
}
