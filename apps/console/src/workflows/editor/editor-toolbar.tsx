import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import {
  Braces,
  CircleCheck,
  ListTree,
  Redo2,
  Undo2,
  Workflow as WorkflowIcon,
} from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { ViewSwitch } from "../parts/view-switch.tsx";
import { type EditorView, editorViews } from "./editor-search.ts";
import type { Draft } from "./use-draft.ts";

interface EditorToolbarProps {
  readonly draft: Draft;
  readonly isLocked: boolean;
  readonly view: EditorView;
  readonly errors: number;
  readonly warnings: number;
  /** Whether the service has checked the draft as it is now. */
  readonly isChecked: boolean;
  readonly areFaultsShown: boolean;
  readonly onView: (view: EditorView) => void;
  readonly onFaults: () => void;
  readonly onSave: () => void;
  readonly onPublish: () => void;
}

const viewIcons = { tree: ListTree, graph: WorkflowIcon, code: Braces };

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
      <ViewSwitch
        label={t("view")}
        view={view}
        views={editorViews.map((one) => {
          const Icon = viewIcons[one];
          return {
            view: one,
            label: (
              <>
                <Icon size={14} aria-hidden="true" />
                {t(one)}
              </>
            ),
          };
        })}
        onChange={props.onView}
      />
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
          disabled={draft.definition === undefined || props.isLocked}
        >
          {t("publishMore")}
        </ToolButton>
      </div>
    </div>
  );
}
