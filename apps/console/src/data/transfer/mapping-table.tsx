import { useTranslations } from "use-intl";
import { hasForm, readCell } from "../../records/files/cell-forms.ts";
import type { Source } from "../../records/files/read-source.ts";
import { titleOf } from "../../records/model/resource.ts";
import { valueText } from "../../records/values/show-value.ts";
import { useWays } from "../../records/values/ways.ts";
import type { Import } from "./use-import.ts";

/** Rows whose values stand beside their names. */
const previewRows = 5;

/** Which column receives the values of each name of the file, beside its first values. */
export function MappingTable({ run, source }: { readonly run: Import; readonly source: Source }) {
  const t = useTranslations("transfer");
  const ways = useWays();
  const map = (index: number, name: string) =>
    run.change({
      mapping: run.mapping.map((last, at) => {
        if (at === index) return name === "" ? null : name;
        // A column receives the values of one name.
        return last === name ? null : last;
      }),
    });
  const preview = (text: string, name: string | null | undefined): string => {
    const column = run.columns.find((each) => each.name === name);
    const { dateFormat, decimal } = run.forms;
    if (source.format !== "csv" || column === undefined || !hasForm(column)) return text;
    if (dateFormat === undefined || decimal === undefined) return text;
    const value = readCell(column, text, { dateFormat, decimal });
    const read = value === undefined ? t("notRead") : valueText(column, value, ways);
    return read === text ? text : `${text} → ${read}`;
  };
  const names = source.names.map((name, index) => ({ name, index }));
  return (
    <ul aria-label={t("mapping")} className="grid min-w-0 gap-1">
      {names.map(({ name, index }) => (
        <li
          key={index}
          className="grid min-w-0 items-center gap-x-3 gap-y-1 border-line border-b py-1 sm:grid-cols-[1fr_1fr_1fr]"
        >
          <span className="truncate font-medium" dir="auto" title={name}>
            {name}
          </span>
          <span className="truncate text-2 text-ink-2" dir="auto">
            {source.rows
              .slice(0, previewRows)
              .map((row) => row[index] ?? "")
              .filter((text) => text !== "")
              .map((text) => preview(text.slice(0, 60), run.mapping[index]))
              .join(" · ")}
          </span>
          <select
            aria-label={t("columnFor", { name })}
            value={run.mapping[index] ?? ""}
            onChange={(event) => map(index, event.target.value)}
            className="h-7 min-w-0 rounded-control border border-line-input bg-surface px-1.5"
          >
            <option value="">{t("leaveOut")}</option>
            {run.columns.map((column) => (
              <option key={column.name} value={column.name}>
                {titleOf(column)}
              </option>
            ))}
          </select>
        </li>
      ))}
    </ul>
  );
}
