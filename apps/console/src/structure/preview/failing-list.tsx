import { writeName } from "@rowhouse/access/written-name";
import { writeRowId } from "@rowhouse/wire";
import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "use-intl";
import { keysFilter } from "../../records/model/resource.ts";
import { navigationQuery, resourcePath } from "../../shell/navigation.ts";
import { linkClasses } from "../../ui/classes.ts";
import { CircleX } from "../../ui/icons.generated.ts";
import { useDraft } from "../draft/draft-context.ts";
import type { PlacedChange } from "../model/compile-draft.ts";
import type { Table } from "../model/queries.ts";

const shownMax = 3;

/** The rows that a change fails on, each cause with the way to its rows in the grid. */
export function FailingList({ failing }: { readonly failing: readonly FailingRows[] }) {
  const t = useTranslations("tableDraft");
  const format = useFormatter();
  if (failing.length === 0) return null;
  const known = failing.flatMap(({ rows }) => (rows === null ? [] : [rows]));
  const total = known.reduce((sum, rows) => sum + rows, 0);
  return (
    <section role="alert" className="grid gap-3 border-line border-b bg-danger-soft p-4">
      <h2 className="flex items-center gap-2 font-semibold text-danger">
        <CircleX size={16} aria-hidden="true" />
        {known.length < failing.length
          ? t("rowsMayFail")
          : t("rowsFail", { count: total, number: format.number(total) })}
      </h2>
      {failing.map((one) => (
        <Failing key={one.path} failing={one} />
      ))}
    </section>
  );
}

function Failing({ failing }: { readonly failing: FailingRows }) {
  const t = useTranslations("tableDraft");
  const format = useFormatter();
  const { table, preview } = useDraft();
  const { data: navigation } = useQuery(navigationQuery);
  if (table === null) return null;
  const { message, rows, keys } = failing;
  const placed = preview.changes[Number(/^\/data\/changes\/(\d+)/.exec(failing.path)?.[1])];
  const column = /^column\/(.*)$/s.exec(placed?.place ?? "")?.[1];
  const isReadable = navigation?.resources.some(
    ({ schema, name }) => schema === table.schema && name === table.name,
  );
  const link = rowsLink(table, failing, placed);
  return (
    <div className="grid gap-1">
      <p className="wrap-anywhere">
        {column !== undefined && <code className="font-mono text-2">{column}: </code>}
        <span lang="en">{message}</span>
        {rows !== null && <bdi> ({format.number(rows)})</bdi>}
      </p>
      {isReadable === false && <p className="text-2 text-ink-2">{t("notExposed")}</p>}
      {isReadable === true && (
        <ul className="grid">
          {keys.slice(0, shownMax).map((key) => (
            <li key={key.join()} className="flex justify-between gap-4">
              <code className="min-w-0 truncate font-mono text-2" title={key.join(", ")}>
                #{key.join(", ")}
              </code>
              <a
                href={rowLink(table, key)}
                target="_blank"
                rel="noopener"
                // The visible text is part of the name in every language.
                aria-label={`${t("open")} ${key.join(", ")}`}
                className={linkClasses}
              >
                {t("open")}
              </a>
            </li>
          ))}
          <li>
            {link === undefined ? (
              <span className="text-2 text-ink-2">{t("noLink")}</span>
            ) : (
              <a href={link.href} target="_blank" rel="noopener" className={linkClasses}>
                {link.isAll
                  ? t("showAll", { number: format.number(rows ?? keys.length) })
                  : t("showFirst", { number: format.number(keys.length) })}
              </a>
            )}
          </li>
        </ul>
      )}
    </div>
  );
}

/** Existing rows that a change fails on, as a preview has them. */
interface FailingRows {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly rows: number | null;
  readonly keys: readonly (readonly string[])[];
}

type Place = Pick<Table, "schema" | "name" | "primaryKey">;

/** The address of one row in the grid. */
function rowLink(table: Place, key: readonly string[]): string {
  const { schema, name } = table;
  const keyText = writeRowId(key);
  const path = [...[schema, "table", name].map(encodeURIComponent), keyText].join("/");
  return `${pathOf(table)}?open=${encodeURIComponent(JSON.stringify([path]))}`;
}

/**
 * The address of the grid with the rows that a change fails on, and whether these are all of them. Undefined if neither
 * the keys nor the filter language can name them.
 */
function rowsLink(
  table: Place,
  failing: FailingRows,
  placed: PlacedChange | undefined,
): { readonly href: string; readonly isAll: boolean } | undefined {
  const { rows, keys } = failing;
  const isAll = rows !== null && keys.length >= rows;
  const own = table.primaryKey?.columns ?? [];
  const byKeys = keys.length > 0 ? keysFilter({ primaryKey: [...own] }, keys) : undefined;
  const byValue = isAll ? undefined : emptyValues(failing, placed);
  const where = byValue ?? byKeys;
  if (where === undefined) return undefined;
  return {
    href: `${pathOf(table)}?where=${encodeURIComponent(JSON.stringify(where))}`,
    isAll: isAll || byValue !== undefined,
  };
}

/** The filter of rows without a value, the one cause that the filter language can always say. */
function emptyValues({ code }: FailingRows, placed: PlacedChange | undefined) {
  if (code !== "REQUIRED_FIELD" || placed?.change.kind !== "changeColumn") return undefined;
  // The grid has the column under the name that it has before the change.
  return { [writeName(placed.place.replace(/^column\//, ""))]: { _null: true } };
}

function pathOf({ schema, name }: Place): string {
  return resourcePath({ schema, name, kind: "TABLE" });
}
