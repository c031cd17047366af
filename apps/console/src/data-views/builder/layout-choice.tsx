import { useId } from "react";
import { useTranslations } from "use-intl";
import { titleOf } from "../../records/model/resource.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { classes } from "../../ui/classes.ts";
import type { IconComponent } from "../../ui/create-icon.ts";
import {
  CalendarDays,
  ClipboardList,
  LayoutGrid,
  SquareKanban,
  Table2,
} from "../../ui/icons.generated.ts";
import type { BuilderParts } from "./builder-parts.ts";
import { type FieldOption, type FieldUse, fittingFields } from "./field-options.ts";
import { type Layout, layouts, type Presentation } from "./view-draft.ts";

const icons: Readonly<Record<Layout, IconComponent>> = {
  table: Table2,
  cards: LayoutGrid,
  kanban: SquareKanban,
  calendar: CalendarDays,
  form: ClipboardList,
};

/** Chooses how rows are shown. A layout without a column that it needs is offered with its reason, and cannot be chosen. */
export function LayoutChoice(props: {
  readonly parts: BuilderParts;
  readonly onChoose: (layout: Layout) => void;
}) {
  const { parts, onChoose } = props;
  const t = useTranslations("viewBuilder");
  const id = useId();
  const chosen = parts.draft.presentation.layout;
  const fault = parts.faultAt("/presentation/layout");
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{t("layout")}</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(6.5rem,1fr))] gap-1.5">
        {layouts.map((layout) => {
          const Icon = icons[layout];
          const isPossible = proposeLayout(layout, parts.resource, parts.options) !== undefined;
          const isChosen = layout === chosen;
          return (
            <label
              key={layout}
              title={isPossible ? undefined : t(`impossible.${layout}`)}
              className={classes(
                "relative flex h-9 items-center gap-2 rounded-control border px-2.5 focus-within:outline-2 focus-within:outline-accent",
                isChosen
                  ? "border-accent bg-accent-soft font-medium"
                  : "border-line-strong bg-surface",
                isPossible || isChosen ? "cursor-pointer" : "text-ink-3",
              )}
            >
              <input
                type="radio"
                name={id}
                checked={isChosen}
                disabled={!isPossible && !isChosen}
                onChange={() => onChoose(layout)}
                className="sr-only"
              />
              <Icon size={16} aria-hidden="true" className="shrink-0" />
              <span className="truncate">{t(`layouts.${layout}`)}</span>
            </label>
          );
        })}
      </div>
      <p className="text-2 text-ink-2">{t(`layoutText.${chosen}`)}</p>
      {fault !== undefined && (
        <p role="alert" className="text-2 text-danger">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

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
  const title = resource.title[0]?.field ?? own[0]?.field;
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
