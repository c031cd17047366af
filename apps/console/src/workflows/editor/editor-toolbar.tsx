import { Braces, CircleCheck, ListTree, Redo2, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { Draft } from "./use-draft.ts";

interface EditorToolbarProps {
  readonly draft: Draft;
  readonly view: "tree" | "code";
  readonly errors: number;
  readonly warnings: number;
  /** Whether the service has checked the draft as it is now. */
  readonly isChecked: boolean;
  readonly areFaultsShown: boolean;
  readonly onView: (view: "tree" | "code") => void;
  readonly onFaults: () => void;
  readonly onSave: () => void;
  readonly onPublish: () => void;
}

/** What can be done with the whole draft. */
export function EditorToolbar(props: EditorToolbarProps) {
  const { draft, view, errors, warnings } = props;
  const t = useTranslations("workflowEditor");
  const words = useTranslations("manage");
  const { isChanged, isSaved, saving } = draft;
  return (
    <div
      role="toolbar"
      aria-label={t("toolbar")}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-4 py-2 md:px-6"
    >
      <fieldset aria-label={t("view")} className="flex gap-0.5 rounded-control bg-sunken p-0.5">
        <ViewButton isOn={view === "tree"} onPress={() => props.onView("tree")}>
          <ListTree size={14} aria-hidden="true" />
          {t("tree")}
        </ViewButton>
        <ViewButton isOn={view === "code"} onPress={() => props.onView("code")}>
          <Braces size={14} aria-hidden="true" />
          {t("code")}
        </ViewButton>
      </fieldset>
      <div className="flex">
        <IconButton label={t("undo")} icon={Undo2} onPress={draft.canUndo ? draft.undo : null} />
        <IconButton label={t("redo")} icon={Redo2} onPress={draft.canRedo ? draft.redo : null} />
      </div>
      {errors + warnings > 0 ? (
        <button
          type="button"
          aria-expanded={props.areFaultsShown}
          onClick={props.onFaults}
          className={classes(
            "min-h-6 rounded-full px-2.5 text-2 font-medium",
            errors > 0 ? "bg-danger-soft text-danger" : "bg-warn-soft text-warn",
          )}
        >
          {errors > 0 ? t("faultCount", { count: errors }) : t("warningCount", { count: warnings })}
        </button>
      ) : (
        props.isChecked && (
          <span className="flex items-center gap-1 text-2 text-ink-2">
            <CircleCheck size={14} aria-hidden="true" className="text-ok" />
            {t("noFaults")}
          </span>
        )
      )}
      <span className="flex-1" />
      <span role="status" className="text-2 text-ink-2">
        {isChanged ? t("unsaved") : isSaved ? words("saved") : ""}
      </span>
      <div className="flex gap-2">
        <ToolButton onClick={props.onSave} disabled={!isChanged} aria-disabled={saving.isBusy}>
          {t("save")}
        </ToolButton>
        <ToolButton
          kind="primary"
          onClick={props.onPublish}
          disabled={draft.definition === undefined}
        >
          {t("publishMore")}
        </ToolButton>
      </div>
    </div>
  );
}

function ViewButton(props: {
  readonly isOn: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-pressed={props.isOn}
      onClick={props.onPress}
      className={classes(
        "flex h-6 items-center gap-1.5 rounded-[4px] px-2 text-2 font-medium",
        props.isOn ? "bg-surface text-ink" : "text-ink-2 hover:text-ink",
      )}
    >
      {props.children}
    </button>
  );
}
