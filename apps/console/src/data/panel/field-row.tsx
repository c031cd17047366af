import { ChevronRight } from "lucide-react";
import { useTranslations } from "use-intl";
import { type Row, referenceOf, titleOf } from "../../records/model/resource.ts";
import { CellValue } from "../../records/values/cell-value.tsx";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { FieldEditor } from "./field-editor.tsx";
import type { PushRecord } from "./record-path.ts";

interface FieldRowProps {
  readonly column: NavigationColumn;
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly row: Row;
  readonly value: unknown;
  /** Whether the value is one of a row that does not exist yet. */
  readonly isNew: boolean;
  readonly isLocked: boolean;
  /** Whether the form begins here; the editor then has the focus. */
  readonly isFirst?: boolean;
  readonly fault: string | undefined;
  /** Null where no other record can be opened. */
  readonly onPush: PushRecord | null;
  readonly onChange: (value: unknown) => void;
}

/** A column's name and the editor of its value. */
export function FieldRow(props: FieldRowProps) {
  const t = useTranslations("record");
  const { column, resource, resources, value, isLocked, fault, onPush } = props;
  const title = titleOf(column);
  const reference = referenceOf(resource, column);
  const target = resources.find(({ id }) => id === reference?.resource.id);
  return (
    <div className="grid min-h-8 grid-cols-[minmax(0,116px)_minmax(0,1fr)] items-start gap-2">
      <span className="truncate py-1.5 text-ink-2" title={column.description ?? title} dir="auto">
        {title}
        {props.isNew && column.required && (
          <span className="text-danger" title={t("required")}>
            {" *"}
          </span>
        )}
      </span>
      <div className="flex min-w-0 items-start gap-1">
        <div className="min-w-0 flex-1">
          {isLocked ? (
            <div className="flex min-h-7 items-center px-2 py-1.5">
              <CellValue column={column} value={value} />
            </div>
          ) : (
            <FieldEditor
              resource={resource}
              column={column}
              target={target}
              row={props.row}
              isNew={props.isNew}
              autoFocus={props.isFirst === true}
              value={value}
              fault={fault}
              onChange={props.onChange}
            />
          )}
        </div>
        {onPush !== null && target !== undefined && value !== null && value !== undefined && (
          <button
            type="button"
            aria-label={t("openRelated", { name: title })}
            onClick={() => onPush(target, [String(value)])}
            className="grid size-7 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-accent"
          >
            <ChevronRight size={15} aria-hidden="true" />
          </button>
        )}
      </div>
    </div>
  );
}
