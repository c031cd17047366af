import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { classes } from "../../ui/classes.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import {
  CircleCheck,
  Eye,
  Plus,
  Redo2,
  RefreshCw,
  Settings,
  SlidersHorizontal,
  Undo2,
} from "../../ui/icons.generated.ts";
import { OpenMenu } from "../../ui/menu.tsx";
import { ToolButton, toolClasses } from "../../ui/tool-button.tsx";
import { type PanelKind, panelKinds, panelsMax } from "./draft.ts";
import { kindIcons } from "./kind-icon.ts";
import type { DraftState } from "./use-draft.ts";

interface BuilderToolbarProps {
  readonly state: DraftState;
  /** Null for a new board. */
  readonly id: string | null;
  readonly isLocked: boolean;
  readonly isSaving: boolean;
  /** Whether a filter must be saved again. */
  readonly isLost: boolean;
  readonly onAdd: (kind: PanelKind) => void;
  readonly onReload: () => void;
  readonly onPane: (pane: "board" | "parameters") => void;
  readonly onSave: () => void;
  /** Whether a narrow screen shows the form of a part alone. */
  readonly isCovered: boolean;
}

/** What can be done with the whole board. */
export function BuilderToolbar(props: BuilderToolbarProps) {
  const { state, id, isSaving, onPane } = props;
  const t = useTranslations("dashboardBuilder");
  const words = useTranslations("manage");
  const { draft, isChanged } = state;
  return (
    <div
      role="toolbar"
      aria-label={t("toolbar")}
      className={classes(
        "flex flex-wrap items-center gap-2 border-line border-b px-4 py-2 md:px-6",
        props.isCovered && "max-lg:hidden",
      )}
    >
      <AddMenu
        isFull={draft.panels.length >= panelsMax}
        isLocked={props.isLocked}
        onAdd={props.onAdd}
      />
      <ToolButton onClick={() => onPane("parameters")}>
        <SlidersHorizontal size={14} aria-hidden="true" />
        {t("parameters")}
      </ToolButton>
      <ToolButton onClick={() => onPane("board")}>
        <Settings size={14} aria-hidden="true" />
        {t("settings")}
      </ToolButton>
      <div className="flex">
        <IconButton label={t("undo")} icon={Undo2} onPress={state.undo} />
        <IconButton label={t("redo")} icon={Redo2} onPress={state.redo} />
        <IconButton label={t("reload")} icon={RefreshCw} onPress={props.onReload} />
      </div>
      <span className="flex-1" />
      <span role="status" className="inline-flex items-center gap-1.5 text-2 text-ink-2">
        {isChanged && t("unsaved")}
        {!isChanged && id !== null && (
          <>
            <CircleCheck size={14} aria-hidden="true" className="text-ok" />
            {words("saved")}
          </>
        )}
      </span>
      {id !== null && (
        <AppLink href={`/app/dashboards/${id}`} className={toolClasses("plain")}>
          <Eye size={14} aria-hidden="true" />
          {t("open")}
        </AppLink>
      )}
      <ToolButton
        // An empty board has another first step.
        kind={draft.panels.length === 0 ? "plain" : "primary"}
        onClick={props.onSave}
        disabled={!isChanged && id !== null && !props.isLost}
        aria-disabled={isSaving}
      >
        {words(id === null ? "create" : "save")}
      </ToolButton>
    </div>
  );
}

interface AddMenuProps {
  readonly isFull: boolean;
  readonly isLocked: boolean;
  readonly onAdd: (kind: PanelKind) => void;
}

/** Adds a panel of a kind. */
function AddMenu({ isFull, isLocked, onAdd }: AddMenuProps) {
  const t = useTranslations("dashboardBuilder");
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ToolButton
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        disabled={isFull || isLocked}
        title={isFull ? t("full") : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Plus size={14} aria-hidden="true" />
        {t("addPanel")}
      </ToolButton>
      {isOpen && (
        <OpenMenu
          label={t("addPanel")}
          beside={button}
          groups={[
            {
              id: "kinds",
              entries: panelKinds.map((kind) => ({
                id: kind,
                label: t(`kinds.${kind}`),
                icon: kindIcons[kind],
                onPress: () => onAdd(kind),
              })),
            },
          ]}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
