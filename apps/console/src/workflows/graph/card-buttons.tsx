import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { Ellipsis, Plus } from "../../ui/icons.generated.ts";

import { type GraphCard, type GraphEdits, labelOf } from "./graph-card.ts";
import type { GraphLayout } from "./layout-graph.ts";
import type { useCardDrag } from "./use-card-drag.ts";

interface CardButtonsProps {
  readonly layout: GraphLayout;
  readonly cards: ReadonlyMap<string, GraphCard>;
  readonly scale: number;
  readonly chosen: string;
  /** The key of the card that is the tab stop. */
  readonly stop: string;
  readonly drag: ReturnType<typeof useCardDrag>;
  readonly edits: GraphEdits | undefined;
  readonly onFocus: (key: string) => void;
  readonly onChoose: (key: string) => void;
  readonly onOpen: (key: string) => void;
}

/** The buttons over the cards of a graph, and the places for a first step. */
export function CardButtons(props: CardButtonsProps) {
  const { layout, cards, scale, chosen, stop, drag, edits, onFocus, onChoose, onOpen } = props;
  const t = useTranslations("workflowEditor");
  return [...layout.boxes].map(([key, { x, y, width, height }]) => {
    const card = cards.get(key);
    const style = {
      ...{ left: x * scale, top: y * scale, width: width * scale, height: height * scale },
    };
    const shared = {
      type: "button" as const,
      "data-card": key,
      tabIndex: key === stop ? 0 : -1,
      onFocus: () => onFocus(key),
    };
    if (card === undefined) {
      return (
        <button
          key={key}
          {...shared}
          style={style}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={() => onOpen(key)}
          className="absolute flex items-center justify-center gap-1 overflow-hidden rounded-panel border border-line-strong border-dashed bg-surface text-2 text-ink-2 hover:border-accent hover:text-accent"
        >
          <Plus size={14} aria-hidden="true" className="shrink-0" />
          <span className="truncate">{t("addStep")}</span>
        </button>
      );
    }
    const label = labelOf(card);
    const middle = { x: x + width / 2, y: y + height / 2 };
    return (
      <div key={key} className="group/card absolute" style={style}>
        <button
          {...shared}
          {...drag.eventsOf(key, middle)}
          aria-label={label}
          aria-current={key === chosen}
          title={label}
          onClick={() => {
            if (!drag.takeClick()) onChoose(key);
          }}
          onDoubleClick={() => onOpen(key)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            onOpen(key);
          }}
          onContextMenu={(event) => {
            if (edits === undefined) return;
            event.preventDefault();
            edits.openMenu(key, event.currentTarget);
          }}
          className="absolute inset-0 cursor-pointer rounded-panel hover:outline-2 hover:outline-line-strong focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent"
        />
        {edits !== undefined && card.hasMenu === true && scale >= 0.6 && (
          <button
            type="button"
            tabIndex={-1}
            aria-label={t("menuOf", { name: card.name })}
            onPointerDown={(event) => event.stopPropagation()}
            onClick={(event) => edits.openMenu(key, event.currentTarget)}
            className={classes(
              "absolute right-1 bottom-1 grid size-6 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink",
              key !== chosen && "pointer-fine:opacity-0 group-hover/card:opacity-100",
            )}
          >
            <Ellipsis size={14} aria-hidden="true" />
          </button>
        )}
      </div>
    );
  });
}
