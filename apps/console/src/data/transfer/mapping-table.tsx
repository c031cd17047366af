import { useTranslations } from "use-intl";
import type { Source } from "../../records/files/read-source.ts";
import { titleOf } from "../../records/model/resource.ts";
import type { Import } from "./use-import.ts";

/** Which column receives the values of each name of the file, beside its first values. */
export function MappingTable({ run, source }: { readonly run: Import; readonly source: Source }) {
  const t = useTranslations("transfer");
  const map = (index: number, name: string) =>
    run.change({
      mapping: run.mapping.map((last, at) => {
        if (at === index) return name === "" ? null : name;
        // A column receives the values of one name.
        return last === name ? null : last;
      }),
    });
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
              .map((row) => row[index] ?? "")
              .filter((text) => text !== "")
              .map((text) => text.slice(0, 60))
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
