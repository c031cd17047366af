import { type ClipboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useScrollWindow } from "../../records/grid/use-scroll-window.ts";
import { OpenMenu } from "../../ui/menu.tsx";
import { type Definition, fieldOf, idOf, kindOf } from "../model/definition.ts";
import type { Place } from "../model/edit-steps.ts";
import type { OutlineRow } from "../model/outline.ts";
import type { StepKinds } from "../parts/kinds-query.ts";
import { triggerKinds } from "../parts/trigger-kind.ts";
import { AddStepDialog } from "./add-step-dialog.tsx";
import { branchTitle } from "./branch-title.ts";
import { copiedText, type Deed, placeOfRow, stepDeeds } from "./step-deeds.ts";
import { triggerSummary } from "./step-summary.ts";
import { actOnKey, findByName } from "./tree-keys.ts";
import { indentOf, rowHeight, TreeRow } from "./tree-row.tsx";
import { useOutline } from "./use-outline.ts";
import { useRowMenu } from "./use-row-menu.ts";
import { useTreeDrag } from "./use-tree-drag.ts";

/** Milliseconds after which typed letters begin a new name. */
const typingPauseMs = 800;

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
  const deeds = useMemo(() => stepDeeds(definition, kinds.steps), [definition, kinds]);
  const [adding, add] = useState<Place>();
  const [menu, setMenu] = useState<{ readonly row: OutlineRow; readonly beside: Element }>();
  const [said, say] = useState("");
  const beside = useRef<Element>(null);
  beside.current = menu?.beside ?? null;
  const menuOf = useRowMenu();
  const titles = useTitles(kinds);
  const typed = useRef({ text: "", at: 0 });

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

  const make = (deed: Deed | undefined, done?: string) => {
    if (deed === undefined) return;
    props.onDeed(deed);
    if (done !== undefined) say(done);
  };
  const drag = useTreeDrag(place, rows, rowHeight, (pointer, to) =>
    make(deeds.moveTo(pointer, to), t("moved")),
  );
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
      ...{ definition, kinds: kinds.steps, deeds, onAdd: add },
      onDeed: (deed) => make(deed),
      onTestUntil: props.onTestUntil,
    });
  const pointerOfRow = (row: OutlineRow | undefined) =>
    row?.type === "step" ? row.pointer : undefined;
  const treeDeeds = {
    open,
    add: (row: OutlineRow) => add(placeOfRow(row)),
    move: (row: OutlineRow, direction: Parameters<typeof deeds.move>[1]) => {
      const pointer = pointerOfRow(row);
      if (pointer === undefined) return;
      const deed = deeds.move(pointer, direction);
      make(deed, t(deed === undefined ? "notMoved" : "moved"));
      if (deed === undefined) say(t("notMoved"));
    },
    remove: (row: OutlineRow) => {
      const pointer = pointerOfRow(row);
      if (row.type === "step" && pointer !== undefined) {
        make(deeds.remove(pointer), t("removed", { name: idOf(row.step) }));
      }
    },
    duplicate: (row: OutlineRow) => {
      const pointer = pointerOfRow(row);
      if (pointer !== undefined) make(deeds.duplicate(pointer));
    },
    openMenu: (row: OutlineRow) => {
      const element = document.getElementById(rowId(treeId, row));
      if (element !== null && menuFor(row).length > 0) setMenu({ row, beside: element });
    },
  };
  const onCopy = (event: ClipboardEvent, isCut: boolean) => {
    const pointer = pointerOfRow(activeRow);
    if (pointer === undefined) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", copiedText(definition, pointer));
    if (isCut) make(deeds.remove(pointer));
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
          else if (!event.defaultPrevented && isLetter(event)) {
            const { text, at } = typed.current;
            const now = event.timeStamp;
            const name = now - at < typingPauseMs ? text + event.key : event.key;
            typed.current = { text: name, at: now };
            goTo(findByName(outline, name, (row) => (row.type === "step" ? idOf(row.step) : "")));
            event.stopPropagation();
          }
        }}
        onCopy={(event) => onCopy(event, false)}
        onCut={(event) => onCopy(event, true)}
        onPaste={(event) => {
          if (activeRow === undefined) return;
          const deed = deeds.paste(
            event.clipboardData.getData("text/plain"),
            placeOfRow(activeRow),
          );
          if (deed === undefined) say(t("notPasted"));
          else event.preventDefault();
          make(deed);
        }}
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
        {said}
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
            make(deeds.add(kind, adding));
          }}
        />
      )}
    </>
  );
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

/** The key of a row may have spaces, an id may not. */
function rowId(treeId: string, { key }: OutlineRow): string {
  return `${treeId}-${encodeURIComponent(key)}`;
}

function isLetter(event: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }) {
  return (
    event.key.length === 1 &&
    /\S/.test(event.key) &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey
  );
}

/** Returns the title of a row's kind or list. */
function useTitles(kinds: StepKinds): (row: OutlineRow) => string {
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
