import { useSyncExternalStore } from "react";
import { chooseDensity, type Density, storedDensity } from "../ui/density.ts";
import { chooseTheme, storedTheme, type Theme } from "../ui/theme.ts";

/** The choices of a person that apply to every page, except the language. */
export interface Preferences {
  readonly theme: Theme;
  readonly density: Density;
  /** Whether shortcuts of a single key work (WCAG 2.1.4). */
  readonly singleKeys: boolean;
  /** Schemas whose tables the sidebar hides. */
  readonly closedSchemas: readonly string[];
  /** Other groups of the sidebar that are folded away. */
  readonly closedGroups: readonly string[];
  /** Whether an administrator has hidden the list of first steps. */
  readonly hidesChecklist: boolean;
}

const key = "rowhouse.preferences";
const listeners = new Set<() => void>();
let current: Preferences = { ...stored(), theme: storedTheme(), density: storedDensity() };

/** The preferences of this browser. */
export function currentPreferences(): Preferences {
  return current;
}

/** Changes preferences, applies them and keeps them in this browser. */
export function changePreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  chooseTheme(current.theme);
  chooseDensity(current.density);
  const { singleKeys, closedSchemas, closedGroups, hidesChecklist } = current;
  const kept = { singleKeys, closedSchemas, closedGroups, hidesChecklist };
  localStorage.setItem(key, JSON.stringify(kept));
  for (const listener of listeners) listener();
}

/** Calls `listener` after each change; returns the function that ends this. */
export function onPreferencesChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The preferences; the component renders again when they change. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(onPreferencesChange, currentPreferences);
}

function stored(): Omit<Preferences, "theme" | "density"> {
  const { singleKeys, closedSchemas, closedGroups, hidesChecklist } = JSON.parse(
    localStorage.getItem(key) ?? "{}",
  ) as {
    readonly singleKeys?: unknown;
    readonly closedSchemas?: unknown;
    readonly closedGroups?: unknown;
    readonly hidesChecklist?: unknown;
  };
  return {
    singleKeys: singleKeys !== false,
    hidesChecklist: hidesChecklist === true,
    closedSchemas: textsOf(closedSchemas),
    closedGroups: textsOf(closedGroups),
  };
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
}
