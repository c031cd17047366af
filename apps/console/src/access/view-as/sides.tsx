import { useTranslations } from "use-intl";
import { breakJson } from "../../records/values/pretty-json.ts";
import { AppLink } from "../../shell/app-link.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { classes } from "../../ui/classes.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { explainPath } from "../access-paths.ts";
import { compareRows, fieldsOf, rowId } from "./compare-rows.ts";
import { errorOf, type Preview, rowsOf } from "./preview.ts";
import { RowTable } from "./row-table.tsx";

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
