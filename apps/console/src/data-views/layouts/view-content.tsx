import { lazy, Suspense, useMemo } from "react";
import { resourceOfReading } from "../../records/readings/reading-resource.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import type { ViewAnswer, ViewQuery, ViewSource } from "../model/open-view.ts";
import type { ViewState } from "../model/view-state.ts";
import { CalendarView } from "./calendar/calendar-view.tsx";
import { CardsView } from "./cards-view.tsx";
import { KanbanView } from "./kanban/kanban-view.tsx";
import { TableView } from "./table-view.tsx";

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
