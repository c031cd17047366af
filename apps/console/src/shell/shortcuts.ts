import { useEffect, useSyncExternalStore } from "react";
import { isPressed, isSingleKey } from "./keys.ts";
import { currentPreferences } from "./preferences.ts";
import { createRegistry } from "./registry.ts";

/** A shortcut of the keyboard. */
export interface Shortcut {
  /** `Mod+K`, `Mod+Shift+Z`, `n`, `?`. `Mod` is Ctrl, on a Mac ⌘. */
  readonly keys: string;
  /** What it does, in the language of the pages. */
  readonly label: string;
  /** The heading under which the list of shortcuts has it; by default those of every page. */
  readonly section?: string;
  /** Omitted for keys that a control handles itself, and that only the list shows. */
  readonly run?: () => void;
}

const registry = createRegistry<Shortcut>();

/**
 * Adds shortcuts while the component is shown; the latest list comes first.
 *
 * @param shortcuts the same array until they change (`useMemo`)
 */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => registry.add(shortcuts), [shortcuts]);
}

/** Every shortcut that works now. */
export function useAllShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(registry.onChange, registry.all);
}

/** Listens for shortcuts; returns the function that ends this. */
export function listenForShortcuts(): () => void {
  const listener = (event: KeyboardEvent): void => {
    // A control that handled the key has prevented its default.
    if (event.defaultPrevented || event.isComposing) return;
    // Behind a modal dialog nothing may happen.
    if (document.querySelector("dialog:modal") !== null) return;
    const found = registry.all().findLast(({ keys, run }) => {
      if (run === undefined || !isPressed(keys, event)) return false;
      return !isSingleKey(keys) || (currentPreferences().singleKeys && !isTyping(event.target));
    });
    if (found?.run === undefined) return;
    event.preventDefault();
    found.run();
  };
  // On the window, after every handler of React.
  addEventListener("keydown", listener);
  return () => removeEventListener("keydown", listener);
}

/** Returns whether keys become text there. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}
