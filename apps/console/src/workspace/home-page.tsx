import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useFailureText } from "../shell/failure-text.ts";
import { navigationQuery, personQuery } from "../shell/navigation.ts";
import { useSession } from "../shell/use-session.ts";
import { useTitle } from "../shell/use-title.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Checklist } from "./checklist.tsx";
import { HomeLists } from "./home-lists.tsx";
import { ResourceTable } from "./resource-table.tsx";

/** The first page of the workspace: everything that the person may open. */
export function HomePage() {
  const t = useTranslations("workspace");
  const describe = useFailureText();
  const session = useSession();
  const { data: person } = useQuery(personQuery);
  const { data, error, refetch } = useQuery(navigationQuery);
  useTitle(t("home"));
  const name = person?.name || session?.user.name || session?.user.email || "";
  const isEmpty =
    data !== undefined &&
    data.resources.length + data.dataViews.length + data.dashboards.length === 0;
  return (
    <div className="grid max-w-240 gap-6 p-4 md:p-8">
      <div className="grid gap-1">
        <h1 className="text-5 font-semibold wrap-anywhere">{t("hello", { name })}</h1>
        {!isEmpty && <p className="text-ink-2">{t("intro")}</p>}
      </div>
      {error !== null && (
        <div className="grid justify-items-start gap-3">
          <Notice kind="danger">{describe(error)}</Notice>
          <Button onPress={() => void refetch()}>{t("retry")}</Button>
        </div>
      )}
      {data === undefined && error === null && <Skeleton label={t("loading")} rows={6} />}
      {person?.isAdministrator === true && data !== undefined && (
        <Checklist hasTable={data.resources.length > 0} />
      )}
      {isEmpty && (
        <section className="rounded-panel border border-line bg-surface p-6">
          <h2 className="text-4 font-semibold">{t("nothing")}</h2>
          <p className="mt-1 text-ink-2">
            {person?.isAdministrator === true ? t("nothingAdministrator") : t("nothingText")}
          </p>
        </section>
      )}
      {data !== undefined && <HomeLists navigation={data} />}
      {data !== undefined && data.resources.length > 0 && (
        <ResourceTable resources={data.resources} />
      )}
    </div>
  );
}
