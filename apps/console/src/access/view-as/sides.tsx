import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { explainPath } from "../access-paths.ts";
import { compareRows, fieldsOf, rowId } from "./compare-rows.ts";
import { errorOf, type Preview, rowsOf } from "./preview.ts";
import { RowTable } from "./row-table.tsx";
import { TextSide } from "./text-side.tsx";

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
