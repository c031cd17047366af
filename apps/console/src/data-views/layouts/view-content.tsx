import { lazy, Suspense, useMemo } from "react";
import { resourceOfReading } from "../../records/readings/reading-resource.ts";
import { ReadingTable } from "../../records/readings/reading-table.tsx";
import { useReadingView } from "../../records/readings/use-reading-view.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import type { ViewAnswer, ViewQuery, ViewSource } from "../model/open-view.ts";
import type { ViewState } from "../model/view-state.ts";
import { CalendarView } from "./calendar/calendar-view.tsx";
import { CardsView } from "./cards-view.tsx";
import { KanbanView } from "./kanban/kanban-view.tsx";
import { EmptyView, type LayoutProps } from "./layout-parts.tsx";

// A form has editors that the other layouts load only when they are used.
const FormView = lazy(async () => ({
  default: (await import("./form/form-view.tsx")).FormView,
}));

interface ViewContentProps {
  /** The DataView, as `useViewAnswer` has read it. */
  readonly answer: ViewAnswer;
  readonly source: ViewSource;
  /** The query of the answer. */
  readonly query: ViewQuery;
  readonly resources: readonly NavigationResource[];
  readonly state: ViewState;
  readonly onState: (change: Partial<ViewState>, isStep?: boolean) => void;
}

/** The rows of a DataView in its layout. */
export function ViewContent(props: ViewContentProps) {
  const { answer, source, resources, onState } = props;
  const resource = useMemo(
    () => resourceOfReading(answer.data, resources, source.isPreview),
    [answer, resources, source],
  );
  const onOpen = useMemo(
    () => (paths: readonly string[], isStep: boolean) =>
      onState({ open: paths.length === 0 ? undefined : paths }, isStep),
    [onState],
  );
  const layout = { ...props, resource, onOpen };
  const { presentation } = answer.data;
  switch (presentation.layout) {
    case "cards":
      return <CardsView {...layout} presentation={presentation} />;
    case "kanban":
      return <KanbanView {...layout} presentation={presentation} />;
    case "calendar":
      return <CalendarView {...layout} presentation={presentation} />;
    case "form":
      return (
        <Suspense fallback={null}>
          <FormView {...layout} presentation={presentation} />
        </Suspense>
      );
    default:
      return <TableView {...layout} />;
  }
}

/** The rows as a table. */
function TableView(props: LayoutProps) {
  const { answer, source, query, resource, state, onState } = props;
  const view = useReadingView({ ...props, reading: answer.data });
  return (
    <ReadingTable
      label={answer.data.name}
      answer={answer}
      read={source.read}
      query={query}
      resource={resource}
      view={view}
      open={state.open ?? noRecords}
      empty={<EmptyView state={state} onState={onState} />}
    />
  );
}

const noRecords: readonly string[] = [];
