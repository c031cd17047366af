import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { kindOf, titleOf } from "../../records/model/resource.ts";
import { useOwnWays, WaysProvider } from "../../records/values/ways.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { RowsPage } from "./rows-page.tsx";
import { WhyLink } from "./rows-status.tsx";

/** The rows of a table or view, if this person may use it. */
export function DataPage() {
  const t = useTranslations("grid");
  const describe = useFailureText();
  const ways = useOwnWays();
  const { schema, kind, name } = useParams({ from: "/frame/app/data/$schema/$kind/$name" });
  const { data, error } = useQuery(navigationQuery);
  const resource = data?.resources.find(
    (one) => one.schema === schema && one.name === name && kindOf(one) === kind,
  );
  useTitle(resource === undefined ? name : titleOf(resource));
  if (data === undefined) {
    return (
      <div className="p-6">
        {error === null ? (
          <Skeleton label={t("loading")} rows={8} />
        ) : (
          <Notice kind="danger">{describe(error)}</Notice>
        )}
      </div>
    );
  }
  if (resource === undefined) {
    return (
      <div className="grid max-w-120 gap-2 p-6">
        <h1 className="text-5 font-semibold">{t("missing")}</h1>
        <p className="text-ink-2">{t("missingText")}</p>
        <p>
          <Link to="/app" className={linkClasses}>
            {t("home")}
          </Link>
        </p>
        <p>
          <WhyLink path={`/api/${[schema, kind, name].map(encodeURIComponent).join("/")}`} />
        </p>
      </div>
    );
  }
  return (
    <WaysProvider value={ways}>
      <RowsPage key={resource.id} resource={resource} resources={data.resources} />
    </WaysProvider>
  );
}
