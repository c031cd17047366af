import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { useTranslations } from "use-intl";
import { useScrollWindow } from "../../records/grid/use-scroll-window.ts";
import { fieldOf, idOf } from "../model/definition.ts";
import type { OutlineRow } from "../model/outline.ts";
import { triggerSummary } from "../model/step-summary.ts";
import { type StepViewProps, useStepView } from "./step-view.tsx";
import { actOnKey, findByName } from "./tree-keys.ts";
import { indentOf, rowHeight, TreeRow } from "./tree-row.tsx";
import { useOutline } from "./use-outline.ts";
import { useTreeDrag } from "./use-tree-drag.ts";

/**
 * The steps of a definition as a tree with one tab stop, after the pattern of ARIA. Alt and arrows move a step, as do its
 * menu and the pointer. Rows are drawn where they are seen.
 */
export function StepTree(props: StepViewProps) {
  const { definition, kinds, chosen, onChoose } = props;
  const t = useTranslations("workflowEditor");
  const treeId = useId();
  const place = useRef<HTMLDivElement>(null);
  const outline = useOutline(definition, kinds.steps, chosen);
  const { rows, active, activate } = outline;
  const { window, onScroll } = useScrollWindow(place, rowHeight, 0);
  const typedName = useTypedName();

  const activeRow = rows[active];
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const top = active * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + rowHeight - element.clientHeight;
    }
  }, [active]);

  const { edits, titles, deeds, overlays, open, openMenu } = useStepView(props, {
    onOpen: (row) => {
      if (row.type === "branch") outline.toggle(row.key, row.isOpen !== true);
      else props.onOpen(row.key);
    },
    elementOf: (row) => document.getElementById(rowId(treeId, row)),
    onMenuClose: () => place.current?.focus(),
  });
  const drag = useTreeDrag(place, rows, rowHeight, edits.moveTo);
  const goTo = (row: OutlineRow | undefined) => {
    if (row === undefined) return;
    activate(row.key);
    if (row.type === "step" || row.type === "trigger") onChoose(row.key);
  };
  const drawn = rows.slice(window.firstRow, window.endRow);
  const isActiveDrawn = active >= window.firstRow && active < window.endRow;
  const { drag: dragged } = drag;
  return (
    <>
      <div
        ref={place}
        role="tree"
        tabIndex={0}
        aria-label={t("steps")}
        aria-activedescendant={
          isActiveDrawn && activeRow !== undefined ? rowId(treeId, activeRow) : undefined
        }
        onScroll={onScroll}
        onMouseDown={(event) => {
          // The focus stays on the tree, not on the row that is pressed.
          event.preventDefault();
          event.currentTarget.focus({ preventScroll: true });
        }}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget) return;
          const next = actOnKey(event, outline, window.page, deeds);
          if (next !== undefined) goTo(next);
          else if (!event.defaultPrevented) {
            const name = typedName(event);
            if (name === undefined) return;
            goTo(findByName(outline, name, (row) => (row.type === "step" ? idOf(row.step) : "")));
            event.stopPropagation();
          }
        }}
        onCopy={(event) => edits.copy(event, activeRow)}
        onCut={(event) => edits.cut(event, activeRow)}
        onPaste={(event) => edits.paste(event, activeRow)}
        {...drag.events}
        className="group/tree relative min-h-0 flex-1 overflow-y-auto overscroll-contain bg-surface outline-none select-none max-lg:max-h-[60dvh]"
      >
        <div role="presentation" className="relative" style={{ height: rows.length * rowHeight }}>
          {drawn.map((row, index) => (
            <TreeRow
              key={row.key}
              id={rowId(treeId, row)}
              row={row}
              top={(window.firstRow + index) * rowHeight}
              isActive={row === activeRow}
              isSelected={row.key === chosen}
              isDragged={row.key === dragged?.key}
              faults={props.faults.get(row.key)}
              title={titles(row)}
              summary={
                row.type === "trigger" ? triggerSummary(fieldOf(definition, "trigger")) : undefined
              }
              onPress={() => {
                goTo(row);
                if (row.type === "add") open(row);
              }}
              onToggle={(isOpen) => outline.toggle(row.key, isOpen)}
              onMenu={
                row.type === "step" || (row.type === "branch" && row.isHandler)
                  ? (element) => openMenu(row, element)
                  : undefined
              }
              isLocked={props.isLocked}
              onRowPress={(event) => {
                if (!props.isLocked) drag.onRowPress(event, row);
              }}
            />
          ))}
          {dragged?.place !== undefined && (
            <div
              aria-hidden="true"
              className="pointer-events-none absolute right-1 h-0.5 bg-accent"
              style={{
                top: dragged.place.before * rowHeight - 1,
                left: indentOf(dragged.place.level) + 16,
              }}
            />
          )}
        </div>
      </div>
      {overlays}
    </>
  );
}

/** The key of a row may have spaces, an id may not. */
function rowId(treeId: string, { key }: OutlineRow): string {
  return `${treeId}-${encodeURIComponent(key)}`;
}

/** Milliseconds after which typed letters begin a new name. */
const typingPauseMs = 800;

/**
 * Collects the letters that are typed shortly after each other.
 *
 * @returns the letters so far for a key that types one; undefined for any other key
 */
function useTypedName(): (event: KeyboardEvent) => string | undefined {
  const typed = useRef({ text: "", at: 0 });
  return (event) => {
    if (!isLetter(event)) return undefined;
    const { text, at } = typed.current;
    const now = event.timeStamp;
    const name = now - at < typingPauseMs ? text + event.key : event.key;
    typed.current = { text: name, at: now };
    return name;
  };
}

function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && /\S/.test(key) && !ctrlKey && !metaKey && !altKey;
}
