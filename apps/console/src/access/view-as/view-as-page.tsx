import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { type Navigation, navigationQuery, personQuery } from "../../shell/navigation.ts";
import { personName, usePerson } from "../../shell/person-picker.tsx";
import { rolesQuery } from "../../shell/roles-query.ts";
import { useTitle } from "../../shell/use-title.ts";
import { Eye } from "../../ui/icons.generated.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { viewAsPath } from "../access-paths.ts";
import { AccessTabs } from "../access-tabs.tsx";
import { dataOf, type Preview, usePreview } from "./preview.ts";
import { Sides } from "./sides.tsx";
import { TableSides } from "./table-sides.tsx";
import { ViewAsForm } from "./view-as-form.tsx";
import { seenAs } from "./view-as-search.ts";

const route = getRouteApi("/frame/admin/access/view-as");
const navigationPath = "/app/api/navigation";
/** Rows that both sides show of a table. */
const shownRows = 25;

/** The same request as the administrator, and as a person or a set of roles, side by side. */
export function ViewAsPage() {
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useTitle(t("viewAs.title"));
  const { data: me } = useQuery(personQuery);
  const { data: navigation } = useQuery(navigationQuery);
  const { data: roles = [] } = useQuery(rolesQuery);
  const person = usePerson(search.user);
  const as = seenAs(search);
  const { path = navigationPath, user } = search;
  // One's own response takes the same way, so that the two differ by the caller alone.
  const own = usePreview(
    me === undefined || as === undefined ? undefined : { userId: me.id },
    path,
  );
  const theirs = usePreview(as, path);
  const names =
    as !== undefined && "roleIds" in as
      ? as.roleIds.map((id) => roles.find((role) => role.id === id)?.name ?? id).join(", ")
      : person.data === undefined
        ? ""
        : personName(person.data);
  const failed = [theirs, own].find(({ error }) => error !== null);
  const resource = navigation?.resources.find((one) => one.path === path.split("?")[0]);
  const isLoaded = own.data !== undefined && theirs.data !== undefined;
  const hrefOf = (one: { readonly path: string }) =>
    viewAsPath({ user, roles: search.roles, path: `${one.path}?limit=${shownRows}` });
  return (
    <div className={pageClasses}>
      {as !== undefined && (
        <div
          role="status"
          className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control bg-warn-soft px-3 py-2 font-medium text-warn"
        >
          <Eye size={16} aria-hidden="true" />
          <span dir="auto" className="min-w-0 wrap-anywhere">
            {t("viewAs.banner", { name: names })}
          </span>
          <AppLink href={viewAsPath({})} className="ml-auto underline underline-offset-2">
            {t("viewAs.leave")}
          </AppLink>
        </div>
      )}
      <PageHead title={t("viewAs.title")} text={t("viewAs.text")} />
      <AccessTabs />
      <ViewAsForm
        key={`${user} ${search.roles} ${search.path}`}
        search={search}
        onShow={(next) => void navigate({ search: next })}
      />
      {failed !== undefined && (
        <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {as !== undefined && !isLoaded && failed === undefined && (
        <Skeleton label={words("loading")} rows={6} />
      )}
      {search.path !== undefined && as !== undefined && (
        <AppLink
          href={viewAsPath({ user, roles: search.roles })}
          className={`${linkClasses} justify-self-start`}
        >
          {t("viewAs.allTables")}
        </AppLink>
      )}
      {own.data !== undefined && theirs.data !== undefined && failed === undefined && (
        <Compared
          name={names}
          path={path}
          userId={user}
          resource={resource}
          own={own.data}
          theirs={theirs.data}
          hrefOf={hrefOf}
        />
      )}
    </div>
  );
}

type ComparedProps = React.ComponentProps<typeof Sides> &
  Pick<React.ComponentProps<typeof TableSides>, "hrefOf">;

function Compared({ hrefOf, ...sides }: ComparedProps) {
  const { path, name } = sides;
  const [own, theirs] = [sides.own, sides.theirs].map(navigationOf);
  if (path === navigationPath && own !== undefined && theirs !== undefined) {
    return <TableSides {...{ name, own, theirs, hrefOf }} />;
  }
  return <Sides {...sides} />;
}

/** The navigation that a preview has; undefined for a refusal. */
function navigationOf(preview: Preview): Navigation | undefined {
  return preview.status === 200 ? (dataOf(preview) as Navigation | undefined) : undefined;
}
