import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { kindOf, titleOf } from "../../records/model/resource.ts";
import { useOwnWays, WaysProvider } from "../../records/values/ways.ts";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { navigationQuery, personQuery } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { useTitle } from "../../shell/use-title.ts";
import { Button } from "../../ui/button.tsx";
import { linkClasses } from "../../ui/classes.ts";
import { EyeOff } from "../../ui/icons.generated.ts";
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
  if (resource === undefined) return <MissingRows {...{ schema, kind, name }} />;
  return (
    <WaysProvider value={ways}>
      <RowsPage key={resource.id} resource={resource} resources={data.resources} />
    </WaysProvider>
  );
}

interface MissingRowsProps {
  readonly schema: string;
  readonly kind: string;
  readonly name: string;
}

/** In place of rows that the person cannot open. An administrator exposes a hidden table here. */
function MissingRows({ schema, kind, name }: MissingRowsProps) {
  const t = useTranslations("grid");
  const { data: person } = useQuery(personQuery);
  const isAdministrator = person?.isAdministrator === true;
  const { data: hiddenId, isLoading } = useQuery({
    queryKey: ["resources", "hidden", schema, kind, name],
    enabled: isAdministrator,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const query = { schema, search: name, limit: 1_000 };
      const { data } = await client.admin.get("/resources", { query, signal });
      const found = data.find((one) => one.name === name && one.kind.toLowerCase() === kind);
      return found === undefined || found.exposedMethods.includes("GET") ? null : found.id;
    },
  });
  if (person === undefined || isLoading) {
    return (
      <div className="p-6">
        <Skeleton label={t("loading")} rows={8} />
      </div>
    );
  }
  if (typeof hiddenId === "string") return <HiddenRows id={hiddenId} isView={kind === "view"} />;
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

/** A table that the Data API does not have, with the way to expose it. */
function HiddenRows({ id, isView }: { readonly id: string; readonly isView: boolean }) {
  const t = useTranslations("grid.hidden");
  const queries = useQueryClient();
  const expose = useTask(async () => {
    const path = { id };
    const { data } = await client.admin.get("/resources/{id}", { path });
    const exposedMethods = [...new Set([...data.exposedMethods, "GET" as const])];
    await client.admin.patch("/resources/{id}", { path, data: { exposedMethods } });
    await Promise.all(
      [navigationQuery.queryKey, ["resources"], ["structure"]].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  }, []);
  return (
    <div className="grid h-full place-content-center justify-items-center gap-3 p-8 text-center">
      <EyeOff size={24} aria-hidden="true" className="text-ink-3" />
      <h1 className="text-4 font-medium">{t(isView ? "view" : "title")}</h1>
      <p className="max-w-100 text-ink-2">{t("text")}</p>
      {expose.failure !== undefined && <Notice kind="danger">{expose.failure}</Notice>}
      <Button kind="primary" isBusy={expose.isBusy} onPress={expose.run}>
        {t("expose")}
      </Button>
    </div>
  );
}
