import { ReadingTable } from "../../records/readings/reading-table.tsx";
import { useReadingView } from "../../records/readings/use-reading-view.ts";
import { EmptyView } from "./empty-view.tsx";
import type { LayoutProps } from "./layout-props.ts";

/** The rows as a table. */
export function TableView(props: LayoutProps) {
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
