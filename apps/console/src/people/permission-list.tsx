import type { AdminOperations } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { resourcePath } from "../shell/resource-path.ts";
import { linkClasses } from "../ui/link-classes.ts";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";

type Resource =
  AdminOperations["GET /users/{id}/permissions"]["answer"]["data"]["resources"][number];
type Action = Resource["actions"][number];

const actions = ["READ", "CREATE", "UPDATE", "DELETE"] as const;

/** What a person may do with tables and views, and the roles whose grants allow it. */
export function PermissionList({ resources }: { readonly resources: readonly Resource[] }) {
  const t = useTranslations("people");
  const words = useTranslations("manage");
  const columns: readonly ListColumn<Resource>[] = [
    {
      key: "resource",
      label: t("resource"),
      cell: ({ schema, name, kind }) => (
        <AppLink
          href={resourcePath({ schema, name, kind })}
          className={`${linkClasses} max-w-full truncate align-middle font-mono text-2`}
          title={`${schema}.${name}`}
          dir="auto"
        >
          {`${schema}.${name}`}
        </AppLink>
      ),
    },
    ...actions.map((one) => ({
      key: one,
      label: t(`actions.${one}`),
      width: "w-28",
      cell: (resource: Resource) => (
        <ActionCell action={resource.actions.find(({ action }) => action === one)} />
      ),
    })),
    {
      key: "roles",
      label: t("byRoles"),
      cell: ({ grants }) => {
        const names = [...new Set(grants.map(({ roleName }) => roleName))].join(", ");
        return names === "" ? (
          words("none")
        ) : (
          <span dir="auto" title={names}>
            {names}
          </span>
        );
      },
    },
  ];
  return (
    <ListTable
      label={t("userTabs.permissions")}
      items={resources}
      columns={columns}
      keyOf={({ resourceId }) => resourceId}
    />
  );
}

/** Whether an action is allowed, in which rows, and on how many fields. */
function ActionCell({ action }: { readonly action: Action | undefined }) {
  const t = useTranslations("people");
  if (action === undefined || !action.isGranted) {
    return <span className="text-ink-3">{t("notAllowed")}</span>;
  }
  const rows = t(action.everyRow ? "everyRow" : "someRows");
  const fields =
    action.action === "DELETE" ? undefined : t("fields", { count: action.fields.length });
  const names = action.fields.map(({ name }) => name).join(", ");
  return (
    <span className="inline-grid align-middle" title={names === "" ? undefined : names}>
      <span>{rows}</span>
      <span className="text-2 text-ink-2">{action.isExposed ? fields : t("hidden")}</span>
    </span>
  );
}
