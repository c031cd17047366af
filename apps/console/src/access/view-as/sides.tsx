import { writeJson } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { explainPath } from "../../grants/model/access-paths.ts";
import { keyOf, type Row } from "../../records/model/resource.ts";
import { breakJson } from "../../records/values/pretty-json.ts";
import { AppLink } from "../../shell/app-link.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { classes, linkClasses } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { errorOf, type Preview, rowsOf } from "./preview.ts";

interface SidesProps {
  readonly name: string;
  readonly path: string;
  /** Id of the person; undefined for a set of roles. */
  readonly userId: string | undefined;
  /** The resource of the list, if the path is one of rows. */
  readonly resource: NavigationResource | undefined;
  readonly own: Preview;
  readonly theirs: Preview;
}

/** The same request side by side: what the administrator receives, and what the other caller does. */
export function Sides({ name, path, userId, resource, own, theirs }: SidesProps) {
  const t = useTranslations("access");
  const ownRows = rowsOf(own);
  const theirRows = rowsOf(theirs);
  const error = errorOf(theirs);
  const key = resource?.primaryKey ?? [];
  const comparison = ownRows === undefined ? undefined : compareRows(key, ownRows, theirRows ?? []);
  const labels = { own: t("viewAs.you"), theirs: t("viewAs.them", { name }) };
  const missing = comparison?.rows.filter(({ isMissing }) => isMissing).length ?? 0;
  const isNoList = theirRows === undefined || ownRows === undefined;
  return (
    <>
      {comparison !== undefined && theirRows !== undefined && (
        <p role="status" className="text-ink-2">
          {t("viewAs.summary", {
            rows: missing,
            fields: comparison.missingFields.size,
          })}
        </p>
      )}
      <div className="grid gap-4 lg:grid-cols-2">
        <Side title={labels.own}>
          {comparison === undefined ? (
            <TextSide
              label={labels.own}
              text={own.body}
              other={error === undefined ? theirs.body : null}
            />
          ) : (
            <RowTable label={labels.own} {...comparison} />
          )}
        </Side>
        <Side title={labels.theirs}>
          {error !== undefined && (
            <Notice kind="info">
              <p>{t("viewAs.refused", { status: String(theirs.status) })}</p>
              <p dir="auto" className="font-mono text-2 wrap-anywhere">
                {error}
              </p>
            </Notice>
          )}
          {error === undefined && isNoList && (
            <TextSide label={labels.theirs} text={theirs.body} other={null} />
          )}
          {error === undefined && theirRows !== undefined && ownRows !== undefined && (
            <RowTable
              label={labels.theirs}
              fields={fieldsOf(theirRows)}
              missingFields={new Set()}
              rows={theirRows.map((row) => ({
                id: rowId(key, row),
                row,
                isMissing: false,
                missingFields: new Set(),
              }))}
            />
          )}
          {error === undefined && theirRows?.length === 0 && (
            <p className="text-ink-2">{t("viewAs.noRows")}</p>
          )}
          {userId !== undefined && (error !== undefined || missing > 0) && (
            <AppLink
              href={explainPath({ user: userId, method: "GET", path })}
              className={`${linkClasses} justify-self-start`}
            >
              {t("viewAs.why")}
            </AppLink>
          )}
        </Side>
      </div>
    </>
  );
}

function Side(props: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-2">
      <h2 dir="auto" className="text-4 font-semibold wrap-anywhere">
        {props.title}
      </h2>
      {props.children}
    </div>
  );
}

const linesMax = 2000;

/** A response as text. The lines that the other side lacks are marked. */
function TextSide(props: {
  readonly label: string;
  readonly text: string;
  /** The text of the other side; null marks nothing. */
  readonly other: string | null;
}) {
  const { label, text, other } = props;
  const lines = pretty(text)
    .split("\n")
    .slice(0, linesMax)
    .map((line, index) => ({ id: `line ${index + 1}`, line }));
  const seen = other === null ? undefined : new Set(pretty(other).split("\n"));
  return (
    <ScrollRegion label={label} className="max-h-160 p-3">
      <pre dir="ltr" className="font-mono text-2">
        {lines.map(({ id, line }) => (
          <code
            key={id}
            className={classes("block", seen?.has(line) === false && "bg-warn-soft text-warn")}
          >
            {line === "" ? " " : line}
          </code>
        ))}
      </pre>
    </ScrollRegion>
  );
}

/** JSON with line breaks; numbers keep their digits. Any other text stays as it is. */
function pretty(text: string): string {
  return /^\s*[[{]/.test(text) ? breakJson(text) : text;
}

interface RowTableProps {
  readonly label: string;
  readonly fields: readonly string[];
  readonly missingFields: ReadonlySet<string>;
  readonly rows: readonly ComparedRow[];
}

const shownMax = 200;

/** Rows of one side. What the other side lacks is marked, and said. */
function RowTable({ label, fields, missingFields, rows }: RowTableProps) {
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

/** A row of one's own list, with what the other caller lacks of it. */
interface ComparedRow {
  readonly id: string;
  readonly row: Row;
  readonly isMissing: boolean;
  /** The fields of a row that is seen by both, which the other caller may not read in it. */
  readonly missingFields: ReadonlySet<string>;
}

interface Comparison {
  readonly rows: readonly ComparedRow[];
  /** The names of the fields of all rows, in their order. */
  readonly fields: readonly string[];
  /** Fields that the other caller reads in no row of the list. */
  readonly missingFields: ReadonlySet<string>;
}

/** Returns the fields that rows have, in the order in which they appear. */
function fieldsOf(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** Returns the identity of a row: its key, or all of its values. */
function rowId(primaryKey: readonly string[], row: Row): string {
  return writeJson(keyOf({ primaryKey: [...primaryKey] }, row) ?? row);
}

/** Compares one's own rows with those of another caller, who sees a part of them in the same order. */
function compareRows(
  primaryKey: readonly string[],
  own: readonly Row[],
  theirs: readonly Row[],
): Comparison {
  const byId = new Map(theirs.map((row) => [rowId(primaryKey, row), row]));
  const fields = fieldsOf(own);
  const seen = new Set(fieldsOf(theirs));
  return {
    fields,
    missingFields: new Set(theirs.length === 0 ? [] : fields.filter((name) => !seen.has(name))),
    rows: own.map((row) => {
      const id = rowId(primaryKey, row);
      const other = byId.get(id);
      const missing =
        other === undefined ? [] : fields.filter((name) => name in row && !(name in other));
      return { id, row, isMissing: other === undefined, missingFields: new Set(missing) };
    }),
  };
}
