import { useLayoutEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { boardGap, boardRow, placeStyle } from "../model/board.ts";
import { BoardPanel } from "./board-panel.tsx";
import type { Panel } from "./draft.ts";
import type { DraftFault } from "./draft-faults.ts";
import { arranged, inReadingOrder, type Place, stepped } from "./layout.ts";
import { usePanelDrag } from "./use-panel-drag.ts";
import type { PanelPreview } from "./use-preview.ts";

interface BoardProps {
  readonly panels: readonly Panel[];
  readonly chosen: string | undefined;
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
