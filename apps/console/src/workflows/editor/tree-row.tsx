import type { MouseEvent, PointerEvent } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import {
  ChevronDown,
  ChevronRight,
  CircleAlert,
  Ellipsis,
  MessageSquareText,
  Plus,
  TriangleAlert,
} from "../../ui/icons.generated.ts";
import { idOf, isDisabled, kindOf, noteOf } from "../model/definition.ts";
import type { OutlineRow } from "../model/outline.ts";
import { summaryOf } from "../model/step-summary.ts";
import { iconOf } from "../parts/kind-icon.ts";

/** Pixels of a row, and of each level of its indent. */
export const rowHeight = 32;
const levelWidth = 14;

interface TreeRowProps {
  readonly id: string;
  readonly row: OutlineRow;
  readonly top: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isDragged: boolean;
  /** Whether no step can be added. */
  readonly isLocked: boolean;
  readonly faults: { readonly errors: number; readonly warnings: number } | undefined;
  /** The title of the step's or trigger's kind. */
  readonly title: string;
  /** What the trigger does, in a few words. */
  readonly summary: string | undefined;
  readonly onPress: () => void;
  readonly onToggle: (isOpen: boolean) => void;
  /** Opens the menu of the row beside an element. */
  readonly onMenu: ((beside: Element) => void) | undefined;
  readonly onRowPress: (event: PointerEvent<HTMLElement>) => void;
}

/** The pixels before a row's content. */
export function indentOf(level: number): number {
  return 8 + (level - 1) * levelWidth;
}

/** The levels of the steps around a row; each step has a line to the end of its inner rows. */
function stepLevelsAround({ level }: OutlineRow): readonly number[] {
  return Array.from({ length: Math.floor(level / 2) }, (_none, step) => 2 * step + 1);
}

/** A line of the tree. The keys of the tree act on it. */
export function TreeRow(props: TreeRowProps) {
  const { row, isActive, isSelected, faults } = props;
  const t = useTranslations("workflowEditor");
  const openMenu = (event: MouseEvent<HTMLElement>) => {
    if (props.onMenu === undefined) return;
    event.preventDefault();
    props.onMenu(event.currentTarget);
  };
  const Chevron = row.isOpen === true ? ChevronDown : ChevronRight;
  return (
    // The tree has the focus and the keys; `aria-activedescendant` names the row.
    <div
      id={props.id}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.isOpen}
      aria-selected={isSelected}
      data-key={row.key}
      onPointerDown={props.onRowPress}
      onClick={props.onPress}
      onKeyDown={() => {}}
      onContextMenu={openMenu}
      style={{ top: props.top, height: rowHeight, paddingLeft: indentOf(row.level) }}
      className={classes(
        "group/row absolute inset-x-0 flex cursor-default items-center gap-1.5 border-l-2 pr-1.5 outline-none",
        isSelected ? "border-accent bg-accent-soft" : "border-transparent hover:bg-sunken",
        isActive &&
          "group-focus-visible/tree:outline-2 group-focus-visible/tree:-outline-offset-2 group-focus-visible/tree:outline-accent",
        props.isDragged && "opacity-50",
        props.isLocked && row.type === "add" && "*:text-ink-3",
      )}
    >
      {stepLevelsAround(row).map((level) => (
        <span
          key={level}
          aria-hidden="true"
          className="absolute inset-y-0 w-px bg-line"
          style={{ left: indentOf(level) + 7 }}
        />
      ))}
      {row.isOpen === undefined ? (
        <span className="w-4 shrink-0" />
      ) : (
        <span
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation();
            props.onToggle(row.isOpen !== true);
          }}
          className="grid size-6 -mx-1 shrink-0 place-items-center text-ink-3 hover:text-ink"
        >
          <Chevron size={14} />
        </span>
      )}
      <RowText row={row} title={props.title} summary={props.summary} />
      {faults !== undefined && <FaultMark {...faults} />}
      {props.onMenu !== undefined && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={t("menuOf", { name: nameOf(row) })}
          onClick={(event) => {
            event.stopPropagation();
            props.onMenu?.(event.currentTarget);
          }}
          className={classes(
            "grid size-6 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink",
            !isSelected && "pointer-fine:opacity-0 group-hover/row:opacity-100",
          )}
        >
          <Ellipsis size={14} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}

function nameOf(row: OutlineRow): string {
  return row.type === "step" ? idOf(row.step) : row.key;
}

function RowText(props: {
  readonly row: OutlineRow;
  readonly title: string;
  readonly summary: string | undefined;
}) {
  const { row, title } = props;
  const t = useTranslations("workflowEditor");
  if (row.type === "add") {
    return (
      <span className="flex min-w-0 flex-1 items-center gap-1.5 text-ink-2">
        <Plus size={14} aria-hidden="true" className="shrink-0" />
        {t("addStep")}
      </span>
    );
  }
  if (row.type === "branch") {
    return (
      <span className="flex min-w-0 flex-1 items-center gap-1.5 text-2 text-ink-2">
        <span className="truncate font-medium">
          {row.equals === undefined
            ? title
            : t("case", { value: JSON.stringify(row.equals.value) ?? "" })}
        </span>
      </span>
    );
  }
  const kind = row.type === "trigger" ? row.kind : kindOf(row.step);
  const Icon = iconOf(kind);
  const summary = row.type === "trigger" ? props.summary : summaryOf(row.step);
  const name = row.type === "trigger" ? t("trigger") : idOf(row.step);
  const isOff = row.type === "step" && isDisabled(row.step);
  const note = row.type === "step" ? noteOf(row.step) : "";
  return (
    <>
      <Icon size={15} aria-hidden="true" className="shrink-0 text-ink-2" />
      <span className="flex min-w-0 flex-1 items-baseline gap-2">
        <bdi
          className={classes(
            "max-w-[60%] shrink-0 truncate font-medium",
            name === "" && "text-danger",
            isOff && "text-ink-3 line-through",
          )}
        >
          {name === "" ? t("noId") : name}
        </bdi>
        <span
          className="min-w-0 truncate text-ink-2"
          dir="auto"
          title={row.type === "step" ? kind : undefined}
        >
          {isOff && `${t("isDisabled")} · `}
          {summary === undefined || summary === "" ? title : `${title} · ${summary}`}
        </span>
      </span>
      {note !== "" && (
        <span role="img" aria-label={note} title={note} className="shrink-0 text-ink-2">
          <MessageSquareText size={14} aria-hidden="true" />
        </span>
      )}
      {row.type === "step" && row.inside > 0 && (
        <span className="shrink-0 text-2 text-ink-2 tabular-nums">
          {t("inside", { count: row.inside })}
        </span>
      )}
    </>
  );
}

function FaultMark({ errors, warnings }: { readonly errors: number; readonly warnings: number }) {
  const t = useTranslations("workflowEditor");
  const label =
    errors > 0 ? t("faultCount", { count: errors }) : t("warningCount", { count: warnings });
  const Icon = errors > 0 ? CircleAlert : TriangleAlert;
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={classes("shrink-0", errors > 0 ? "text-danger" : "text-warn")}
    >
      <Icon size={14} aria-hidden="true" />
    </span>
  );
}
