import type { HistoryChange, HistoryEntry } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import type { NavigationColumn } from "../../shell/navigation.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowRight, Undo2 } from "../../ui/icons.generated.ts";
import { isEqual } from "../model/is-equal.ts";
import { titleOf } from "../model/resource.ts";
import type { GridRow } from "../rows/row-store.ts";
import { CellValue } from "../values/cell-value.tsx";

interface ChangedFieldProps {
  readonly action: HistoryEntry["action"];
  readonly change: HistoryChange;
  readonly column: NavigationColumn;
  readonly row: GridRow | undefined;
  readonly isBusy: boolean;
  readonly onPutBack: (base: GridRow) => void;
}

/** The values of a field before and after a change. The earlier one of an update can be put back. */
export function ChangedField(props: ChangedFieldProps) {
  const { action, change, column, row, isBusy, onPutBack } = props;
  const t = useTranslations("record");
  const name = titleOf(column);
  const isPresent = row !== undefined && isEqual(row.values[column.name], change.old);
  const mayPutBack = row !== undefined && row.key !== null && column.updatable;
  return (
    <li className="grid min-h-7 grid-cols-[minmax(0,116px)_minmax(0,1fr)_auto] items-center gap-2">
      <span className="truncate text-ink-2" title={name} dir="auto">
        {name}
      </span>
      <span className="flex min-w-0 flex-wrap items-center gap-x-1.5">
        {action !== "CREATE" && (
          <span className="flex min-w-0 max-w-full text-ink-2">
            <CellValue column={column} value={change.old} />
          </span>
        )}
        {action !== "DELETE" && (
          <span className="flex min-w-0 max-w-full items-center gap-x-1.5">
            {action === "UPDATE" && (
              <ArrowRight
                size={14}
                role="img"
                aria-label={t("became")}
                className="shrink-0 text-ink-3"
              />
            )}
            <CellValue column={column} value={change.new} />
          </span>
        )}
      </span>
      {action === "UPDATE" && !isPresent ? (
        <IconButton
          label={mayPutBack ? t("putBack", { name }) : t("cannotPutBack", { name })}
          icon={Undo2}
          isSmall
          isDisabled={isBusy}
          onPress={mayPutBack ? () => onPutBack(row) : null}
        />
      ) : (
        <span className="w-6" />
      )}
    </li>
  );
}
