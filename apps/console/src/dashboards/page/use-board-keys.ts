import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { type Command, useCommands } from "../../shell/commands.ts";
import { type Shortcut, useShortcuts } from "../../shell/shortcuts.ts";
import { Printer, RefreshCw } from "../../ui/icons.generated.ts";

/** Adds the keys of a dashboard, and its actions to the palette. */
export function useBoardKeys(refresh: () => unknown): void {
  const t = useTranslations("dashboards");
  const shortcuts = useMemo(
    (): readonly Shortcut[] => [
      { keys: "r", label: t("refresh"), section: t("title"), run: () => void refresh() },
    ],
    [t, refresh],
  );
  useShortcuts(shortcuts);
  const commands = useMemo((): readonly Command[] => {
    const group = "here" as const;
    const run = () => void refresh();
    return [
      { id: "refresh", group, label: t("refresh"), icon: RefreshCw, keys: "r", run },
      { id: "print", group, label: t("print"), icon: Printer, run: () => window.print() },
    ];
  }, [t, refresh]);
  useCommands(commands);
}
