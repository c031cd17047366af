import { useState } from "react";
import { useTranslations } from "use-intl";
import type { GridColumn } from "../../../records/grid/grid-column.ts";
import type { Row } from "../../../records/model/resource.ts";
import type { GridRow } from "../../../records/rows/row-store.ts";
import type { RowChanges } from "../../../records/rows/use-row-changes.ts";
import { orderAt } from "./card-order.ts";
import type { BoardColumn } from "./use-board.ts";

/** The column and the place in it to which a card is moved. */
export interface CardPlace {
  readonly column: BoardColumn;
  /** Among the other cards of the column; undefined where the order of cards is not set by hand. */
  readonly position?: number | undefined;
}

interface MoveParts {
  readonly changes: RowChanges;
  readonly group: GridColumn | undefined;
  /** The field that holds the order of the cards, if it can be set. */
  readonly order: GridColumn | undefined;
  readonly setMoving: (change: (last: Moving) => Moving) => void;
}

/** Columns in which cards are shown while their writes run, by the ids of the cards. */
export type Moving = ReadonlyMap<string, string>;

/** Moves cards. A card whose move is refused stands where it was, and the page says why. */
export function useMoves({ changes, group, order, setMoving }: MoveParts) {
  const t = useTranslations("dataView");
  const [said, setSaid] = useState("");
  const move = async (
    row: GridRow,
    from: BoardColumn,
    { column, position }: CardPlace,
    names: { readonly card: string; readonly column: string },
  ): Promise<boolean> => {
    if (group === undefined || row.key === null) return false;
    const others = column.rows.filter(({ id }) => id !== row.id);
    const after: Row = {
      ...(from.key === column.key ? {} : { [group.name]: column.group.value ?? null }),
      ...(order === undefined || position === undefined
        ? {}
        : { [order.name]: orderAt(order, others, position) }),
    };
    if (Object.keys(after).length === 0) return false;
    setMoving((last) => new Map([...last, [row.id, column.key]]));
    setSaid(t("moving", names));
    const isWritten = await changes.write({ changes: [{ row, after }] });
    setMoving((last) => new Map([...last].filter(([id]) => id !== row.id)));
    setSaid(t(isWritten ? "moved" : "notMoved", names));
    return isWritten;
  };
  return { move, said };
}
