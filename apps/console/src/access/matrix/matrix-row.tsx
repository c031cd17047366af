import { memo, useMemo } from "react";
import { useTranslations } from "use-intl";
import { type ResourceEntry, resourceName } from "../../shell/resource-queries.ts";
import { classes } from "../../ui/classes.ts";
import { Lock } from "../../ui/icons.generated.ts";
import { actionMethods, type Role } from "../access-queries.ts";
import { CellMark, cellState, type GrantIndex, grantKey } from "./cell-mark.tsx";
import { groupSize, groupWidth, ownGroups, rowHeight } from "./matrix-layout.ts";

interface MatrixRowProps {
  readonly gridId: string;
  readonly resource: ResourceEntry;
  readonly position: number;
  readonly roles: readonly Role[];
  readonly grants: GrantIndex;
  readonly words: MatrixWords;
  readonly nameWidth: number;
  /** The groups that are drawn; the end is not included. */
  readonly firstGroup: number;
  readonly endGroup: number;
  /** The active column, or -1 if the active cell is in another row. */
  readonly activeColumn: number;
}

/** A resource with its exposure and the grants of each drawn role. */
export const MatrixRow = memo(function MatrixRow(props: MatrixRowProps) {
  const { resource, position, words, nameWidth, activeColumn } = props;
  const name = resourceName(resource);
  const cell = (column: number, label: string, mark: React.ReactNode) => (
    <div
      key={column}
      id={`${props.gridId}-${position}-${column}`}
      role="gridcell"
      tabIndex={-1}
      aria-colindex={column + 2}
      aria-label={label}
      title={label}
      data-column={column}
      className={classes(
        "grid w-8 shrink-0 cursor-pointer place-items-center rounded-control hover:bg-sunken",
        column === activeColumn &&
          "group-focus/matrix:outline-2 group-focus/matrix:-outline-offset-2 group-focus/matrix:outline-accent",
      )}
    >
      {mark}
    </div>
  );
  const groups = [];
  for (let group = props.firstGroup; group < props.endGroup; group += 1) {
    const role = props.roles[group - ownGroups];
    groups.push(
      <div
        key={group}
        role="presentation"
        className="absolute inset-y-0 flex border-line border-l"
        style={{ left: nameWidth + group * groupWidth, width: groupWidth }}
      >
        {actionMethods.map(({ action, method }, slot) => {
          const column = group * groupSize + slot;
          const isExposed = resource.exposedMethods.includes(method);
          if (role === undefined) {
            const label = `${name} · ${words.methods[method][isExposed ? "open" : "shut"]}`;
            return cell(column, label, <MethodMark isExposed={isExposed} />);
          }
          const state = cellState(props.grants.get(grantKey(resource.id, role.id, action)));
          const isShut = state !== "NONE" && !isExposed;
          const label = `${name} · ${role.name} · ${words.actions[action]}: ${words.states[state]}${isShut ? ` · ${words.shut}` : ""}`;
          return cell(column, label, <CellMark state={state} isShut={isShut} />);
        })}
      </div>,
    );
  }
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={position + 3}
      data-row={position}
      className="absolute inset-x-0 border-line border-b"
      style={{ top: position * rowHeight, height: rowHeight }}
    >
      <div
        role="rowheader"
        tabIndex={-1}
        aria-colindex={1}
        title={name}
        dir="auto"
        className="sticky left-0 z-10 flex h-full items-center border-line border-r bg-surface px-3"
        style={{ width: nameWidth }}
      >
        <span className="min-w-0 truncate">
          <span className="text-ink-2 max-sm:hidden">{resource.schema}.</span>
          {resource.name}
        </span>
      </div>
      {groups}
    </div>
  );
});

/** Whether a resource accepts a method: open, or locked. */
function MethodMark({ isExposed }: { readonly isExposed: boolean }) {
  if (!isExposed) return <Lock size={13} aria-hidden="true" className="text-ink-3" />;
  return (
    <span className="grid h-5 w-6 place-items-center rounded-full bg-ok-soft">
      <span aria-hidden="true" className="size-2 rounded-full bg-ok" />
    </span>
  );
}

/** The texts of the cells, looked up once for thousands of them. */
export type MatrixWords = ReturnType<typeof useMatrixWords>;

/** Returns the texts of the cells in the language of the pages. */
export function useMatrixWords() {
  const t = useTranslations("access");
  return useMemo(() => {
    const method = (name: string) => ({
      open: t("matrix.accepts", { method: name }),
      shut: t("matrix.refuses", { method: name }),
    });
    return {
      methods: {
        GET: method("GET"),
        POST: method("POST"),
        PATCH: method("PATCH"),
        DELETE: method("DELETE"),
      },
      actions: {
        READ: t("action.READ"),
        CREATE: t("action.CREATE"),
        UPDATE: t("action.UPDATE"),
        DELETE: t("action.DELETE"),
      },
      states: {
        NONE: t("state.NONE"),
        FIELDS: t("state.FIELDS"),
        ROWS: t("state.ROWS"),
        BOTH: t("state.BOTH"),
        ALL: t("state.ALL"),
        LOST: t("state.LOST"),
      },
      shut: t("matrix.shut"),
    };
  }, [t]);
}
