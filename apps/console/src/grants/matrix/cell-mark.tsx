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
import { type Action, type Grant, grantKey } from "../model/grant-queries.ts";

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

/** What a role may do with a resource by its grant for one action. */
type CellState = "NONE" | "FIELDS" | "ROWS" | "BOTH" | "ALL" | "LOST";

/** Whether a grant covers a part of the rows only: by its row filter, or for new rows by its check. */
function hasRowFilter({ action, rowFilter, check }: Grant): boolean {
  const isGiven = (filter: unknown) => filter !== null && filter !== undefined;
  if (action === "CREATE") return isGiven(check) || isGiven(rowFilter);
  return isGiven(rowFilter) || (action === "UPDATE" && isGiven(check));
}

/** Returns the state of a cell. A grant that lost a column allows nothing. */
export function cellState(grant: Grant | undefined): CellState {
  if (grant === undefined) return "NONE";
  if (!grant.effective) return "LOST";
  const isSome = grant.fields !== null && grant.action !== "DELETE";
  if (hasRowFilter(grant)) return isSome ? "BOTH" : "ROWS";
  return isSome ? "FIELDS" : "ALL";
}

/** The grants of the matrix by resource, role and action. */
export type GrantIndex = ReadonlyMap<string, Grant>;

export function indexGrants(grants: readonly Grant[]): GrantIndex {
  return new Map(
    grants.map((grant) => [grantKey(grant.resourceId, grant.roleId, grant.action), grant]),
  );
}
