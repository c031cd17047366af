import { type KeyboardEvent, useRef, useState } from "react";
import { Button, useDrag } from "react-aria-components";
import { useTranslations } from "use-intl";
import { cellOf, type GridColumn } from "../../../records/grid/grid-column.ts";
import type { GridRow } from "../../../records/rows/row-store.ts";
import { type ColorName, colorOf } from "../../../records/values/color-of.ts";
import { useWays } from "../../../records/values/ways.ts";
import { classes } from "../../../ui/classes.ts";
import { Ellipsis, GripVertical } from "../../../ui/icons.generated.ts";
import { type MenuGroup, OpenMenu } from "../../../ui/menu.tsx";
import { RowField, RowTitle, titleText } from "../layout-parts.tsx";

/** The type of what is dragged: cards of one board. */
export const cardType = "application/x-rowhouse-card";

interface KanbanCardProps {
  readonly row: GridRow;
  readonly title: GridColumn | undefined;
  readonly fields: readonly GridColumn[];
  readonly color: GridColumn | undefined;
  /** Whether this card is the one that Tab reaches. */
  readonly isActive: boolean;
  /** Whether its move is being written. */
  readonly isMoving: boolean;
  /** What the menu of the card offers; null if nobody may move it. */
  readonly menu: (() => readonly MenuGroup[]) | null;
  readonly onOpen: () => void;
  readonly onActive: () => void;
  readonly onKey: (event: KeyboardEvent<HTMLElement>) => void;
}

/** A card. It is dragged by the pointer, or by its handle with the keyboard; its menu moves it too. */
export function KanbanCard(props: KanbanCardProps) {
  const { row, title, fields, color, isActive, isMoving, menu } = props;
  const t = useTranslations("dataView");
  const ways = useWays();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const name = titleText(title, row, ways);
  const { dragProps, dragButtonProps, isDragging } = useDrag({
    isDisabled: menu === null,
    hasDragButton: true,
    getItems: () => [{ [cardType]: row.id, "text/plain": name }],
    getAllowedDropOperations: () => ["move"],
  });
  return (
    <li
      {...dragProps}
      data-card={row.id}
      aria-busy={isMoving}
      className={classes(
        "group/card relative grid min-w-0 rounded-control border border-line bg-surface hover:border-line-strong",
        toneEdge(color, row),
        row.mark !== undefined && "border-accent-line",
        (isDragging || isMoving) && "opacity-60",
        menu !== null && "cursor-grab",
      )}
    >
      <button
        type="button"
        data-card-open
        tabIndex={isActive ? 0 : -1}
        aria-disabled={row.key === null}
        onClick={props.onOpen}
        onFocus={props.onActive}
        onKeyDown={props.onKey}
        className={classes(
          "grid w-full min-w-0 gap-1 rounded-control p-2.5 text-left",
          menu !== null && "pr-13",
        )}
      >
        <span className="flex min-w-0 font-medium">
          <RowTitle item={title} row={row} />
        </span>
        {fields.map((item) => (
          <RowField key={item.name} item={item} row={row} />
        ))}
      </button>
      {menu !== null && (
        <span className="absolute top-1 right-1 flex">
          <Button
            {...dragButtonProps}
            excludeFromTabOrder={!isActive}
            aria-label={t("drag", { name })}
            className="grid size-6 place-items-center rounded-control text-ink-3 hover:bg-sunken hover:text-ink max-md:hidden"
          >
            <GripVertical size={14} aria-hidden="true" />
          </Button>
          <button
            ref={button}
            type="button"
            tabIndex={isActive ? 0 : -1}
            aria-haspopup="menu"
            aria-expanded={isOpen}
            aria-label={t("moveTo", { name })}
            title={t("moveTo", { name })}
            onClick={() => setOpen(true)}
            className="grid size-6 place-items-center rounded-control text-ink-3 hover:bg-sunken hover:text-ink"
          >
            <Ellipsis size={14} aria-hidden="true" />
          </button>
        </span>
      )}
      {isOpen && menu !== null && (
        <OpenMenu
          label={t("moveTo", { name })}
          beside={button}
          groups={menu()}
          onClose={() => setOpen(false)}
        />
      )}
    </li>
  );
}

/** The edge of a card in each color; Tailwind finds them only as whole names. */
const edges: Readonly<Record<ColorName, string>> = {
  gray: "border-l-tone-gray",
  red: "border-l-tone-red",
  orange: "border-l-tone-orange",
  amber: "border-l-tone-amber",
  yellow: "border-l-tone-yellow",
  lime: "border-l-tone-lime",
  green: "border-l-tone-green",
  teal: "border-l-tone-teal",
  cyan: "border-l-tone-cyan",
  blue: "border-l-tone-blue",
  indigo: "border-l-tone-indigo",
  violet: "border-l-tone-violet",
  pink: "border-l-tone-pink",
};

/** Returns the classes of a card in the color that its field has for the value; a plain edge without one. */
function toneEdge(item: GridColumn | undefined, row: GridRow): string {
  const color = item === undefined ? undefined : colorOf(item.column, cellOf(item, row.values));
  return color === undefined ? "" : `border-l-3 ${edges[color]}`;
}
