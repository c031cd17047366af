import { labelColumn, titleOf } from "../../records/model/resource.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { type FieldOption, type FieldUse, fittingFields } from "./field-options.ts";
import type { Layout, Presentation } from "./view-draft.ts";

/** How many badges a card has at first. */
const badgesProposed = 2;

/**
 * Returns the presentation with which a layout begins, with columns that fit; undefined if the resource has no column
 * that the layout needs.
 */
export function proposeLayout(
  layout: Layout,
  resource: NavigationResource,
  options: readonly FieldOption[],
): Presentation | undefined {
  const own = options.filter(({ isOwn }) => isOwn);
  const fitting = (use: FieldUse) => fittingFields(own, use, resource);
  const label = labelColumn(resource);
  const title = label === undefined ? own[0]?.field : label.name;
  switch (layout) {
    case "table":
      return { version: 1, layout, columns: [] };
    case "cards": {
      if (title === undefined) return undefined;
      const image = fitting("image").find(({ column }) => column.format?.type === "image");
      const badges = fitting("badge").filter(({ column }) => column.values !== null);
      const shown = badges.slice(0, badgesProposed).map(({ field }) => field);
      return {
        ...{ version: 1, layout, title },
        ...(image === undefined ? {} : { image: image.field }),
        ...(shown.length === 0 ? {} : { badges: shown }),
      };
    }
    case "kanban": {
      const groups = fitting("group");
      const group = groups.find(({ column }) => column.values !== null) ?? groups[0];
      if (group === undefined || title === undefined) return undefined;
      return { version: 1, layout, group: group.field, title };
    }
    case "calendar": {
      const [start] = fitting("time");
      if (start === undefined || title === undefined) return undefined;
      return { version: 1, layout, start: start.field, title };
    }
    case "form": {
      if (resource.kind === "VIEW") return undefined;
      const fields = fitting("input")
        .filter(({ column }) => !(column.hasDefault && resource.primaryKey.includes(column.name)))
        .map(({ field }) => ({ field }));
      if (fields.length === 0) return undefined;
      const sections = [{ title: titleOf(resource), fields }];
      return { version: 1, layout, use: "BOTH", sections };
    }
    default:
      return layout satisfies never;
  }
}
