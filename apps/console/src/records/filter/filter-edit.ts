import { type ComponentType, createContext, useContext } from "react";
import type { FilterNode } from "./filter-tree.ts";
import type { Resources } from "./resolve-field.ts";

/** An editor of a value that is a template, such as `{{start.data.body.plate}}`. */
export interface OperandTemplateProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** What every part of the builder can do, and what is wrong with it. */
export interface FilterEdit {
  readonly resources: Resources;
  /** Replaces a node; null removes it. */
  readonly change: (id: string, next: FilterNode | null) => void;
  readonly add: (groupId: string, node: FilterNode) => void;
  readonly faults: ReadonlyMap<string, string>;
  /** The node whose first field has the focus. */
  readonly focusId: string | null;
  readonly focus: (id: string | null) => void;
  /** The editor of templates, for a filter whose values may be templates. */
  readonly Template?: ComponentType<OperandTemplateProps> | undefined;
}

const Edit = createContext<FilterEdit | null>(null);

export const FilterEditProvider = Edit.Provider;

/** The builder that a part belongs to. */
export function useFilterEdit(): FilterEdit {
  const edit = useContext(Edit);
  if (edit === null) throw new Error("useFilterEdit needs a FilterEditProvider");
  return edit;
}
