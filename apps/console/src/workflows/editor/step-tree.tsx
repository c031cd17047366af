import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useScrollWindow } from "../../records/grid/use-scroll-window.ts";
import { OpenMenu } from "../../ui/menu.tsx";
import { type Definition, fieldOf, idOf, kindOf } from "../model/definition.ts";
import type { Place } from "../model/edit-steps.ts";
import type { OutlineRow } from "../model/outline.ts";
import { type StepKinds, triggerKinds } from "../parts/kinds-query.ts";
import { AddStepDialog } from "./add-step-dialog.tsx";
import { type Deed, placeOfRow } from "./step-deeds.ts";
import { branchTitle, triggerSummary } from "./step-summary.ts";
import { actOnKey, findByName, type TreeDeeds } from "./tree-keys.ts";
import { indentOf, rowHeight, TreeRow } from "./tree-row.tsx";
import { useOutline } from "./use-outline.ts";
import { useRowMenu } from "./use-row-menu.ts";
import { useStepEdits } from "./use-step-edits.ts";
import { useTreeDrag } from "./use-tree-drag.ts";

interface StepTreeProps {
  readonly definition: Definition;
  readonly kinds: StepKinds;
  /** The key of the chosen row: that of a step, or the trigger's. */
  readonly chosen: string;
  /** The numbers of faults by the key of their row. */
  readonly faults: ReadonlyMap<string, { readonly errors: number; readonly warnings: number }>;
  readonly onChoose: (key: string) => void;
  /** The form of the chosen row gets the focus. */
  readonly onOpen: (key: string) => void;
  readonly onDeed: (deed: Deed) => void;
  /** Tests the workflow up to a step. */
  readonly onTestUntil: (key: string) => void;
}

/**
 * The steps of a definition as a tree with one tab stop, after the pattern of ARIA. Alt and arrows move a step, as do its
 * menu and the pointer. Rows are drawn where they are seen.
 */
export function StepTree(props: StepTreeProps) {
  const { definition, kinds, chosen, onChoose } = props;
  const t = useTranslations("workflowEditor");
  const treeId = useId();
  const place = useRef<HTMLDivElement>(null);
  const outline = useOutline(definition, kinds.steps, chosen);
  const { rows, active, activate } = outline;
  const { window, onScroll } = useScrollWindow(place, rowHeight, 0);
  const edits = useStepEdits(definition, kinds.steps, props.onDeed);
  const [adding, add] = useState<Place>();
  const [menu, setMenu] = useState<{ readonly row: OutlineRow; readonly beside: Element }>();
  const beside = useRef<Element>(null);
  beside.current = menu?.beside ?? null;
  const menuOf = useRowMenu();
  const titles = useRowTitles(kinds);
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

  const drag = useTreeDrag(place, rows, rowHeight, edits.moveTo);
  const goTo = (row: OutlineRow | undefined) => {
    if (row === undefined) return;
    activate(row.key);
    if (row.type === "step" || row.type === "trigger") onChoose(row.key);
  };
  const open = (row: OutlineRow) => {
    if (row.type === "add") add(placeOfRow(row));
    else if (row.type === "branch") outline.toggle(row.key, row.isOpen !== true);
    else props.onOpen(row.key);
  };
  const menuFor = (row: OutlineRow) =>
    menuOf(row, {
      ...{ definition, kinds: kinds.steps, deeds: edits.deeds, onAdd: add },
      onDeed: (deed) => edits.make(deed),
      onTestUntil: props.onTestUntil,
    });
  const treeDeeds: TreeDeeds = {
    ...edits,
    open,
    add: (row) => add(placeOfRow(row)),
    openMenu: (row) => {
      const element = document.getElementById(rowId(treeId, row));
      if (element !== null && menuFor(row).length > 0) setMenu({ row, beside: element });
    },
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
          const next = actOnKey(event, outline, window.page, treeDeeds);
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
                  ? (element) => setMenu({ row, beside: element })
                  : undefined
              }
              onRowPress={(event) => drag.onRowPress(event, row)}
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
      <p role="status" className="sr-only">
        {edits.said}
      </p>
      {menu !== undefined && (
        <OpenMenu
          label={t("menuOf", {
            name: menu.row.type === "step" ? idOf(menu.row.step) : titles(menu.row),
          })}
          groups={menuFor(menu.row)}
          beside={beside}
          onClose={() => {
            setMenu(undefined);
            place.current?.focus();
          }}
        />
      )}
      {adding !== undefined && (
        <AddStepDialog
          kinds={kinds.steps}
          onClose={() => add(undefined)}
          onChoose={({ kind }) => {
            add(undefined);
            edits.make(edits.deeds.add(kind, adding));
          }}
        />
      )}
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

/** Returns the title of a row's kind or list. */
function useRowTitles(kinds: StepKinds): (row: OutlineRow) => string {
  const triggerTitle = useTriggerTitle(kinds);
  const byKind = new Map(kinds.steps.map(({ kind, title }) => [kind, title]));
  return (row) => {
    switch (row.type) {
      case "trigger":
        return triggerTitle(row.kind);
      case "step":
        return byKind.get(kindOf(row.step)) ?? kindOf(row.step);
      case "branch":
        return branchTitle(row.keys, row.title);
      case "add":
        return "";
    }
  };
}

/** Returns the title of a kind of trigger in the person's language; an unknown one has that of the service. */
function useTriggerTitle(kinds: StepKinds): (kind: string) => string {
  const t = useTranslations("workflows.triggers");
  return (kind) => {
    const known = triggerKinds.find((one) => one === kind);
    if (known !== undefined) return t(known);
    return kinds.triggers.find((one) => one.kind === kind)?.title ?? kind;
  };
}
