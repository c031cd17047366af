import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { Plus } from "../../ui/icons.generated.ts";
import type { GraphCard } from "./graph-card.ts";
import type { GraphLayout, GraphPlace } from "./layout-graph.ts";

interface InsertButtonsProps {
  readonly layout: GraphLayout;
  readonly cards: ReadonlyMap<string, GraphCard>;
  readonly scale: number;
  /** The place at which a moved card would be dropped. */
  readonly target: GraphPlace | undefined;
  readonly onInsert: (place: GraphPlace) => void;
}

/** A button on each line, at which a step is inserted. The key + does the same behind the card with the focus. */
export function InsertButtons({ layout, cards, scale, target, onInsert }: InsertButtonsProps) {
  const t = useTranslations("workflowGraph");
  const nameOf = (key: string | undefined) => (key && cards.get(key)?.name) || "";
  return layout.places.map((place) => {
    const { x, y, list, index, before, after } = place;
    const label =
      before === undefined
        ? t("insertBehind", { name: nameOf(after) })
        : t("insertBefore", { name: nameOf(before) });
    return (
      <button
        key={`${list} ${index}`}
        type="button"
        tabIndex={-1}
        aria-label={label}
        title={label}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={() => onInsert(place)}
        style={{ left: x * scale, top: y * scale }}
        className="group/insert absolute -mt-3 -ml-3 grid size-6 place-items-center"
      >
        <span
          className={classes(
            "grid size-4.5 place-items-center rounded-full border bg-surface group-hover/insert:border-accent group-hover/insert:bg-accent group-hover/insert:text-accent-ink",
            place === target
              ? "border-accent bg-accent text-accent-ink outline-4 outline-accent-soft"
              : "border-line-strong text-ink-2",
          )}
        >
          <Plus size={12} aria-hidden="true" />
        </span>
      </button>
    );
  });
}
