import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { useTranslations } from "use-intl";
import { useScrollWindow } from "../../records/grid/use-scroll-window.ts";
import { Duration } from "../parts/duration.tsx";
import type { RunSummary } from "../parts/workflow-queries.ts";
import { barColumn, RunRowView, rowColumns } from "./run-row.tsx";
import type { RunRow } from "./run-rows.ts";

const rowHeight = 32;
const headHeight = 32;

/** The height of a whole tree in pixels. */
export function treeHeight(rows: number): number {
  return headHeight + rows * rowHeight;
}

interface RunTreeProps {
  readonly rows: readonly RunRow[];
  readonly run: Pick<RunSummary, "status" | "origin" | "acceptedAt" | "startedAt" | "finishedAt">;
  /** Milliseconds since 1970, for what has not ended. */
  readonly now: number;
  readonly selected: string;
  readonly onSelect: (key: string) => void;
  readonly onOpen: (row: RunRow, isOpen: boolean) => void;
}

/** The steps of a run as a tree with the time of each. It draws the rows in sight only. */
export function RunTree(props: RunTreeProps) {
  const { rows, run, now, selected, onSelect, onOpen } = props;
  const t = useTranslations("workflows");
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const { window, onScroll } = useScrollWindow(place, rowHeight, headHeight);
  const at = rows.findIndex(({ key }) => key === selected);
  useEffect(() => {
    if (place.current !== null && at >= 0) reveal(place.current, at);
  }, [at]);
  const from = Date.parse(run.acceptedAt);
  const end = run.finishedAt === null ? now : Date.parse(run.finishedAt);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = keyMove(event.key, rows, Math.max(0, at), window.page);
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (next.open !== undefined) onOpen(next.row, next.open);
    else onSelect(next.row.key);
  };
  const shown = rows.slice(window.firstRow, window.endRow);
  const isDrawn = at >= window.firstRow && at < window.endRow;
  const rowId = (key: string) => `${id}-${key}`;
  return (
    <div
      ref={place}
      role="tree"
      tabIndex={0}
      aria-label={t("steps")}
      aria-activedescendant={isDrawn ? rowId(selected) : undefined}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        if (!(event.target instanceof Element)) return;
        const key = event.target.closest<HTMLElement>("[data-key]")?.dataset.key;
        const row = rows.find((one) => one.key === key);
        if (row === undefined) return;
        if (event.target.closest("[data-toggle]") === null) onSelect(row.key);
        else onOpen(row, row.isOpen !== true);
      }}
      onScroll={onScroll}
      className="@container relative h-full min-h-0 overflow-auto overscroll-contain bg-surface outline-none focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
    >
      <div
        aria-hidden="true"
        className={`sticky top-0 z-1 bg-surface text-2 text-ink-2 ${rowColumns}`}
        style={{ height: headHeight }}
      >
        <span>{t("step")}</span>
        <span>{t("status")}</span>
        <span className={barColumn}>
          <Duration ms={0} /> – <Duration ms={end - from} />
        </span>
        <span className="text-right">{t("took")}</span>
      </div>
      <div role="none" style={{ height: window.firstRow * rowHeight }} />
      {shown.map((row) => (
        <RunRowView
          key={row.key}
          id={rowId(row.key)}
          row={row}
          run={run}
          from={from}
          end={end}
          height={rowHeight}
          isSelected={row.key === selected}
        />
      ))}
      <div
        role="none"
        style={{ height: Math.max(0, rows.length - window.firstRow - shown.length) * rowHeight }}
      />
    </div>
  );
}

function reveal(element: HTMLElement, at: number): void {
  const top = at * rowHeight;
  const bottom = top + rowHeight + headHeight;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (bottom > element.scrollTop + element.clientHeight) {
    element.scrollTop = bottom - element.clientHeight;
  }
}

/** What a key does in the tree, by the pattern of ARIA. */
function keyMove(
  key: string,
  rows: readonly RunRow[],
  at: number,
  page: number,
): { readonly row: RunRow; readonly open?: boolean } | undefined {
  const row = rows[at];
  const to = (index: number) => {
    const target = rows[Math.min(rows.length - 1, Math.max(0, index))];
    return target === undefined ? undefined : { row: target };
  };
  switch (key) {
    case "ArrowDown":
      return to(at + 1);
    case "ArrowUp":
      return to(at - 1);
    case "PageDown":
      return to(at + page);
    case "PageUp":
      return to(at - page);
    case "Home":
      return to(0);
    case "End":
      return to(rows.length - 1);
    case "ArrowRight":
      if (row?.isOpen === false) return { row, open: true };
      return row?.isOpen === true ? to(at + 1) : undefined;
    case "ArrowLeft":
      if (row?.isOpen === true) return { row, open: false };
      return row?.parent === undefined
        ? undefined
        : to(rows.findIndex((one) => one.key === row.parent));
    case "Enter":
    case " ":
      return row?.isOpen === undefined ? undefined : { row, open: !row.isOpen };
    default:
      return undefined;
  }
}
