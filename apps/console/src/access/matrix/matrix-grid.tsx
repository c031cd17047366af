import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useScrollWindow } from "../../records/grid/use-scroll-window.ts";
import type { ResourceEntry } from "../../shell/resource-queries.ts";
import { useWide } from "../../ui/use-wide.ts";
import { actionMethods, type Role } from "../access-queries.ts";
import { actionIcons, type GrantIndex } from "./cell-mark.tsx";
import {
  type CellPosition,
  cellWidth,
  clampCell,
  groupSize,
  groupWidth,
  headHeight,
  moveCell,
  ownGroups,
  placeOf,
  rowHeight,
} from "./matrix-layout.ts";
import { MatrixRow, type MatrixWords, useMatrixWords } from "./matrix-row.tsx";

interface MatrixGridProps {
  readonly label: string;
  readonly resources: readonly ResourceEntry[];
  readonly roles: readonly Role[];
  readonly grants: GrantIndex;
  /** A cell was pressed, or Enter or Space on it. */
  readonly onActivate: (position: CellPosition) => void;
}

const nameWidths = { wide: 280, narrow: 132 };

/**
 * The matrix as a grid after the pattern of ARIA, with one tab stop: `aria-activedescendant` names the active cell. Rows
 * and groups of columns are drawn where they are seen.
 */
export function MatrixGrid({ label, resources, roles, grants, onActivate }: MatrixGridProps) {
  const gridId = useId();
  const words = useMatrixWords();
  const nameWidth = useWide() ? nameWidths.wide : nameWidths.narrow;
  const place = useRef<HTMLDivElement>(null);
  const { window, onScroll } = useScrollWindow(place, rowHeight, headHeight);
  const groups = ownGroups + roles.length;
  const bounds = { rows: resources.length, columns: groups * groupSize, page: window.page };
  const [chosen, choose] = useState<CellPosition>({ row: 0, column: 0 });
  const active = clampCell(chosen, bounds);
  const firstGroup = Math.max(0, Math.floor(window.left / groupWidth));
  const endGroup = Math.max(
    firstGroup,
    Math.min(groups, Math.ceil((window.right - nameWidth) / groupWidth)),
  );
  useEffect(() => {
    if (place.current !== null) reveal(place.current, active.row, active.column, nameWidth);
  }, [active.row, active.column, nameWidth]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey) return;
    const isControl = event.ctrlKey || event.metaKey;
    const moved = moveCell(active, { key: event.key, isControl }, bounds);
    if (moved !== null) choose(moved);
    else if (event.key === "Enter" || event.key === " ") onActivate(active);
    else return;
    event.preventDefault();
  };
  const onClick = ({ target }: MouseEvent<HTMLElement>): void => {
    const cell = target instanceof Element ? target.closest<HTMLElement>("[data-column]") : null;
    const row = cell?.closest<HTMLElement>("[data-row]")?.dataset.row;
    if (cell === null || row === undefined) return;
    const pressed = { row: Number(row), column: Number(cell.dataset.column) };
    place.current?.focus({ preventScroll: true });
    choose(pressed);
    onActivate(pressed);
  };
  const drawn = resources.slice(window.firstRow, window.endRow);
  const { group } = placeOf(active.column);
  const isActiveDrawn =
    active.row >= window.firstRow &&
    active.row < window.endRow &&
    group >= firstGroup &&
    group < endGroup;
  return (
    <div
      ref={place}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={resources.length + 2}
      aria-colcount={bounds.columns + 1}
      aria-activedescendant={isActiveDrawn ? `${gridId}-${active.row}-${active.column}` : undefined}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onClick={onClick}
      className="group/matrix relative h-[calc(100dvh-19rem)] min-h-72 overflow-auto overscroll-contain rounded-panel border border-line bg-surface focus-visible:outline-2 focus-visible:outline-accent"
    >
      <div
        role="presentation"
        className="relative min-w-full"
        style={{ width: nameWidth + groups * groupWidth }}
      >
        <MatrixHead {...{ roles, words, nameWidth, firstGroup, endGroup }} />
        <div role="rowgroup" className="relative" style={{ height: resources.length * rowHeight }}>
          {drawn.map((resource, index) => {
            const position = window.firstRow + index;
            return (
              <MatrixRow
                key={resource.id}
                {...{ gridId, resource, position, roles, grants, words, nameWidth }}
                {...{ firstGroup, endGroup }}
                activeColumn={position === active.row ? active.column : -1}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Scrolls as little as is needed to show a cell beside the heads. */
function reveal(element: HTMLElement, row: number, column: number, nameWidth: number): void {
  const top = row * rowHeight;
  const bottom = top + rowHeight + headHeight;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (bottom > element.scrollTop + element.clientHeight) {
    element.scrollTop = bottom - element.clientHeight;
  }
  const { group, slot } = placeOf(column);
  const left = group * groupWidth + slot * cellWidth;
  const right = left + cellWidth + 1 + nameWidth;
  if (left < element.scrollLeft) element.scrollLeft = left;
  else if (right > element.scrollLeft + element.clientWidth) {
    element.scrollLeft = right - element.clientWidth;
  }
}

interface MatrixHeadProps {
  readonly roles: readonly Role[];
  readonly words: MatrixWords;
  readonly nameWidth: number;
  readonly firstGroup: number;
  readonly endGroup: number;
}

/** The heads of the matrix: the exposure and the roles, below each its actions. */
function MatrixHead({ roles, words, nameWidth, firstGroup, endGroup }: MatrixHeadProps) {
  const t = useTranslations("access");
  const groups: number[] = [];
  for (let group = firstGroup; group < endGroup; group += 1) groups.push(group);
  const style = (group: number) => ({ left: nameWidth + group * groupWidth, width: groupWidth });
  return (
    <div
      role="rowgroup"
      className="sticky top-0 z-20 border-line border-b bg-surface text-2 text-ink-2"
      style={{ height: headHeight }}
    >
      <div role="row" tabIndex={-1} aria-rowindex={1} className="absolute inset-x-0 top-0 h-8">
        <div
          role="columnheader"
          tabIndex={-1}
          aria-rowspan={2}
          aria-colindex={1}
          className="sticky left-0 z-10 flex items-end border-line border-r bg-surface px-3 pb-1.5 font-medium"
          style={{ width: nameWidth, height: headHeight - 1 }}
        >
          {t("matrix.resource")}
        </div>
        {groups.map((group) => {
          const role = roles[group - ownGroups];
          const name = role?.name ?? t("matrix.exposure");
          const note = role?.apiAccess === false ? t("matrix.noAccess", { name }) : undefined;
          return (
            <div
              key={group}
              role="columnheader"
              tabIndex={-1}
              aria-colindex={group * groupSize + 2}
              aria-colspan={groupSize}
              aria-label={note}
              title={note ?? name}
              dir="auto"
              className="absolute inset-y-0 truncate border-line border-l px-2 pt-2 font-medium text-ink"
              style={style(group)}
            >
              {note === undefined ? name : <s>{name}</s>}
            </div>
          );
        })}
      </div>
      <div role="row" tabIndex={-1} aria-rowindex={2} className="absolute inset-x-0 top-8 h-7">
        {groups.map((group) => (
          <div
            key={group}
            role="presentation"
            className="absolute inset-y-0 flex border-line border-l"
            style={style(group)}
          >
            {actionMethods.map(({ action, method }, slot) => {
              const Icon = actionIcons[action];
              const label =
                group < ownGroups ? t("matrix.method", { method }) : words.actions[action];
              return (
                <div
                  key={action}
                  role="columnheader"
                  tabIndex={-1}
                  aria-colindex={group * groupSize + slot + 2}
                  title={label}
                  className="relative grid w-8 shrink-0 place-items-center text-ink-3"
                >
                  <Icon size={13} aria-hidden="true" />
                  <span className="sr-only">{label}</span>
                </div>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
