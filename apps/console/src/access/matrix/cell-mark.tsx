import type { ComponentType } from "react";
import {
  Check,
  Columns3,
  Eye,
  Filter,
  ListFilter,
  Pencil,
  Plus,
  Trash2,
  TriangleAlert,
} from "../../ui/icons.generated.ts";
import type { Action } from "../access-queries.ts";
import type { CellState } from "./cell-state.ts";

type Icon = ComponentType<{ readonly size: number; readonly "aria-hidden": "true" }>;

/** The icon of each action, and of the method that it needs. */
export const actionIcons: Readonly<Record<Action, Icon>> = {
  READ: Eye,
  CREATE: Plus,
  UPDATE: Pencil,
  DELETE: Trash2,
};

const marks: Readonly<
  Record<Exclude<CellState, "NONE">, { readonly Icon: Icon; readonly look: string }>
> = {
  ALL: { Icon: Check, look: "bg-ok-soft text-ok" },
  FIELDS: { Icon: Columns3, look: "bg-accent-soft text-accent" },
  ROWS: { Icon: Filter, look: "bg-accent-soft text-accent" },
  BOTH: { Icon: ListFilter, look: "bg-accent-soft text-accent" },
  LOST: { Icon: TriangleAlert, look: "bg-warn-soft text-warn" },
};

/** The states that the legend explains, in its order. */
export const markedStates = Object.keys(marks) as readonly (keyof typeof marks)[];

/**
 * The mark of a cell.
 *
 * @param props.isShut whether the resource does not accept the action at present
 */
export function CellMark({
  state,
  isShut,
}: {
  readonly state: CellState;
  readonly isShut: boolean;
}) {
  if (state === "NONE") {
    return <span aria-hidden="true" className="size-1 rounded-full bg-line-strong" />;
  }
  const { Icon, look } = marks[state];
  return (
    <span
      className={`grid size-6 place-items-center rounded-control ${isShut && state !== "LOST" ? "border border-line-strong border-dashed text-ink-2" : look}`}
    >
      <Icon size={14} aria-hidden="true" />
    </span>
  );
}
