import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useTranslations } from "use-intl";
import { DrawingTools } from "../../shell/drawing-tools.tsx";
import { svgFile } from "../../ui/drawing/svg-file.ts";
import { useDragScroll } from "../../ui/drawing/use-drag-scroll.ts";
import { useZoom } from "../../ui/drawing/use-zoom.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Download, Printer } from "../../ui/icons.generated.ts";
import { fileName, saveFile } from "../../ui/save-file.ts";
import { CardButtons } from "./card-buttons.tsx";
import type { GraphCard, GraphEdits } from "./graph-card.ts";
import { GraphDrawing } from "./graph-drawing.tsx";
import { InsertButtons } from "./insert-buttons.tsx";
import type { GraphLayout, GraphLine } from "./layout-graph.ts";
import { useCardDrag } from "./use-card-drag.ts";
import { isWalk, type WalkGraph } from "./walk-graph.ts";

interface GraphCanvasProps {
  readonly layout: GraphLayout;
  readonly cards: ReadonlyMap<string, GraphCard>;
  readonly walk: WalkGraph;
  readonly chosen: string;
  readonly label: string;
  /** The name of the saved file, without its ending. */
  readonly name: string;
  readonly onChoose: (key: string) => void;
  /** The Enter key at a card, or a press of a place for a first step. */
  readonly onOpen: (key: string) => void;
  readonly isFaint?: (line: GraphLine) => boolean;
  readonly edits?: GraphEdits;
  /** Further buttons over the drawing, at full size. */
  readonly children?: (scale: number) => ReactNode;
}

/** A drawing is first shown no smaller than this. */
const legible = 1;
/** Buttons between cards have room from this size on. */
const insertFrom = 0.6;
const never = () => false;

/** A graph that is scrolled and enlarged, whose cards are buttons with one tab stop. */
export function GraphCanvas(props: GraphCanvasProps) {
  const { layout, cards, walk, chosen, onChoose, onOpen, edits } = props;
  const t = useTranslations("workflowGraph");
  const drawn = useTranslations("drawing");
  const box = useRef<HTMLElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const zoom = useZoom(box, layout, legible);
  const scroll = useDragScroll();
  const [focused, setFocused] = useState<string>();
  const { scale } = zoom;
  const stop = focused !== undefined && layout.boxes.has(focused) ? focused : chosen;
  const drag = useCardDrag({
    ...{ places: layout.places, scale },
    fits: edits?.fits ?? never,
    onDrop: (key, place) => edits?.moveTo(key, place),
  });
  useReveal(box, layout, chosen, scale);
  const isFocused = focused !== undefined;
  // The browser loses the focus of a card that moves among the others, and of one that is deleted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another layout moves the cards
  useLayoutEffect(() => {
    const active = document.activeElement;
    const isHere = box.current?.contains(active) === true;
    if (isHere || (isFocused && active === document.body)) cardButton(box.current, chosen)?.focus();
  }, [layout, chosen, isFocused]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const key = event.target instanceof HTMLElement ? event.target.dataset.card : undefined;
    if (key === undefined || event.nativeEvent.isComposing) return;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isPlain && isWalk(event.key)) {
      const next = walk(key, event.key);
      if (next !== undefined) {
        cardButton(box.current, next)?.focus();
        if (cards.has(next)) onChoose(next);
      }
    } else if (isPlain && event.key === "0") zoom.fit();
    else if (edits?.onKey(event, key) !== true) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="border-line border-b px-3 py-1">
        <DrawingTools zoom={zoom}>
          <IconButton
            label={drawn("save")}
            icon={Download}
            onPress={() => {
              if (drawing.current === null) return;
              saveFile(svgFile(drawing.current), fileName(props.name, "svg"));
            }}
          />
          <IconButton label={drawn("print")} icon={Printer} onPress={() => window.print()} />
          <span className="text-2 text-ink-2 max-xl:hidden">
            {t(edits === undefined ? "keys" : "editKeys")}
          </span>
        </DrawingTools>
      </div>
      <section
        ref={box}
        aria-label={props.label}
        onKeyDown={onKeyDown}
        {...scroll}
        className="printed-alone print:visible print:fixed print:inset-0 print:h-auto print:overflow-visible print:[print-color-adjust:exact] relative min-h-0 flex-1 cursor-grab overflow-auto overscroll-contain bg-canvas select-none active:cursor-grabbing max-lg:h-[60dvh] max-lg:flex-none"
      >
        <div
          className="relative mx-auto h-(--height) w-(--width) print:size-full"
          style={cssSize(layout.width * scale, layout.height * scale)}
        >
          <GraphDrawing
            {...{ drawing, layout, cards, scale, chosen }}
            moved={drag.drag}
            title={props.label}
            isFaint={props.isFaint ?? never}
          />
          <div className="print:hidden">
            <CardButtons
              {...{ layout, cards, scale, chosen, stop, drag, edits }}
              onFocus={setFocused}
              onChoose={onChoose}
              onOpen={onOpen}
            />
            {edits !== undefined && scale >= insertFrom && (
              <InsertButtons
                {...{ layout, cards, scale }}
                target={drag.drag?.place}
                onInsert={edits.insert}
              />
            )}
            {props.children?.(scale)}
          </div>
        </div>
      </section>
    </div>
  );
}

/** The size as custom properties, since a style has priority over the classes of the print. */
function cssSize(width: number, height: number): CSSProperties {
  return { "--width": `${width}px`, "--height": `${height}px` } as CSSProperties;
}

/** The button of a card in a graph. */
export function cardButton(graph: Element | null, key: string): HTMLElement | undefined {
  const buttons = graph?.querySelectorAll<HTMLElement>("[data-card]") ?? [];
  return [...buttons].find((one) => one.dataset.card === key);
}

/** Scrolls to the chosen card when it changes, and first to the beginning of the graph. */
function useReveal(
  box: { readonly current: HTMLElement | null },
  { boxes }: GraphLayout,
  chosen: string,
  scale: number,
): void {
  const latest = useRef({ boxes, scale });
  latest.current = { boxes, scale };
  useEffect(() => {
    const place = box.current;
    const card = latest.current.boxes.get(chosen);
    if (place === null || card === undefined) return;
    const { scale: size } = latest.current;
    const [left, top] = [card.x * size, card.y * size];
    const [right, bottom] = [left + card.width * size, top + card.height * size];
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = place;
    const isSeen =
      left >= scrollLeft &&
      right <= scrollLeft + clientWidth &&
      top >= scrollTop &&
      bottom <= scrollTop + clientHeight;
    if (isSeen) return;
    place.scrollTo((left + right - clientWidth) / 2, (top + bottom - clientHeight) / 2);
  }, [box, chosen]);
}
