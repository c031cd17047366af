import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { FilterBar } from "../../records/filter/filter-bar.tsx";
import type { FilterFault } from "../../records/filter/filter-faults.ts";
import { useReadingView } from "../../records/readings/use-reading-view.ts";
import { ColumnsMenu } from "../../records/table/columns-menu.tsx";
import { SearchBox } from "../../records/table/search-box.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Columns3 } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { ViewAnswer } from "../model/open-view.ts";
import type { ViewState } from "../model/view-state.ts";
import { QuickFilters } from "./quick-filters.tsx";

interface ViewToolbarProps {
  readonly answer: ViewAnswer;
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly state: ViewState;
  readonly onState: (change: Partial<ViewState>, isStep?: boolean) => void;
  readonly faults: readonly FilterFault[];
}

/** What the person chooses of the rows: values, any filter, columns, a text. */
export function ViewToolbar(props: ViewToolbarProps) {
  const { answer, resource, resources, state, onState, faults } = props;
  const { presentation } = answer.data;
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-1.5 gap-y-1 border-line border-b px-3.5 py-1.5">
      <QuickFilters
        {...{ answer, resource }}
        where={state.where}
        onChange={(where) => onState({ where })}
      />
      <FilterBar
        {...{ resource, resources, faults }}
        where={state.where}
        onChange={(where) => onState({ where })}
      />
      <span className="flex-1" />
      {presentation.layout === "table" && <Columns {...props} />}
      <SearchBox text={state.search ?? ""} onChange={(search) => onState({ search })} />
    </div>
  );
}

function Columns(props: ViewToolbarProps) {
  const t = useTranslations("grid");
  const [isChoosing, setChoosing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const view = useReadingView({ ...props, reading: props.answer.data, onOpen: () => {} });
  const all = view.allColumns.length;
  return (
    <>
      <ToolButton
        ref={button}
        kind="bare"
        aria-expanded={isChoosing}
        onClick={() => setChoosing(true)}
      >
        <Columns3 size={15} aria-hidden="true" />
        {view.columns.length === all
          ? t("columns", { count: all })
          : t("columnsShown", { count: view.columns.length, all })}
      </ToolButton>
      {isChoosing && <ColumnsMenu view={view} beside={button} onClose={() => setChoosing(false)} />}
    </>
  );
}
