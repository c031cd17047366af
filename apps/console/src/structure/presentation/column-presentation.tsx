import { wordsOfName } from "@rowhouse/access/written-name";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { Row } from "../../records/model/resource.ts";
import { CellValue } from "../../records/values/cell-value.tsx";
import { AppLink } from "../../shell/app-link.tsx";
import { LockedFields } from "../../shell/managed.tsx";
import { classes, linkClasses } from "../../ui/classes.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ChevronDown, ChevronUp } from "../../ui/icons.generated.ts";
import { inputLook, LineField } from "../columns/line-field.tsx";
import { structurePath } from "../model/paths.ts";
import type { ResourceColumn } from "../model/queries.ts";
import { ColorFields } from "./color-fields.tsx";
import { createFormat, formatsOf, type Presentation, shownColumn } from "./format-choices.ts";
import { FormatFields, sampleFormat } from "./format-fields.tsx";
import type { PresentationDraft } from "./use-presentation.ts";

/** The columns of the table of presentations. */
export const presentationGrid =
  "grid grid-cols-[minmax(0,1fr)_1.75rem] items-center gap-x-3 gap-y-1.5 sm:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_9rem_minmax(0,2fr)_1.75rem]";

interface ColumnPresentationProps {
  readonly column: ResourceColumn;
  readonly draft: PresentationDraft;
  readonly isLocked: boolean;
  /** A row for the live sample. */
  readonly row: Row | undefined;
}

/** A column in one line: label, format, and a value as it will look; options and colors open below. */
export function ColumnPresentation({ column, draft, isLocked, row }: ColumnPresentationProps) {
  const t = useTranslations("presentation");
  const { name, source } = column;
  const edit = draft.columns[name] ?? {};
  const { label, format, colors, relationName } = { ...column, ...edit };
  const shape = shownColumn(column, { format: sampleFormat(format), colors });
  const faults = (["label", "format", "colors", "relationName"] as const).flatMap(
    (field) => draft.columnFault(name, field) ?? [],
  );
  const [isWanted, open] = useState(false);
  const isOpen = isWanted || faults.length > 0;
  const set = (change: Partial<Presentation>) => draft.editColumn(name, change);
  const formats = formatsOf(shape, column.isFile);
  return (
    <li
      className={classes(
        "border-line border-b px-3 py-1.5 last:border-b-0",
        Object.keys(edit).length > 0 && "bg-accent-soft",
      )}
    >
      <div className={presentationGrid}>
        <span className="grid min-w-0" title={`${name} ${column.dataType}`}>
          <span className="truncate font-mono text-2" dir="auto">
            {name}
          </span>
        </span>
        {source === null && (
          <span className="sm:order-last">
            <IconButton
              label={t(isOpen ? "closeDetails" : "openDetails", { name })}
              icon={isOpen ? ChevronUp : ChevronDown}
              onPress={() => open(!isOpen)}
            />
          </span>
        )}
        {source === null ? (
          <LockedFields isLocked={isLocked}>
            <input
              type="text"
              aria-label={t("labelOf", { name })}
              placeholder={wordsOfName(name)}
              value={label ?? ""}
              autoComplete="off"
              dir="auto"
              aria-invalid={draft.columnFault(name, "label") !== undefined}
              onChange={({ target }) => set({ label: target.value || null })}
              className={classes(
                inputLook.replace("font-mono text-2", "text-3"),
                "max-sm:col-start-1",
              )}
            />
            <select
              aria-label={t("formatOf", { name })}
              value={format?.type ?? ""}
              onChange={({ target: { value } }) => {
                const type = formats.find((one) => one === value);
                set({ format: type === undefined ? null : createFormat(type) });
                if (type !== undefined) open(true);
              }}
              className="h-7 min-w-0 rounded-control border border-line-input bg-surface px-1.5 text-ink max-sm:col-start-1"
            >
              <option value="">{t("usual")}</option>
              {formats.map((value) => (
                <option key={value} value={value}>
                  {t(column.isFile && value === "image" ? "picture" : `formats.${value}`)}
                </option>
              ))}
            </select>
          </LockedFields>
        ) : (
          <span className="min-w-0 text-2 text-ink-2 wrap-anywhere sm:col-span-2">
            {label !== null && <bdi className="text-3 text-ink">{label} </bdi>}
            {t("inherited")}{" "}
            <AppLink
              href={structurePath(source.schema, "table", source.table, "presentation")}
              dir="auto"
              className={linkClasses}
            >
              {`${source.schema}.${source.table}.${source.column}`}
            </AppLink>
          </span>
        )}
        <span className="flex min-w-0 overflow-hidden max-sm:col-start-1">
          {row !== undefined && <CellValue column={shape} value={row[name]} />}
        </span>
      </div>
      {isOpen && source === null && (
        <div className="grid gap-3 py-3 sm:pl-4">
          {faults.length > 0 && (
            <ul className="text-2 text-danger" lang="en" role="alert">
              {faults.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          )}
          <LockedFields isLocked={isLocked}>
            {format !== null && (
              <FormatFields
                column={shape}
                format={format}
                onChange={(next) => set({ format: next })}
              />
            )}
            <ColorFields
              column={shape}
              rules={colors ?? []}
              onChange={(rules) => set({ colors: rules.length === 0 ? null : [...rules] })}
            />
            <RelationName column={column} name={relationName} onChange={set} />
          </LockedFields>
        </div>
      )}
    </li>
  );
}

/** The name of the relation that a column alone forms. */
function RelationName(props: {
  readonly column: ResourceColumn;
  readonly name: string | null;
  readonly onChange: (change: Partial<Presentation>) => void;
}) {
  const t = useTranslations("presentation");
  const { column, name, onChange } = props;
  const { relation, relationName } = column;
  if (relation === null && relationName === null) return null;
  const isLost = relationName !== null && relation !== null && relation.name !== relationName;
  return (
    <div className="max-w-90">
      <LineField
        label={t("relationName")}
        value={name ?? ""}
        placeholder={relation?.defaultName ?? ""}
        hint={isLost ? t("relationNameTaken", { name: relation.name }) : undefined}
        onChange={(text) => onChange({ relationName: text.trim() || null })}
        isCode
      />
    </div>
  );
}
