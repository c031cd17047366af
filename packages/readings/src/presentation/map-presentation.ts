import type { FieldNames } from "@rowhouse/access";
import {
  type FormSection,
  type Presentation,
  plainTable,
  type VisiblePresentation,
} from "./presentation.ts";

/** Returns the field to name in place of another one; undefined to leave it out. */
export type MapField = (path: string) => string | undefined;

/**
 * Maps the fields of a presentation.
 *
 * @returns undefined if a field is left out without which the layout shows nothing: group and title of a kanban, start
 * and title of a calendar, title of cards, all fields of a form
 */
function mapPresentation(presentation: Presentation, mapField: MapField): Presentation | undefined {
  const optional = (path: string | undefined) => (path === undefined ? undefined : mapField(path));
  const listed = (paths: readonly string[] | undefined) =>
    paths?.flatMap((path) => mapField(path) ?? []);
  switch (presentation.layout) {
    case "table": {
      const columns = presentation.columns.flatMap((column) => {
        const field = mapField(column.field);
        return field === undefined ? [] : [{ ...column, field }];
      });
      return { ...presentation, columns };
    }
    case "cards": {
      const { version, layout, subtitle, image, badges } = presentation;
      const title = mapField(presentation.title);
      if (title === undefined) return undefined;
      const rest = { subtitle: optional(subtitle), image: optional(image), badges: listed(badges) };
      return { version, layout, title, ...given(rest) };
    }
    case "kanban": {
      const { version, layout, fields, order, color } = presentation;
      const group = mapField(presentation.group);
      const title = mapField(presentation.title);
      if (group === undefined || title === undefined) return undefined;
      const rest = { fields: listed(fields), order: optional(order), color: optional(color) };
      return { version, layout, group, title, ...given(rest) };
    }
    case "calendar": {
      const { version, layout, end, color } = presentation;
      const start = mapField(presentation.start);
      const title = mapField(presentation.title);
      if (start === undefined || title === undefined) return undefined;
      return {
        version,
        layout,
        start,
        title,
        ...given({ end: optional(end), color: optional(color) }),
      };
    }
    case "form": {
      const sections = presentation.sections.flatMap((section) => mapSection(section, mapField));
      return sections.length === 0 ? undefined : { ...presentation, sections };
    }
    default:
      return presentation satisfies never;
  }
}

/** A section without fields is left out with its title. */
function mapSection(section: FormSection, mapField: MapField): FormSection[] {
  const fields = section.fields.flatMap((item) => {
    const field = mapField(item.field);
    return field === undefined ? [] : [{ ...item, field }];
  });
  return fields.length === 0 ? [] : [{ ...section, fields }];
}

/** The members that have a value. */
function given<Parts extends object>(parts: Parts): Partial<Parts> {
  const entries = Object.entries(parts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Parts>;
}

/** Lists the paths of the fields that a presentation names. */
export function namesOfPresentation(presentation: Presentation): string[] {
  const names = new Set<string>();
  renamePresentation(presentation, (path) => {
    names.add(path);
    return path;
  });
  return [...names];
}

/** Replaces the fields that a presentation names by their current paths. */
export function renamePresentation<Given extends Presentation>(
  presentation: Given,
  nameOf: FieldNames,
): Given {
  const renamed = mapPresentation(presentation, (path) => nameOf(path, path));
  return (renamed ?? presentation) as Given;
}

/** Leaves out what a reader may not see of a presentation. What remains names no other field. */
export function visiblePresentation(
  presentation: Presentation,
  isVisible: (path: string) => boolean,
): VisiblePresentation {
  const visible = mapPresentation(presentation, (path) => (isVisible(path) ? path : undefined));
  return visible ?? { ...plainTable, degraded: true };
}
