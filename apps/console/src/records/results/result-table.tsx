import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { EmptyMark } from "../../ui/empty-mark.tsx";
import { closeMarks } from "../../ui/isolated.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { type ResultRows, textOf } from "./result-rows.ts";

interface ResultTableProps {
  readonly label: string;
  readonly result: ResultRows;
}

const step = 100;
/** A table that is larger than its frame has no control in it, so the frame takes the focus and the arrow keys. */
const scrolledByKeys = { tabIndex: 0 };
const numberTypes = /^(?:smallint|integer|bigint|numeric|real|double precision)\b/;

/** The rows of a result; a part at first, so that thousands of cells do not stop the page. */
export function ResultTable({ label, result }: ResultTableProps) {
  const t = useTranslations("sql");
  const [shown, setShown] = useState(step);
  const { rows } = result;
  // Names of columns can repeat, and rows have no key.
  const columns = useMemo(
    () =>
      result.columns.map(({ name, type }, at) => ({
        ...{ name, type, at, key: `${at} ${name}` },
        look: numberTypes.test(type) && "text-right tabular-nums",
      })),
    [result],
  );
  const lines = useMemo(
    () => rows.slice(0, shown).map((row, at) => ({ key: String(at), row })),
    [rows, shown],
  );
  return (
    <div className="grid justify-items-start gap-2">
      <section
        aria-label={label}
        {...scrolledByKeys}
        className="max-h-120 w-full overflow-auto rounded-panel border border-line bg-surface"
      >
        <table aria-label={label} className="min-w-full border-collapse text-left font-mono text-2">
          <thead className="sticky top-0 bg-sunken text-ink-2">
            <tr>
              {columns.map(({ key, name, type, look }) => (
                <th
                  key={key}
                  scope="col"
                  className={classes("px-2.5 py-1 align-bottom font-medium", look)}
                >
                  <span
                    dir="auto"
                    title={name}
                    className="inline-block max-w-96 truncate align-bottom text-ink"
                  >
                    {name}
                  </span>
                  <code className="block font-normal text-1">{type}</code>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ key, row }) => (
              <tr key={key} className="border-line border-t hover:bg-sunken">
                {columns.map((column) => (
                  <td
                    key={column.key}
                    className={classes("h-(--row) px-2.5 whitespace-nowrap", column.look)}
                  >
                    <ResultCell value={row[column.at]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > shown && (
        <ToolButton onClick={() => setShown(shown + step)}>
          {t("showMore", { count: rows.length - shown })}
        </ToolButton>
      )}
    </div>
  );
}

const shownMax = 300;

/** A value as the service sent it. Null and an empty text look different; long texts are cut. */
function ResultCell({ value }: { readonly value: unknown }) {
  const t = useTranslations("sql");
  const text = textOf(value);
  if (text === null) {
    return (
      <code>
        <EmptyMark isInline text="NULL" />
      </code>
    );
  }
  if (text === "") return <EmptyMark isInline text={t("emptyText")} />;
  const shown = text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
  return (
    <span
      dir="auto"
      title={shown}
      className="inline-block max-w-96 truncate align-middle whitespace-pre"
    >
      {closeMarks(shown)}
    </span>
  );
}
