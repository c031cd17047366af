import { writeJson } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import type { ComparedRow } from "./compare-rows.ts";

interface RowTableProps {
  readonly label: string;
  readonly fields: readonly string[];
  readonly missingFields: ReadonlySet<string>;
  readonly rows: readonly ComparedRow[];
}

const shownMax = 200;

/** Rows of one side. What the other side lacks is marked, and said. */
export function RowTable({ label, fields, missingFields, rows }: RowTableProps) {
  const t = useTranslations("access");
  return (
    <ScrollRegion label={label} className="">
      <table aria-label={label} className="w-full border-collapse text-left">
        <thead className="border-line border-b text-2 text-ink-2">
          <tr>
            {fields.map((name) => (
              <th
                key={name}
                scope="col"
                dir="auto"
                className={classes(
                  "max-w-60 truncate px-2.5 py-1.5 font-medium",
                  missingFields.has(name) && "bg-warn-soft text-warn",
                )}
              >
                {name}
                {missingFields.has(name) && (
                  <span className="sr-only"> {t("viewAs.missingField")}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, row, isMissing, missingFields: absent }) => (
            <tr
              key={id}
              data-missing={isMissing}
              className={classes(
                "border-line border-b last:border-b-0",
                isMissing && "bg-danger-soft",
              )}
            >
              {fields.map((name, index) => {
                const isAbsent = absent.has(name);
                const text = textOf(row[name]);
                return (
                  <td
                    key={name}
                    title={text}
                    dir="auto"
                    className={classes(
                      "h-(--row) max-w-60 truncate px-2.5 whitespace-nowrap",
                      isMissing && "text-danger",
                      isAbsent && "bg-warn-soft text-warn",
                    )}
                  >
                    {index === 0 && isMissing && (
                      <span className="sr-only">{t("viewAs.missingRow")} </span>
                    )}
                    {text}
                    {isAbsent && <span className="sr-only"> {t("viewAs.missingField")}</span>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** A value in one line. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : writeJson(value);
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}
