import { useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { useCommands } from "../../shell/commands.ts";
import { useShortcuts } from "../../shell/shortcuts.ts";

/** What keys and the palette do in the editor. */
interface EditorDeeds {
  save(): void;
  publish(): void;
  switchView(): void;
  undo(): void;
  redo(): void;
}

/** Adds the shortcuts and commands of the editor while it is shown. */
export function useEditorCommands(deeds: EditorDeeds): void {
  const t = useTranslations("workflowEditor");
  const latest = useRef(deeds);
  latest.current = deeds;
  const shortcuts = useMemo(() => {
    const section = t("editor");
    return [
      { keys: "Mod+S", label: t("save"), section, run: () => latest.current.save() },
      { keys: "Mod+Z", label: t("undo"), section, run: () => latest.current.undo() },
      { keys: "Mod+Shift+Z", label: t("redo"), section, run: () => latest.current.redo() },
      { keys: "Alt+↑↓←→", label: t("moveStep"), section },
      { keys: "+", label: t("addStep"), section },
      { keys: "Mod+D", label: t("duplicate"), section },
    ];
  }, [t]);
  useShortcuts(shortcuts);
  const commands = useMemo(() => {
    const group = "here" as const;
    return [
      {
        ...{ id: "workflow-save", group, label: t("save"), keys: "Mod+S" },
        run: () => latest.current.save(),
      },
      {
        ...{ id: "workflow-publish", group, label: t("publishMore") },
        run: () => latest.current.publish(),
      },
      {
        ...{ id: "workflow-view", group, label: t("switchView") },
        run: () => latest.current.switchView(),
      },
    ];
  }, [t]);
  useCommands(commands);
}
