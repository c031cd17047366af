import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { actionMethods, type Role } from "../model/grant-queries.ts";
import { actionIcons } from "./cell-mark.tsx";
import {
  type CellPosition,
  cellWidth,
  groupSize,
  groupWidth,
  headHeight,
  headIndex,
  ownGroups,
  roleHeadHeight,
} from "./matrix-layout.ts";

interface MatrixHeadProps {
  readonly gridId: string;
  readonly roles: readonly Role[];
  readonly nameWidth: number;
  readonly firstGroup: number;
  readonly endGroup: number;
  readonly active: CellPosition;
  /** Of the shown rows, how many are selected. */
  readonly selection: "NONE" | "SOME" | "ALL";
}

/** The look of the part of a head or row that the keys of the matrix act on. */
export const activeClasses =
  "group-focus/matrix:outline-2 group-focus/matrix:-outline-offset-2 group-focus/matrix:outline-accent";

/** The heads of the matrix: the exposure and the roles, below each its actions, whose menus set all shown rows. */
export function MatrixHead(props: MatrixHeadProps) {
  const { gridId, roles, nameWidth, firstGroup, endGroup, active, selection } = props;
  const t = useTranslations("access");
  const groups: number[] = [];
  for (let group = firstGroup; group < endGroup; group += 1) groups.push(group);
  const style = (group: number) => ({ left: nameWidth + group * groupWidth, width: groupWidth });
  const isActive = (column: number) => active.row === headIndex && active.column === column;
  return (
    <div
      role="rowgroup"
      className="sticky top-0 z-20 border-line border-b bg-surface text-2 text-ink-2"
      style={{ height: headHeight }}
    >
      <div
        role="row"
        tabIndex={-1}
        aria-rowindex={1}
        className="absolute inset-x-0 top-0"
        style={{ height: roleHeadHeight }}
      >
        <div
          role="columnheader"
          tabIndex={-1}
          aria-rowspan={2}
          aria-colindex={1}
          data-select={headIndex}
          className="sticky left-0 z-10 flex cursor-pointer items-end gap-2 border-line border-r bg-surface px-3 pb-2 font-medium"
          style={{ width: nameWidth, height: headHeight - 1 }}
        >
          <SelectBox
            id={`${gridId}-${headIndex}-${headIndex}`}
            label={t("bulk.selectAll")}
            isChecked={selection === "ALL"}
            isMixed={selection === "SOME"}
            isActive={isActive(headIndex)}
          />
          {t("matrix.resource")}
        </div>
        {groups.map((group) => {
          const role = roles[group - ownGroups];
          const name = role?.name ?? t("matrix.exposure");
          const note = role?.apiAccess === false ? t("matrix.noAccess", { name }) : undefined;
          return (
            <div
              key={group}
              role="columnheader"
              tabIndex={-1}
              aria-colindex={group * groupSize + 2}
              aria-colspan={groupSize}
              aria-label={note}
              title={note ?? name}
              dir="auto"
              className="absolute inset-y-0 truncate border-line border-l px-2 pt-2 font-medium text-ink"
              style={style(group)}
            >
              {note === undefined ? name : <s>{name}</s>}
            </div>
          );
        })}
      </div>
      <div
        role="row"
        tabIndex={-1}
        aria-rowindex={2}
        className="absolute inset-x-0 bottom-0"
        style={{ top: roleHeadHeight }}
      >
        {groups.map((group) => (
          <div
            key={group}
            role="presentation"
            className="absolute inset-y-0 flex border-line border-l"
            style={style(group)}
          >
            {actionMethods.map(({ action, method }, slot) => {
              const Icon = actionIcons[action];
              const column = group * groupSize + slot;
              const word = t(`matrix.head.${action}`);
              const role = roles[group - ownGroups];
              return (
                <div
                  key={action}
                  role="columnheader"
                  tabIndex={-1}
                  aria-colindex={column + 2}
                  className="shrink-0"
                  style={{ width: cellWidth }}
                >
                  <button
                    id={`${gridId}-${headIndex}-${column}`}
                    type="button"
                    tabIndex={-1}
                    aria-haspopup="menu"
                    aria-label={
                      role === undefined
                        ? t("bulk.methodHead", { word, method })
                        : t("bulk.actionHead", { word, role: role.name })
                    }
                    title={
                      role === undefined
                        ? t("bulk.methodHead", { word, method })
                        : t("bulk.headHint")
                    }
                    data-column={column}
                    className={classes(
                      "grid size-full content-center justify-items-center gap-0.5 rounded-control hover:bg-sunken hover:text-ink",
                      isActive(column) && activeClasses,
                    )}
                  >
                    <Icon size={13} aria-hidden="true" />
                    <span className="max-w-full truncate text-1 leading-4">{word}</span>
                  </button>
                </div>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The box that selects rows. The matrix handles the press. */
export function SelectBox(props: {
  readonly id: string;
  readonly label: string;
  readonly isChecked: boolean;
  readonly isMixed?: boolean;
  readonly isActive: boolean;
}) {
  const { isMixed = false } = props;
  return (
    <input
      ref={(box) => {
        if (box !== null) box.indeterminate = isMixed;
      }}
      id={props.id}
      type="checkbox"
      tabIndex={-1}
      readOnly
      checked={props.isChecked}
      aria-label={props.label}
      className={classes(
        "size-4 shrink-0 cursor-pointer accent-accent",
        props.isActive && activeClasses,
      )}
    />
  );
}
