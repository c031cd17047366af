import type { FilterResource } from "../../records/filter/use-filter-resource.ts";
import type { Field } from "./fields.ts";
import type { Facts } from "./propose.ts";

/** What the fields of a panel's form need besides the panel. */
export interface PanelForm<Panel> {
  readonly panel: Panel;
  readonly found: FilterResource;
  readonly fields: readonly Field[];
  readonly facts: Facts;
  /** The message at a JSON pointer within the panel. */
  readonly faultAt: (pointer: string) => string | undefined;
  /** @param subject changes of the same one in a row are undone together */
  readonly onChange: (panel: Panel, subject?: string) => void;
}
