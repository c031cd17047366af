import { useTranslations } from "use-intl";
import {
  keyOf,
  labelColumn,
  type Row,
  readableColumns,
  titleOf,
} from "../../../records/model/resource.ts";
import { CellValue } from "../../../records/values/cell-value.tsx";
import type { NavigationResource } from "../../../shell/navigation.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ChevronRight } from "../../../ui/icons.generated.ts";
import { ToolButton } from "../../../ui/tool-button.tsx";

const shownColumns = 3;

interface RowChoiceProps {
  readonly resource: NavigationResource;
  readonly rows: readonly Row[];
  readonly onMore: (() => void) | null;
  readonly onChoose: (row: Row) => void;
}

/** The rows of a form, one of which is opened to change it. */
export function RowChoice({ resource, rows, onMore, onChoose }: RowChoiceProps) {
  const t = useTranslations("viewForm");
  const label = labelColumn(resource);
  const [first] = rows;
  const columns = readableColumns(resource)
    .filter(({ name }) => first !== undefined && name in first && name !== label?.name)
    .slice(0, shownColumns);
  if (first === undefined) return <EmptyState title={t("noRows")} />;
  return (
    <div className="grid gap-3">
      <ul
        aria-label={titleOf(resource)}
        className="max-w-200 rounded-panel border border-line bg-surface"
      >
        {rows.map((row, index) => {
          const key = keyOf(resource, row);
          return (
            <li
              key={key === null ? index : JSON.stringify(key)}
              className="border-line border-b last:border-b-0"
            >
              <button
                type="button"
                disabled={key === null}
                onClick={() => onChoose(row)}
                className="flex min-h-10 w-full min-w-0 items-center gap-3 rounded-control px-3 py-1.5 text-left hover:bg-sunken focus-visible:outline-offset-[-2px]"
              >
                <span className="grid min-w-0 flex-1 gap-0.5">
                  <span className="flex min-w-0 font-medium">
                    {label !== undefined && label.name in row ? (
                      <CellValue column={label} value={row[label.name]} />
                    ) : (
                      key?.join(", ")
                    )}
                  </span>
                  <span className="flex min-w-0 gap-3 overflow-hidden text-2 text-ink-2">
                    {columns.map((column) => (
                      <span key={column.name} className="flex min-w-0 max-w-1/2">
                        <CellValue column={column} value={row[column.name]} />
                      </span>
                    ))}
                  </span>
                </span>
                <ChevronRight size={16} aria-hidden="true" className="shrink-0 text-ink-3" />
              </button>
            </li>
          );
        })}
      </ul>
      {onMore !== null && (
        <div>
          <ToolButton onClick={onMore}>{t("more")}</ToolButton>
        </div>
      )}
    </div>
  );
}
