import {
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useTranslations } from "use-intl";
import { boardGap, boardRow, placeStyle } from "../model/board.ts";
import { BoardPanel } from "./board-panel.tsx";
import type { Panel } from "./draft.ts";
import type { DraftFault } from "./draft-faults.ts";
import { type Drag, draggedTo } from "./drag-state.ts";
import {
  arranged,
  columnCount,
  inReadingOrder,
  isSamePlace,
  type Place,
  type Placed,
  stepped,
} from "./layout.ts";
import type { PanelPreview } from "./use-preview.ts";

interface BoardProps {
  readonly panels: readonly Panel[];
  readonly chosen: string | undefined;
  /** Whether panels are chosen only, and not moved, copied or deleted. */
  readonly isLocked: boolean;
  readonly previewOf: (panel: Panel) => PanelPreview | undefined;
  readonly faultsOf: (panel: Panel) => readonly Omit<DraftFault, "part">[];
  readonly onRetry: (panel: Panel) => void;
  readonly onChoose: (id: string) => void;
  readonly onCopy: (id: string) => void;
  readonly onDelete: (id: string) => void;
  /** @param subject steps of the same one in a row are undone together */
  readonly onArrange: (panels: readonly Panel[], subject?: string) => void;
}

const steps: Readonly<Record<string, Pick<Place, "x" | "y">>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The panels of a draft in their places: each is chosen, moved and resized by a mouse, a finger or keys. */
export function Board(props: BoardProps) {
  const { panels, chosen, onArrange } = props;
  const t = useTranslations("dashboardBuilder");
  const board = useRef<HTMLDivElement>(null);
  const [message, announce] = useState("");
  const nameOf = (panel: Panel) => (panel.title === "" ? t(`kinds.${panel.kind}`) : panel.title);
  const say = (next: readonly Panel[], id: string) => {
    const panel = next.find((one) => one.id === id);
    if (panel === undefined) return;
    const { x, y, w, h } = panel.layout;
    announce(t("placed", { name: nameOf(panel), column: x + 1, row: y + 1, width: w, height: h }));
  };
  const { drag, handlers } = usePanelDrag({
    board,
    rowHeight: boardRow,
    gap: boardGap,
    onDrop: ({ id, to }) => {
      const next = arranged(panels, id, to);
      onArrange(next);
      say(next, id);
    },
  });
  const shown = drag === undefined ? panels : arranged(panels, drag.id, drag.to);
  const target = shown.find(({ id }) => id === drag?.id);
  // A panel that changes its place in the document during a drag would lose the pointer.
  const order = inReadingOrder(panels).map(({ id }) => id);
  const held = useRef<string>(null);
  useLayoutEffect(() => {
    if (held.current === null) return;
    const handle = board.current?.querySelector(`[data-move="${held.current}"]`);
    held.current = null;
    if (handle instanceof HTMLElement && handle !== document.activeElement) handle.focus();
  });
  const step = (id: string, key: string, isResize: boolean): boolean => {
    const by = steps[key];
    if (by === undefined) return false;
    const next = stepped(panels, id, isResize ? { w: by.x, h: by.y } : by);
    const panel = panels.find((one) => one.id === id);
    if (next === undefined) {
      if (panel !== undefined) announce(t("atEdge", { name: nameOf(panel) }));
      return true;
    }
    held.current = id;
    onArrange(next, `${isResize ? "resize" : "move"} ${id}`);
    say(next, id);
    return true;
  };
  return (
    <div className="@container lg:min-w-140">
      <div
        ref={board}
        data-board
        className="relative grid @min-[30rem]:grid-cols-12 @min-[30rem]:auto-rows-[var(--row-height)]"
        style={{ gap: boardGap, ...{ "--row-height": `${boardRow}px` } }}
      >
        {target !== undefined && (
          <div
            aria-hidden="true"
            className="rounded-panel border-2 border-accent-line border-dashed bg-accent-soft @min-[30rem]:[grid-column:var(--column)] @min-[30rem]:[grid-row:var(--rows)]"
            style={placeStyle(target.layout)}
          />
        )}
        {order.map((id) => {
          const panel = shown.find((one) => one.id === id);
          if (panel === undefined) return null;
          const isDragged = drag?.id === id;
          const at = panels.find((one) => one.id === id) ?? panel;
          return (
            <BoardPanel
              key={id}
              panel={panel}
              name={nameOf(panel)}
              place={isDragged ? drag.from : panel.layout}
              drag={isDragged ? drag : undefined}
              isChosen={id === chosen}
              isLocked={props.isLocked}
              preview={props.previewOf(panel)}
              faults={props.faultsOf(at)}
              moveHandlers={handlers(at, "move")}
              resizeHandlers={handlers(at, "resize")}
              onStep={(key, isResize) => step(id, key, isResize)}
              onRetry={() => props.onRetry(panel)}
              onChoose={() => props.onChoose(id)}
              onCopy={() => props.onCopy(id)}
              onDelete={() => props.onDelete(id)}
            />
          );
        })}
      </div>
      <p role="status" className="sr-only">
        {message}
      </p>
    </div>
  );
}

interface DragOptions {
  readonly board: RefObject<HTMLElement | null>;
  /** Pixels of a row and of the gap between panels. */
  readonly rowHeight: number;
  readonly gap: number;
  readonly onDrop: (drag: Drag) => void;
}

/** Pixels before a press becomes a drag. */
const slack = 4;
/** Near the edge of the window, the page scrolls by some pixels with each movement. */
const edge = { width: 48, step: 16 };

interface Start {
  readonly x: number;
  readonly y: number;
  readonly top: number;
}

/** Drags panels with a mouse, a pen or a finger. Escape takes the drag back. */
function usePanelDrag({ board, rowHeight, gap, onDrop }: DragOptions) {
  const [drag, setDrag] = useState<Drag>();
  const start = useRef<Start>(null);
  const isDragging = drag !== undefined;
  useEffect(() => {
    if (!isDragging) return;
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      start.current = null;
      setDrag(undefined);
    };
    addEventListener("keydown", cancel, { capture: true });
    return () => removeEventListener("keydown", cancel, { capture: true });
  }, [isDragging]);
  return {
    drag,
    /** The handlers of the element by which a panel is moved or resized. */
    handlers: ({ id, layout }: Placed, way: Drag["way"]) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        const place = board.current;
        if (event.button !== 0 || place === null || !hasColumns(place)) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, y: event.clientY, top: topOf(place) };
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const [place, from] = [board.current, start.current];
        if (place === null || from === null) return;
        scrollNear(event.currentTarget, event.clientY);
        const shift = {
          x: event.clientX - from.x,
          y: event.clientY - from.y + from.top - topOf(place),
        };
        if (drag === undefined && Math.hypot(shift.x, shift.y) < slack) return;
        const cell = { x: (place.clientWidth + gap) / columnCount, y: rowHeight + gap };
        setDrag({ id, way, from: layout, shift, to: draggedTo(layout, way, shift, cell) });
      },
      onPointerUp: () => {
        start.current = null;
        setDrag(undefined);
        if (drag !== undefined && !isSamePlace(drag.to, drag.from)) onDrop(drag);
      },
      onPointerCancel: () => {
        start.current = null;
        setDrag(undefined);
      },
    }),
  };
}

function topOf(element: HTMLElement): number {
  return element.getBoundingClientRect().top;
}

/** On a narrow board, the panels are below each other, and there is no place to drag them to. */
function hasColumns(board: HTMLElement): boolean {
  return getComputedStyle(board).gridTemplateColumns.split(" ").length === columnCount;
}

function scrollNear(element: HTMLElement, y: number): void {
  const step = y > innerHeight - edge.width ? edge.step : y < edge.width ? -edge.step : 0;
  if (step === 0) return;
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    const isScrolled = /auto|scroll/.test(getComputedStyle(at).overflowY);
    if (isScrolled || at === document.documentElement) {
      at.scrollBy(0, step);
      return;
    }
  }
}
