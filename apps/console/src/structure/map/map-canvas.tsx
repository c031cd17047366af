import { type KeyboardEvent, type RefObject, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { DrawingTools } from "../../shell/drawing-tools.tsx";
import type { Point } from "../../ui/drawing/geometry.ts";
import { useDragScroll } from "../../ui/drawing/use-drag-scroll.ts";
import { useZoom } from "../../ui/drawing/use-zoom.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from "../../ui/icons.generated.ts";
import { directions, findNeighbor, type MapLayout } from "./layout-map.ts";
import type { MapGraph } from "./map-graph.ts";
import { MapTables } from "./map-tables.tsx";
import type { TableLook } from "./table-look.ts";

interface MapCanvasProps {
  readonly graph: MapGraph;
  readonly looks: readonly TableLook[];
  readonly layout: MapLayout;
  /** The drawing, which can be saved. */
  readonly drawing: RefObject<SVGSVGElement | null>;
}

const arrows = [
  ["left", ArrowLeft, directions.ArrowLeft],
  ["right", ArrowRight, directions.ArrowRight],
  ["up", ArrowUp, directions.ArrowUp],
  ["down", ArrowDown, directions.ArrowDown],
] as const;

/** The map as a drawing that is scrolled and enlarged by keys, buttons and the mouse. */
export function MapCanvas({ graph, looks, layout, drawing }: MapCanvasProps) {
  const t = useTranslations("schemaMap");
  const box = useRef<HTMLElement>(null);
  const [active, setActive] = useState(0);
  const [isFocused, setFocused] = useState(false);
  const { width, height, boxes, lines } = layout;
  const zoom = useZoom(box, layout, 0.6);
  const drag = useDragScroll();
  const labels = useMemo(() => {
    const [to, from] = [new Map<number, number>(), new Map<number, number>()];
    for (const key of graph.keys) {
      to.set(key.from, (to.get(key.from) ?? 0) + 1);
      from.set(key.to, (from.get(key.to) ?? 0) + 1);
    }
    return graph.tables.map(({ schema, name }, index) =>
      t("tableLabel", {
        name: `${schema}.${name}`,
        to: to.get(index) ?? 0,
        from: from.get(index) ?? 0,
      }),
    );
  }, [t, graph]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key === "+" || key === "=") zoom.in();
    else if (key === "-") zoom.out();
    else if (key === "0") zoom.fit();
    else if (isDirection(key)) {
      const next = findNeighbor(boxes, active, key);
      const link = box.current?.querySelector<SVGElement>(`[data-table="${next}"]`);
      link?.focus();
      link?.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const scroll = ([x, y]: readonly [number, number]) => {
    const place = box.current;
    place?.scrollBy(x * place.clientWidth * 0.5, y * place.clientHeight * 0.5);
  };
  return (
    <div className="grid gap-2">
      <DrawingTools zoom={zoom}>
        {arrows.map(([name, icon, direction]) => (
          <IconButton key={name} label={t(name)} icon={icon} onPress={() => scroll(direction)} />
        ))}
        <span className="text-2 text-ink-2 max-md:hidden">{t("keys")}</span>
      </DrawingTools>
      <section
        ref={box}
        aria-label={t("map")}
        onKeyDown={onKeyDown}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        {...drag}
        className="relative h-[70dvh] min-h-80 cursor-grab overflow-auto rounded-panel border border-line bg-canvas select-none active:cursor-grabbing"
      >
        <svg
          ref={drawing}
          xmlns="http://www.w3.org/2000/svg"
          width={width * zoom.scale}
          height={height * zoom.scale}
          viewBox={`0 0 ${width} ${height}`}
          fontFamily="var(--font)"
          className="block"
        >
          <title>{t("map")}</title>
          <MapLines graph={graph} lines={lines} active={isFocused ? active : undefined} />
          <MapTables
            tables={graph.tables}
            {...{ looks, boxes, labels, active }}
            onActive={setActive}
          />
        </svg>
      </section>
    </div>
  );
}

function isDirection(key: string): key is keyof typeof directions {
  return Object.hasOwn(directions, key);
}

interface MapLinesProps {
  readonly graph: MapGraph;
  readonly lines: readonly (readonly Point[])[];
  /** The table whose lines stand out. */
  readonly active: number | undefined;
}

const arrow = "schema-map-arrow";

/** The names in the tooltip are those of the person's own data. React's types know `dir` of HTML alone. */
const ownNames = { dir: "auto" };

/** The lines of the foreign keys, with an arrow at the table that each refers to. */
function MapLines({ graph, lines, active }: MapLinesProps) {
  return (
    <>
      <defs>
        <marker
          id={arrow}
          viewBox="0 0 8 8"
          refX="8"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          orient="auto"
        >
          <path d="M0 0 8 4 0 8z" fill="var(--ink-3)" />
        </marker>
      </defs>
      {graph.keys.map((key, index) => {
        const isActive = key.from === active || key.to === active;
        return (
          <path
            // Two tables can have keys of the same name.
            key={`${key.from} ${key.name}`}
            d={pathOf(lines[index] ?? [])}
            fill="none"
            stroke="var(--ink-3)"
            strokeWidth="1.25"
            {...ownNames}
            markerEnd={`url(#${arrow})`}
            className={isActive ? "stroke-accent stroke-2" : undefined}
          >
            <title>{keyText(graph, index)}</title>
          </path>
        );
      })}
    </>
  );
}

/** A foreign key in words: its columns, and those that they refer to. */
function keyText({ tables, keys }: MapGraph, index: number): string {
  const key = keys[index];
  if (key === undefined) return "";
  const side = (table: number, columns: readonly string[]) =>
    `${tables[table]?.name}.${columns.join(", ")}`;
  return `${side(key.from, key.columns)} → ${side(key.to, key.targetColumns)}`;
}

/** A line through points with rounded corners. */
function pathOf(points: readonly Point[]): string {
  const [first, ...others] = points;
  const last = others.pop();
  if (first === undefined || last === undefined) return "";
  const steps = others.map((point, index) => {
    const next = others[index + 1] ?? last;
    const end =
      index === others.length - 1 ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${at(point)} ${at(end)}`;
  });
  return `M${at(first)} ${steps.length === 0 ? `L${at(last)}` : steps.join(" ")}`;
}

const at = ({ x, y }: Point): string => `${Math.round(x)} ${Math.round(y)}`;
