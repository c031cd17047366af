import { memo, useMemo } from "react";
import { useTranslations } from "use-intl";
import { type ResourceEntry, resourceName } from "../../shell/resource-queries.ts";
import { classes } from "../../ui/classes.ts";
import { LoaderCircle, Lock } from "../../ui/icons.generated.ts";
import { actionMethods, grantKey, type Role } from "../model/grant-queries.ts";
import { methodKey } from "../model/use-exposure.ts";
import { CellMark, cellState, type GrantIndex } from "./cell-mark.tsx";
import { activeClasses, SelectBox } from "./matrix-head.tsx";
import {
  cellWidth,
  groupSize,
  groupWidth,
  headIndex,
  ownGroups,
  rowHeight,
} from "./matrix-layout.ts";

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
  /** Keys of the methods and grants that are not yet stored. */
  readonly pending: ReadonlySet<string>;
  readonly isSelected: boolean;
  /** The active column; undefined if the active cell is in another row. */
  readonly activeColumn: number | undefined;
}

/** A resource with its exposure and the grants of each drawn role. */
export const MatrixRow = memo(function MatrixRow(props: MatrixRowProps) {
  const { resource, position, words, nameWidth, activeColumn, isSelected } = props;
  const name = resourceName(resource);
  const cell = (column: number, text: string, isPending: boolean, mark: React.ReactNode) => {
    const label = isPending ? `${text} · ${words.pending}` : text;
    return (
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
          "relative grid shrink-0 cursor-pointer place-items-center rounded-control hover:bg-sunken",
          column === activeColumn && activeClasses,
        )}
        style={{ width: cellWidth }}
      >
        <span className={classes("grid place-items-center", isPending && "opacity-50")}>
          {mark}
        </span>
        {isPending && <PendingMark />}
      </div>
    );
  };
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
            const isPending = props.pending.has(methodKey(resource.id, method));
            return cell(column, label, isPending, <MethodMark isExposed={isExposed} />);
          }
          const key = grantKey(resource.id, role.id, action);
          const state = cellState(props.grants.get(key));
          const isShut = state !== "NONE" && !isExposed;
          const label = `${name} · ${role.name} · ${words.actions[action]}: ${(action === "CREATE" ? words.newStates : words.states)[state]}${isShut ? ` · ${words.shut}` : ""}`;
          const isPending = props.pending.has(key);
          return cell(column, label, isPending, <CellMark state={state} isShut={isShut} />);
        })}
      </div>,
    );
  }
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={position + 3}
      aria-selected={isSelected}
      data-row={position}
      className={classes("absolute inset-x-0 border-line border-b", isSelected && "bg-accent-soft")}
      style={{ top: position * rowHeight, height: rowHeight }}
    >
      <div
        role="rowheader"
        tabIndex={-1}
        aria-colindex={1}
        title={resource.label === null ? name : `${name} · ${resource.label}`}
        data-select={position}
        className={classes(
          "sticky left-0 z-10 flex h-full cursor-pointer items-center gap-2 border-line border-r px-3",
          isSelected ? "bg-accent-soft" : "bg-surface",
        )}
        style={{ width: nameWidth }}
      >
        <SelectBox
          id={`${props.gridId}-${position}-${headIndex}`}
          label={words.select(name)}
          isChecked={isSelected}
          isActive={activeColumn === headIndex}
        />
        <span dir="auto" className="min-w-0 truncate">
          <span className="text-ink-2 max-sm:hidden">{resource.schema}.</span>
          {resource.name}
        </span>
        {resource.label !== null && (
          <span dir="auto" className="min-w-0 flex-1 truncate text-2 text-ink-3 max-sm:hidden">
            {resource.label}
          </span>
        )}
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

/** A change that is on its way. */
function PendingMark() {
  return (
    <LoaderCircle
      size={12}
      aria-hidden="true"
      className="absolute top-0.5 right-0.5 animate-spin text-accent motion-reduce:animate-none"
    />
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
      newStates: {
        NONE: t("state.NONE"),
        FIELDS: t("newState.FIELDS"),
        ROWS: t("newState.ROWS"),
        BOTH: t("newState.BOTH"),
        ALL: t("newState.ALL"),
        LOST: t("state.LOST"),
      },
      shut: t("matrix.shut"),
      pending: t("bulk.pending"),
      select: (name: string) => t("bulk.select", { name }),
    };
  }, [t]);
}
