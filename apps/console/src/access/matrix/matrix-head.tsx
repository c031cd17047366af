import { useTranslations } from "use-intl";
import { actionMethods, type Role } from "../access-queries.ts";
import { actionIcons } from "./cell-mark.tsx";
import { groupSize, groupWidth, headHeight, ownGroups } from "./matrix-layout.ts";
import type { MatrixWords } from "./use-matrix-words.ts";

interface MatrixHeadProps {
  readonly roles: readonly Role[];
  readonly words: MatrixWords;
  readonly nameWidth: number;
  readonly firstGroup: number;
  readonly endGroup: number;
}

/** The heads of the matrix: the exposure and the roles, below each its actions. */
export function MatrixHead({ roles, words, nameWidth, firstGroup, endGroup }: MatrixHeadProps) {
  const t = useTranslations("access");
  const groups: number[] = [];
  for (let group = firstGroup; group < endGroup; group += 1) groups.push(group);
  const style = (group: number) => ({ left: nameWidth + group * groupWidth, width: groupWidth });
  return (
    <div
      role="rowgroup"
      className="sticky top-0 z-20 border-line border-b bg-surface text-2 text-ink-2"
      style={{ height: headHeight }}
    >
      <div role="row" tabIndex={-1} aria-rowindex={1} className="absolute inset-x-0 top-0 h-8">
        <div
          role="columnheader"
          tabIndex={-1}
          aria-rowspan={2}
          aria-colindex={1}
          className="sticky left-0 z-10 flex items-end border-line border-r bg-surface px-3 pb-1.5 font-medium"
          style={{ width: nameWidth, height: headHeight - 1 }}
        >
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
      <div role="row" tabIndex={-1} aria-rowindex={2} className="absolute inset-x-0 top-8 h-7">
        {groups.map((group) => (
          <div
            key={group}
            role="presentation"
            className="absolute inset-y-0 flex border-line border-l"
            style={style(group)}
          >
            {actionMethods.map(({ action, method }, slot) => {
              const Icon = actionIcons[action];
              const label =
                group < ownGroups ? t("matrix.method", { method }) : words.actions[action];
              return (
                <div
                  key={action}
                  role="columnheader"
                  tabIndex={-1}
                  aria-colindex={group * groupSize + slot + 2}
                  title={label}
                  className="relative grid w-8 shrink-0 place-items-center text-ink-3"
                >
                  <Icon size={13} aria-hidden="true" />
                  <span className="sr-only">{label}</span>
                </div>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
