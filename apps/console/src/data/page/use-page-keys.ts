import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { type Command, useCommands } from "../../shell/commands.ts";
import { type Shortcut, useShortcuts } from "../../shell/shortcuts.ts";
import { ArrowDown, Copy, Plus, RefreshCw, Search } from "../../ui/icons.generated.ts";

interface PageActions {
  /** Null for a person who may not create rows. */
  readonly onNew: (() => void) | null;
  readonly onRefresh: () => void;
  readonly onCopyTitles: () => void;
  readonly onGoTo: () => void;
}

/** The keys of the grid, which it handles itself. */
const gridKeys = [
  ["F2", "edit"],
  ["Mod+Enter", "openRecord"],
  ["Alt+Enter", "followReference"],
  ["Space", "selectThisRow"],
  ["Mod+C", "copyRange"],
  ["Mod+Alt+C", "copyTitles"],
  ["Mod+V", "pasteRange"],
  ["Mod+Shift+V", "pasteNewRows"],
  ["Mod+D", "fillDown"],
  ["Mod+Z", "undo"],
  ["Mod+Shift+Z", "redo"],
  ["Delete", "clearCells"],
  ["Shift+Delete", "deleteRows"],
] as const;

/** The keys of the form of a record, which it handles itself. */
const formKeys = [
  ["Mod+S", "save"],
  ["Mod+Enter", "next"],
  ["Backspace", "none"],
  ["Alt+ArrowDown", "calendar"],
  ["Alt+Enter", "openReference"],
  ["Alt+Delete", "removeLine"],
] as const;

/** Adds the page's keys to the list of shortcuts, and its actions to the palette. */
export function usePageKeys({ onNew, onRefresh, onGoTo, onCopyTitles }: PageActions): void {
  const t = useTranslations("grid");
  const shortcuts = useMemo((): readonly Shortcut[] => {
    const section = t("inGrid");
    const create = onNew === null ? [] : [{ keys: "n", label: t("new"), section, run: onNew }];
    const listed = gridKeys.map(([keys, label]) => ({ keys, label: t(label), section }));
    const inForm = formKeys.map(([keys, label]) => ({
      ...{ keys, label: t(`formKeys.${label}`), section: t("inForm") },
    }));
    return [
      ...create,
      { keys: "/", label: t("search"), section, run: focusSearch },
      { keys: "r", label: t("refresh"), section, run: onRefresh },
      { keys: "g", label: t("goTo"), section, run: onGoTo },
      ...listed,
      ...inForm,
    ];
  }, [t, onNew, onRefresh, onGoTo]);
  useShortcuts(shortcuts);
  const commands = useMemo((): readonly Command[] => {
    const group = "here" as const;
    const create =
      onNew === null
        ? []
        : [{ id: "new row", group, label: t("new"), icon: Plus, keys: "n", run: onNew }];
    return [
      ...create,
      { id: "search", group, label: t("search"), icon: Search, keys: "/", run: focusSearch },
      { id: "refresh", group, label: t("refresh"), icon: RefreshCw, keys: "r", run: onRefresh },
      { id: "go to", group, label: t("goTo"), icon: ArrowDown, keys: "g", run: onGoTo },
      {
        ...{ id: "copy titles", group, label: t("copyTitles"), icon: Copy },
        ...{ keys: "Mod+Alt+C", run: onCopyTitles },
      },
    ];
  }, [t, onNew, onRefresh, onGoTo, onCopyTitles]);
  useCommands(commands);
}

function focusSearch(): void {
  document.querySelector<HTMLElement>("[data-search]")?.focus();
}
