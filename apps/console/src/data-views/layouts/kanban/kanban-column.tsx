import { type ReactNode, useEffect, useRef } from "react";
import { useDrop } from "react-aria-components";
import { useFormatter, useTranslations } from "use-intl";
import { useFailureText } from "../../../shell/failure-text.ts";
import { classes } from "../../../ui/classes.ts";
import { Lock, Plus } from "../../../ui/icons.generated.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useSeen } from "../../../ui/use-seen.ts";
import { cardType } from "./kanban-card.tsx";
import type { BoardColumn } from "./use-board.ts";

interface KanbanColumnProps {
  readonly column: BoardColumn;
  readonly title: ReactNode;
  /** The title as a text. */
  readonly name: string;
  /** Whether cards can be moved into it: it is open to this person, and the board can be changed. */
  readonly isOpen: boolean;
  /** Whether the page says that it is closed. */
  readonly isShownClosed: boolean;
  /** Begins a new card in it; null where the person may not create one. */
  readonly onNew: (() => void) | null;
  readonly onLoad: () => void;
  /** @param position the place among the cards of the column */
  readonly onDropCard: (id: string, position: number) => void;
  readonly children: ReactNode;
}

/** A column with its number of cards; pages of cards load when they come into view. */
export function KanbanColumn(props: KanbanColumnProps) {
  const { column, name, isOpen, isShownClosed, onLoad } = props;
  const t = useTranslations("dataView");
  const format = useFormatter();
  const describe = useFailureText();
  const place = useRef<HTMLElement>(null);
  const isSeen = useSeen(place);
  const isBegun = column.isLoading || column.rows.length > 0 || !column.hasMore;
  useEffect(() => {
    if (isSeen && !isBegun && column.error === undefined) onLoad();
  }, [isSeen, isBegun, column.error, onLoad]);
  const { dropProps, isDropTarget } = useDrop({
    ref: place,
    isDisabled: !isOpen,
    getDropOperation: (types) => (isOpen && types.has(cardType) ? "move" : "cancel"),
    onDrop: ({ items, y }) => {
      const position = positionAt(place.current, y);
      for (const item of items) {
        if (item.kind === "text" && item.types.has(cardType)) {
          void item.getText(cardType).then((id) => props.onDropCard(id, position));
        }
      }
    },
  });
  const count = format.number(column.count);
  return (
    <section
      {...dropProps}
      ref={place}
      aria-label={t("column", { name, count: column.count })}
      data-column={column.key}
      data-closed={isShownClosed ? "" : undefined}
      // A keyboard that drags stops at each column that takes the card.
      tabIndex={-1}
      className={classes(
        "flex max-h-full min-h-0 w-72 shrink-0 flex-col rounded-panel border border-line bg-sunken outline-none max-sm:w-[calc(100vw-56px)] max-sm:snap-start",
        isDropTarget && "border-accent bg-accent-soft",
        isShownClosed && "border-dashed",
      )}
    >
      <h2 className="flex min-h-9 items-center gap-2 px-3 py-1.5 font-medium">
        <span className="flex min-w-0">{props.title}</span>
        <span className="text-2 font-normal text-ink-2 tabular-nums">{count}</span>
        <span className="flex-1" />
        {isShownClosed && (
          <span className="flex shrink-0 items-center gap-1 text-2 font-normal text-ink-2">
            <Lock size={12} aria-hidden="true" />
            {t("closed")}
          </span>
        )}
      </h2>
      <ul
        aria-label={name}
        className="grid min-h-0 flex-1 auto-rows-max content-start gap-2 overflow-y-auto px-2 pb-2"
      >
        {props.children}
      </ul>
      {column.error !== undefined && (
        <p role="alert" className="px-3 pb-2 text-2 text-danger">
          {describe(column.error)}
        </p>
      )}
      {!isBegun || (column.isLoading && column.rows.length === 0) ? (
        <div className="px-3 pb-2">
          <Skeleton label={t("loadingCards")} rows={3} />
        </div>
      ) : (
        <Rest {...{ column, onLoad }} />
      )}
      {props.onNew !== null && (
        <button
          type="button"
          data-new-card
          aria-label={t("newCard", { name })}
          onClick={props.onNew}
          className="mx-2 mb-2 flex min-h-7 shrink-0 items-center gap-1.5 rounded-control px-2 text-2 text-ink-2 hover:bg-surface hover:text-ink"
        >
          <Plus size={14} aria-hidden="true" />
          {t("new")}
        </button>
      )}
    </section>
  );
}

/** The way to more cards, and what stands in a column without any. */
function Rest({ column, onLoad }: { readonly column: BoardColumn; readonly onLoad: () => void }) {
  const t = useTranslations("dataView");
  if (column.hasMore) {
    return (
      <button
        type="button"
        disabled={column.isLoading}
        onClick={onLoad}
        className="mx-2 mb-2 min-h-7 rounded-control text-2 text-ink-2 hover:bg-surface hover:text-ink"
      >
        {t("moreCards")}
      </button>
    );
  }
  if (column.rows.length > 0) return null;
  return <p className="px-3 pb-3 text-2 text-ink-3">{t("noCards")}</p>;
}

/** Returns the number of cards above a height, from the top of the column. */
function positionAt(place: HTMLElement | null, y: number): number {
  if (place === null) return 0;
  const top = place.getBoundingClientRect().top;
  const cards = [...place.querySelectorAll("[data-card]")].map((card) =>
    card.getBoundingClientRect(),
  );
  return cards.filter((card) => card.top + card.height / 2 - top < y).length;
}
