import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { viewAsPath } from "../../grants/model/access-paths.ts";
import { AppLink } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import {
  type Navigation,
  type NavigationResource,
  navigationQuery,
  personQuery,
} from "../../shell/navigation.ts";
import { PersonPicker, personName, usePerson } from "../../shell/person-picker.tsx";
import { rolesQuery } from "../../shell/roles-query.ts";
import { useTitle } from "../../shell/use-title.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { classes, linkClasses } from "../../ui/classes.ts";
import { Eye } from "../../ui/icons.generated.ts";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { seenAs, type ViewAsSearch } from "../access-search.ts";
import { AccessTabs } from "../access-tabs.tsx";
import { ExpertFields, isPicked, RequestPicker } from "../request-picker.tsx";
import { dataOf, type Preview, usePreview } from "./preview.ts";
import { Sides } from "./sides.tsx";

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

interface TableSidesProps {
  readonly name: string;
  readonly own: Navigation;
  readonly theirs: Navigation;
  /** The address that shows a resource to both. */
  readonly hrefOf: (resource: NavigationResource) => string;
}

/** The tables and views of both, those that the other caller may not open marked. */
function TableSides({ name, own, theirs, hrefOf }: TableSidesProps) {
  const t = useTranslations("access");
  const seen = new Set(theirs.resources.map(({ id }) => id));
  const list = (title: string, resources: readonly NavigationResource[], isOwn: boolean) => (
    <section aria-label={title} className="grid min-w-0 content-start gap-2">
      <h2 dir="auto" className="text-4 font-semibold wrap-anywhere">
        {title}
      </h2>
      {resources.length === 0 ? (
        <p className="text-ink-2">{t("viewAs.noTables")}</p>
      ) : (
        <ul className="rounded-panel border border-line bg-surface">
          {resources.map((one) => {
            const isMissing = isOwn && !seen.has(one.id);
            return (
              <li
                key={one.id}
                className={classes(
                  "flex min-h-(--row) items-center gap-2 border-line border-b px-3 last:border-b-0",
                  isMissing && "bg-danger-soft",
                )}
              >
                <AppLink
                  href={hrefOf(one)}
                  dir="auto"
                  title={`${one.schema}.${one.name}`}
                  className={`${linkClasses} min-w-0 truncate`}
                >
                  {one.schema}.{one.name}
                </AppLink>
                {isMissing && (
                  <span className="ml-auto shrink-0 text-2 text-danger">
                    {t("viewAs.missingRow")}
                  </span>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {list(t("viewAs.you"), own.resources, true)}
      {list(t("viewAs.them", { name }), theirs.resources, false)}
    </div>
  );
}

interface ViewAsFormProps {
  readonly search: ViewAsSearch;
  readonly onShow: (search: ViewAsSearch) => void;
}

/** Whom one wants to see as, and which request. */
function ViewAsForm({ search, onShow }: ViewAsFormProps) {
  const t = useTranslations("access");
  const [kind, setKind] = useState<"person" | "roles">(
    search.roles === undefined ? "person" : "roles",
  );
  const [user, setUser] = useState(search.user);
  const [chosen, choose] = useState<ReadonlySet<string>>(
    () => new Set((search.roles ?? "").split(",").filter((id) => id !== "")),
  );
  const [path, setPath] = useState(search.path ?? "");
  const [isExpert] = useState(!isPicked(search.path ?? ""));
  const [isTried, setTried] = useState(false);
  const { data: roles = [] } = useQuery(rolesQuery);
  const isReady = kind === "person" ? user !== undefined : chosen.size > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isReady) return;
    onShow({
      user: kind === "person" ? user : undefined,
      roles: kind === "roles" ? [...chosen].join(",") : undefined,
      path: path === "" ? undefined : path,
    });
  };
  return (
    <form className="grid max-w-200 gap-4" onSubmit={submit}>
      <div>
        <Select
          label={t("viewAs.seeAs")}
          value={kind}
          options={[
            { value: "person", label: t("viewAs.person") },
            { value: "roles", label: t("viewAs.roles") },
          ]}
          onChange={setKind}
        />
      </div>
      {kind === "person" ? (
        <PersonPicker
          userId={user}
          onChoose={setUser}
          fault={isTried && !isReady ? t("explain.missingPerson") : undefined}
        />
      ) : (
        <fieldset className="grid gap-1.5">
          <legend className="mb-1.5 font-medium">{t("viewAs.roles")}</legend>
          <ul className="grid max-h-60 gap-x-4 overflow-auto rounded-control border border-line px-3 py-2 sm:grid-cols-2">
            {roles.map(({ id, name }) => (
              <li key={id} dir="auto" className="min-w-0 truncate" title={name}>
                <Checkbox
                  label={name}
                  isChecked={chosen.has(id)}
                  onChange={(isChosen) =>
                    choose((last) => {
                      const others = [...last].filter((one) => one !== id);
                      return new Set(isChosen ? [...others, id] : others);
                    })
                  }
                />
              </li>
            ))}
          </ul>
          <p className={isTried && !isReady ? "text-2 text-danger" : "text-2 text-ink-2"}>
            {isTried && !isReady ? t("explain.missingPerson") : t("viewAs.rolesHint")}
          </p>
        </fieldset>
      )}
      <RequestPicker path={path} onChange={setPath} />
      <ExpertFields isOpen={isExpert}>
        <TextField
          label={t("viewAs.path")}
          name="path"
          autoComplete="off"
          value={path}
          onChange={setPath}
          hint={t("viewAs.pathHint")}
        />
      </ExpertFields>
      <div>
        <Button type="submit" kind="primary">
          {t("viewAs.show")}
        </Button>
      </div>
    </form>
  );
}
