import { useEffect, useSyncExternalStore } from "react";
import type { IconComponent } from "../ui/create-icon.ts";
import { createRegistry } from "./registry.ts";

/** The groups of the palette in their order: the page that is open, dashboards and DataViews, tables and views, other pages, actions everywhere, rows that were found. */
export const commandGroups = ["here", "readings", "tables", "pages", "actions", "rows"] as const;

/** A command of the palette. */
export interface Command {
  /** Unique among the commands. */
  readonly id: string;
  readonly group: (typeof commandGroups)[number];
  /** In the language of the pages, or a name of the person's data. */
  readonly label: string;
  /** Shown beside the label and searched too, such as the schema of a table. */
  readonly detail?: string;
  readonly icon?: IconComponent;
  /** Keys that run the command without the palette, as `Shortcut.keys`. */
  readonly keys?: string;
  run(): void;
}

const registry = createRegistry<Command>();

/**
 * Adds commands to the palette while the component is shown.
 *
 * @param commands the same array until they change (`useMemo`)
 */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => registry.add(commands), [commands]);
}

/** Every command that the open page offers. */
export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore(registry.onChange, registry.all);
}
