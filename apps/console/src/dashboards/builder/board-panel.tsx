import { type CSSProperties, type HTMLAttributes, useId, useRef } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Copy, GripVertical, Settings2, Trash2 } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { placeStyle } from "../model/board.ts";
import { PanelContent } from "../panels/panel-content.tsx";
import type { Panel } from "./draft.ts";
import type { DraftFault } from "./draft-faults.ts";
import type { Drag } from "./drag-state.ts";
import type { Place } from "./layout.ts";
import { isComplete } from "./preview-content.ts";
import type { PanelPreview } from "./use-preview.ts";

interface BoardPanelProps {
  readonly panel: Panel;
  readonly name: string;
  readonly place: Place;
  /** Of this panel. */
  readonly drag: Drag | undefined;
  readonly isChosen: boolean;
  readonly isLocked: boolean;
  readonly preview: PanelPreview | undefined;
  readonly faults: readonly Omit<DraftFault, "part">[];
  readonly moveHandlers: HTMLAttributes<HTMLElement>;
  readonly resizeHandlers: HTMLAttributes<HTMLElement>;
  /** Returns whether the key is one that moves. */
  readonly onStep: (key: string, isResize: boolean) => boolean;
  readonly onRetry: () => void;
  readonly onChoose: () => void;
  readonly onCopy: () => void;
  readonly onDelete: () => void;
}

/** One panel of the board that is built: its content, and what moves, sets up, copies and deletes it. */
export function BoardPanel(props: BoardPanelProps) {
  const { panel, name, place, drag, isChosen, isLocked } = props;
  const t = useTranslations("dashboardBuilder");
  const id = useId();
  return (
    <article
      aria-labelledby={`${id}-name`}
      data-panel={panel.id}
      className={classes(
        "group relative flex min-h-0 min-w-0 flex-col rounded-panel border bg-surface @max-[30rem]:h-(--height) @min-[30rem]:[grid-column:var(--column)] @min-[30rem]:[grid-row:var(--rows)]",
        isChosen ? "border-accent outline-1 outline-accent" : "border-line",
        drag !== undefined && "z-10 opacity-85",
      )}
      style={{ ...placeStyle(place), ...(drag === undefined ? {} : draggedStyle(drag)) }}
    >
      <div className="flex items-center gap-0.5 px-1.5 pt-1.5">
        <button
          type="button"
          data-move={panel.id}
          aria-label={t("move", { name })}
          disabled={isLocked}
          title={t("moveHint")}
          aria-describedby={`${id}-keys`}
          {...props.moveHandlers}
          onKeyDown={(event) => {
            if (event.altKey || event.ctrlKey || event.metaKey) return;
            if (props.onStep(event.key, event.shiftKey)) event.preventDefault();
          }}
          className="grid size-6 shrink-0 cursor-grab touch-none place-items-center rounded-control text-ink-3 hover:bg-sunken hover:text-ink disabled:pointer-events-none disabled:opacity-40"
        >
          <GripVertical size={14} aria-hidden="true" />
        </button>
        <span id={`${id}-keys`} className="sr-only">
          {t("moveHint")}
        </span>
        <h2 id={`${id}-name`} className="min-w-0 flex-1 font-medium">
          <button
            type="button"
            onClick={props.onChoose}
            aria-current={isChosen}
            title={name}
            dir="auto"
            className="block h-6 w-full truncate rounded-control px-1 text-start"
          >
            {name}
          </button>
        </h2>
        <div
          className={classes(
            "flex shrink-0",
            // The title has their place until they are needed.
            !isChosen && "pointer-fine:not-group-hover:not-group-focus-within:hidden",
          )}
        >
          <IconButton
            label={t("setUp", { name })}
            icon={Settings2}
            onPress={props.onChoose}
            isSmall
          />
          <IconButton
            label={t("copy", { name })}
            icon={Copy}
            onPress={props.onCopy}
            isDisabled={isLocked}
            isSmall
          />
          <IconButton
            label={t("delete", { name })}
            icon={Trash2}
            onPress={props.onDelete}
            isDisabled={isLocked}
            isSmall
          />
        </div>
      </div>
      <div className="grid min-h-0 flex-1 px-3 pt-1 pb-3">
        <PanelView
          panel={panel}
          name={name}
          preview={props.preview}
          faults={props.faults}
          onRetry={props.onRetry}
        />
      </div>
      <div
        aria-hidden="true"
        hidden={isLocked}
        {...props.resizeHandlers}
        className="absolute right-0 bottom-0 size-6 cursor-nwse-resize touch-none after:absolute after:right-1.5 after:bottom-1.5 after:size-2 after:border-line-strong after:border-r-2 after:border-b-2 @max-[30rem]:hidden"
      />
    </article>
  );
}

/** The panel follows the pointer; its place on the board is marked beneath. */
function draggedStyle({ way, shift }: Drag): CSSProperties {
  if (way === "move") return { transform: `translate(${shift.x}px, ${shift.y}px)` };
  return {
    width: `max(3rem, calc(100% + ${shift.x}px))`,
    height: `max(3rem, calc(100% + ${shift.y}px))`,
  };
}

/** WCAG 2.1.1: the keyboard scrolls a content that is larger than its panel. */
const scrollable = (name: string) => ({ role: "group", tabIndex: 0, "aria-label": name }) as const;

interface PanelViewProps {
  readonly panel: Panel;
  readonly name: string;
  readonly preview: PanelPreview | undefined;
  readonly faults: readonly Omit<DraftFault, "part">[];
  readonly onRetry: () => void;
}

/** What a panel shows to its readers; while that is read again, what it showed before. */
function PanelView({ panel, name, preview, faults, onRetry }: PanelViewProps) {
  const t = useTranslations("dashboardBuilder");
  const last = useRef<PanelPreview>(undefined);
  if (preview !== undefined) last.current = preview;
  const shown = preview ?? last.current;
  if (!isComplete(panel)) {
    return (
      <p className="self-center text-center text-ink-2">
        {t(panel.resourceId === null ? "needsTable" : "needsColumns")}
      </p>
    );
  }
  const [fault] = faults;
  if (fault !== undefined) {
    return (
      <div className="content-start overflow-auto">
        <Notice kind="danger">{fault.message}</Notice>
      </div>
    );
  }
  if (shown === undefined || !("panel" in shown)) {
    return <Skeleton label={t("loading", { name })} rows={Math.min(8, panel.layout.h)} />;
  }
  return (
    <div
      {...scrollable(name)}
      aria-busy={preview === undefined}
      className="grid min-h-0 min-w-0 overflow-auto aria-busy:opacity-60"
    >
      <PanelContent
        panel={{ ...shown.panel, title: panel.title }}
        timeZone={shown.timeZone}
        onRetry={onRetry}
        isPreview
      />
    </div>
  );
}
