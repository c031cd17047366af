import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { recordPath } from "../../../records/model/record-path.ts";
import { titleOf } from "../../../records/model/resource.ts";
import type { GridRow } from "../../../records/rows/row-store.ts";
import { CellValue } from "../../../records/values/cell-value.tsx";
import { AppLink } from "../../../shell/app-link.tsx";
import type { NavigationResource } from "../../../shell/navigation.ts";
import { ExternalLink, List, Pencil, Plus } from "../../../ui/icons.generated.ts";
import { Notice } from "../../../ui/notice.tsx";
import { ToolButton, toolClasses } from "../../../ui/tool-button.tsx";
import type { FormSection } from "./form-draft.ts";

interface SavedRowProps {
  readonly resource: NavigationResource;
  readonly sections: readonly FormSection[];
  readonly row: GridRow;
  readonly isNew: boolean;
  /** Null where the row cannot be changed by this form. */
  readonly onChange: (() => void) | null;
  /** Null where the form creates no rows. */
  readonly onNew: (() => void) | null;
  /** Null where the form has no list of rows. */
  readonly onList: (() => void) | null;
}

/** The row that was saved, and what one may do next. */
export function SavedRow(props: SavedRowProps) {
  const { resource, sections, row, isNew } = props;
  const t = useTranslations("viewForm");
  const place = useRef<HTMLElement>(null);
  // The button that saved is gone.
  useEffect(() => place.current?.focus(), []);
  const wanted = sections.flatMap(({ fields }) => fields.map(({ field }) => field));
  const columns = resource.columns.filter(
    ({ name }) =>
      name in row.values && (wanted.includes(name) || resource.primaryKey.includes(name)),
  );
  return (
    <section
      ref={place}
      tabIndex={-1}
      aria-label={t(isNew ? "created" : "saved")}
      className="grid max-w-160 gap-4 outline-none"
    >
      <Notice kind="ok">{t(isNew ? "created" : "saved")}</Notice>
      <dl className="grid grid-cols-[minmax(0,10rem)_minmax(0,1fr)] gap-x-4 gap-y-1.5 rounded-panel border border-line bg-surface p-4">
        {columns.map((column) => (
          <div key={column.name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="truncate text-ink-2" dir="auto" title={titleOf(column)}>
              {titleOf(column)}
            </dt>
            <dd className="flex min-w-0">
              <CellValue column={column} value={row.values[column.name]} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        {props.onNew !== null && (
          <ToolButton kind="primary" onClick={props.onNew}>
            <Plus size={15} aria-hidden="true" />
            {t("another")}
          </ToolButton>
        )}
        {props.onChange !== null && (
          <ToolButton onClick={props.onChange}>
            <Pencil size={14} aria-hidden="true" />
            {t("change")}
          </ToolButton>
        )}
        {row.key !== null && (
          <AppLink
            href={`/app/records/${recordPath(resource, row.key)}`}
            className={toolClasses("plain")}
          >
            <ExternalLink size={14} aria-hidden="true" />
            {t("open")}
          </AppLink>
        )}
        {props.onList !== null && (
          <ToolButton onClick={props.onList}>
            <List size={14} aria-hidden="true" />
            {t("list")}
          </ToolButton>
        )}
      </div>
    </section>
  );
}
