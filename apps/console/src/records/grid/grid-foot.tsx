import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { boxWidth, type PlacedColumn } from "./grid-column.ts";

/** What a grid says of whole columns, below them and always in view. */
export function GridFoot(props: {
  /** By the names of the columns. */
  readonly foot: ReadonlyMap<string, ReactNode>;
  readonly placed: readonly PlacedColumn[];
  readonly rowIndex: number;
}) {
  const t = useTranslations("grid");
  return (
    <div role="rowgroup" className="sticky bottom-0 z-3 h-8 border-line border-t bg-canvas">
      <div
        role="row"
        aria-rowindex={props.rowIndex}
        tabIndex={-1}
        data-foot
        className="relative h-full bg-canvas"
      >
        <div
          role="gridcell"
          aria-colindex={1}
          aria-label={t("summary.label")}
          tabIndex={-1}
          className="sticky left-0 z-1 float-left h-full border-line border-r bg-canvas"
          style={{ width: boxWidth }}
        />
        {props.placed.map(({ item, index, left }) => (
          <div
            key={item.name}
            role="gridcell"
            aria-colindex={index + 2}
            tabIndex={-1}
            className={classes(
              "top-0 flex h-full items-center border-line border-r bg-canvas px-2.25 font-medium",
              item.isPinned ? "sticky z-1 float-left" : "absolute",
              item.isNumeric && "justify-end",
            )}
            style={{ left, width: item.width }}
          >
            {props.foot.get(item.name)}
          </div>
        ))}
      </div>
    </div>
  );
}
