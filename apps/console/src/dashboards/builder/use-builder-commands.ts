import { useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { useCommands } from "../../shell/commands.ts";
import { useShortcuts } from "../../shell/shortcuts.ts";

/** What keys and the palette do in the builder. */
interface BuilderDeeds {
  save(): void;
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
}

/** Adds the shortcuts and commands of the builder while it is shown. */
export function useBuilderCommands(deeds: BuilderDeeds): void {
  const t = useTranslations("dashboardBuilder");
  const words = useTranslations("manage");
  const latest = useRef(deeds);
  latest.current = deeds;
  const shortcuts = useMemo(() => {
    const section = t("section");
    return [
      { keys: "Mod+S", label: words("save"), section, run: () => latest.current.save() },
      { keys: "Mod+Z", label: t("undo"), section, run: () => latest.current.undo?.() },
      { keys: "Mod+Shift+Z", label: t("redo"), section, run: () => latest.current.redo?.() },
      { keys: "↑↓←→", label: t("moveKeys"), section },
      { keys: "Shift+↑↓←→", label: t("resizeKeys"), section },
    ];
  }, [t, words]);
  useShortcuts(shortcuts);
  const commands = useMemo(
    () => [
      {
        ...{ id: "dashboard-save", group: "here" as const, label: words("save"), keys: "Mod+S" },
        run: () => latest.current.save(),
      },
    ],
    [words],
  );
  useCommands(commands);
}
