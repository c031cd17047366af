import { useTranslations } from "use-intl";
import { PlainSelect } from "../../records/filter/plain-select.tsx";
import { isNumeric, valueKindOf } from "../../records/values/value-kind.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import type { BuilderParts } from "./builder-parts.ts";
import type { FieldOption } from "./field-options.ts";
import type { PresentationOf, TableColumn } from "./view-draft.ts";

type Summary = NonNullable<TableColumn["summary"]>;

/** Undefined removes a choice. */
type ColumnChange = { readonly [Name in keyof TableColumn]?: TableColumn[Name] | undefined };

const counted: readonly Summary[] = ["count", "countDistinct"];
const ordered: readonly Summary[] = [...counted, "min", "max"];
const added: readonly Summary[] = [...counted, "sum", "avg", "min", "max"];
const unordered: ReadonlySet<string> = new Set(["JSON", "BYTES", "ARRAY", "OTHER"]);

/** Width, pin and summary of each column of a table. Columns without a choice have the widths of their readers. */
export function TableColumns(props: {
  readonly parts: BuilderParts;
  readonly presentation: PresentationOf<"table">;
}) {
  const { parts, presentation } = props;
  const t = useTranslations("viewBuilder");
  const { draft, options } = parts;
  const fields = draft.fields ?? options.filter(({ isOwn }) => isOwn).map(({ field }) => field);
  const shown = fields.map(
    (field) => presentation.columns.find((one) => one.field === field) ?? { field },
  );
  const change = (field: string, next: ColumnChange) => {
    const columns = shown.map((one) =>
      one.field === field ? tidy({ ...one, ...next, field }) : one,
    );
    const isPlain = columns.every((one) => Object.keys(one).length === 1);
    parts.change({ presentation: { ...presentation, columns: isPlain ? [] : columns } });
  };
  return (
    <details>
      <summary className="min-h-6 cursor-pointer font-medium">{t("columns")}</summary>
      <ul aria-label={t("columns")} className="mt-2 grid gap-1.5">
        {shown.map((column) => {
          const option = options.find(({ field }) => field === column.field);
          const index = presentation.columns.findIndex(({ field }) => field === column.field);
          const fault = index < 0 ? undefined : parts.faultAt(`/presentation/columns/${index}`);
          return (
            <li
              key={column.field}
              className="grid gap-1 border-line border-b pb-1.5 last:border-b-0"
            >
              <ColumnSettings
                column={column}
                option={option}
                onChange={(next) => change(column.field, next)}
              />
              {fault !== undefined && (
                <p role="alert" className="text-2 text-danger">
                  {fault}
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </details>
  );
}

function ColumnSettings(props: {
  readonly column: TableColumn;
  readonly option: FieldOption | undefined;
  readonly onChange: (change: ColumnChange) => void;
}) {
  const { column, option, onChange } = props;
  const t = useTranslations("viewBuilder");
  const name = option?.label ?? column.field;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_4.5rem_7.5rem] items-center gap-1.5">
      <div className="min-w-0 [&_label]:truncate">
        <Checkbox
          label={t("pinned", { name })}
          isChecked={column.pinned === true}
          onChange={(pinned) => onChange({ pinned: pinned ? true : undefined })}
        />
      </div>
      <input
        type="number"
        min={40}
        max={2000}
        aria-label={t("width", { name })}
        placeholder={t("widthShort")}
        value={column.width ?? ""}
        onChange={({ target }) =>
          onChange({ width: target.value === "" ? undefined : Number(target.value) })
        }
        className="h-7 w-full min-w-0 rounded-control border border-line-input bg-surface px-2 text-ink tabular-nums placeholder:text-ink-3"
      />
      <PlainSelect
        isWide
        label={t("summary", { name })}
        value={column.summary ?? ""}
        options={[
          { value: "", label: t("noSummary") },
          ...summariesOf(option).map((value) => ({ value, label: t(`summaries.${value}`) })),
        ]}
        onChange={(value) => onChange({ summary: added.find((one) => one === value) })}
      />
    </div>
  );
}

/** The summaries that the values of a field have. */
function summariesOf(option: FieldOption | undefined): readonly Summary[] {
  if (option === undefined) return counted;
  if (isNumeric(option.column)) return added;
  return unordered.has(valueKindOf(option.column)) ? counted : ordered;
}

function tidy({ field, ...choices }: ColumnChange & { readonly field: string }): TableColumn {
  const given = Object.entries(choices).filter(([, value]) => value !== undefined);
  return { field, ...Object.fromEntries(given) };
}
