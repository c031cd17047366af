import { type RefObject, useMemo } from "react";
import { layoutMap } from "./layout-map.ts";
import { MapCanvas } from "./map-canvas.tsx";
import type { MapGraph } from "./map-graph.ts";
import { lookOf } from "./table-look.ts";

/** The map as a drawing. */
export function MapDrawing(props: {
  readonly graph: MapGraph;
  /** Whether the map has tables of several schemas. */
  readonly hasSchema: boolean;
  readonly drawing: RefObject<SVGSVGElement | null>;
}) {
  const { graph, hasSchema, drawing } = props;
  const looks = useMemo(
    () => graph.tables.map((table) => lookOf(table, hasSchema)),
    [graph, hasSchema],
  );
  const layout = useMemo(() => layoutMap(graph, looks), [graph, looks]);
  return <MapCanvas {...{ graph, looks, layout, drawing }} />;
}
