import type { Row } from "../../../records/model/resource.ts";
import type { NavigationColumn, NavigationResource } from "../../../shell/navigation.ts";

/** A section of a form, as its reader sees it. */
export interface FormSection {
  readonly title: string;
  readonly help?: string | undefined;
  readonly fields: readonly {
    readonly field: string;
    readonly help?: string | undefined;
    /** The value that a new row begins with; a number with more digits than a double is a text. */
    readonly default?: unknown;
  }[];
}

/** Whether a form creates a row or changes one. */
type FormUse = "CREATE" | "EDIT";

/** The values with which a form of a new row begins. */
export function defaultsOf(sections: readonly FormSection[]): Row {
  const fields = sections.flatMap((section) => section.fields);
  return Object.fromEntries(
    fields.flatMap((item) => (item.default === undefined ? [] : [[item.field, item.default]])),
  );
}

/** The columns of a section that a person may set in this use, in the order of the section. */
export function columnsOf(
  resource: NavigationResource,
  section: FormSection,
  use: FormUse,
  presets: readonly string[],
): readonly NavigationColumn[] {
  return section.fields.flatMap(({ field }) => {
    const column = resource.columns.find(({ name }) => name === field);
    if (column === undefined || presets.includes(field)) return [];
    const isShown = use === "CREATE" ? column.creatable : column.updatable || column.readable;
    return isShown ? [column] : [];
  });
}

/** The columns that the system sets, in the order of the resource. */
export function presetColumns(
  resource: NavigationResource,
  presets: readonly string[],
): readonly NavigationColumn[] {
  return resource.columns.filter(({ name }) => presets.includes(name));
}
