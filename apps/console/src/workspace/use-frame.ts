import { useEffect, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { listenForShortcuts, type Shortcut, useShortcuts } from "../shell/shortcuts.ts";

/** A dialog that the frame shows over any page. */
export type FrameDialog = "palette" | "shortcuts" | "menu" | undefined;

/** The dialogs of the frame and the shortcuts that open them. */
export function useFrameDialogs() {
  const t = useTranslations("shortcuts");
  const [dialog, show] = useState<FrameDialog>();
  const shortcuts = useMemo<readonly Shortcut[]>(
    () => [
      { keys: "Mod+K", label: t("palette"), run: () => show("palette") },
      { keys: "?", label: t("list"), run: () => show("shortcuts") },
    ],
    [t],
  );
  useShortcuts(shortcuts);
  useEffect(listenForShortcuts, []);
  const actions = useMemo(
    () => ({ close: () => show(undefined), showShortcuts: () => show("shortcuts") }),
    [],
  );
  return { dialog, show, ...actions };
}
