import { type KeyboardEvent, type RefObject, useMemo, useRef, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { IconButton } from "../../ui/icon-button.tsx";
import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  Maximize,
  Minus,
  Plus,
} from "../../ui/icons.generated.ts";
import { directions, findNeighbor } from "./find-neighbor.ts";
import type { MapLayout } from "./layout-map.ts";
import type { MapGraph } from "./map-graph.ts";
import { MapLines } from "./map-lines.tsx";
import { MapTables } from "./map-tables.tsx";
import type { TableLook } from "./table-look.ts";
import { useDragScroll } from "./use-drag-scroll.ts";
import { useZoom } from "./use-zoom.ts";

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
  const format = useFormatter();
  const box = useRef<HTMLElement>(null);
  const [active, setActive] = useState(0);
  const [isFocused, setFocused] = useState(false);
  const { width, height, boxes, lines } = layout;
  const zoom = useZoom(box, layout);
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
      <div role="toolbar" aria-label={t("tools")} className="flex flex-wrap items-center gap-1">
        <IconButton label={t("zoomIn")} icon={Plus} onPress={zoom.in} />
        <IconButton label={t("zoomOut")} icon={Minus} onPress={zoom.out} />
        <IconButton label={t("fit")} icon={Maximize} onPress={zoom.fit} />
        <bdi className="w-12 text-center text-2 text-ink-2 tabular-nums">
          {format.number(zoom.scale, { style: "percent" })}
        </bdi>
        {arrows.map(([name, icon, direction]) => (
          <IconButton key={name} label={t(name)} icon={icon} onPress={() => scroll(direction)} />
        ))}
        <span className="text-2 text-ink-2 max-md:hidden">{t("keys")}</span>
      </div>
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
