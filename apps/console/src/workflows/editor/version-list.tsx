import type { AdminOperations } from "@rowhouse/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { Moment } from "../../shell/moment.tsx";
import { StateBadge } from "../../ui/entries.tsx";
import { type ListColumn, ListTable } from "../../ui/list-table.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { type Definition, isJsonObject } from "../model/definition.ts";
import type { Workflow } from "../parts/workflow-queries.ts";
import type { Edition } from "./editor-search.ts";

type Version = AdminOperations["GET /workflows/{id}/versions"]["answer"]["data"][number];

interface VersionListProps {
  readonly versions: readonly Version[];
  /** The number of the version that runs now. */
  readonly present: number | undefined;
  readonly isLocked: boolean;
  readonly onCompare: (number: number) => void;
  readonly onRollBack: (number: number) => void;
}

/** The published versions, the newest first. */
export function VersionList(props: VersionListProps) {
  const { versions, present, isLocked, onCompare, onRollBack } = props;
  const t = useTranslations("workflowEditor.versions");
  const words = useTranslations("manage");
  const columns: readonly ListColumn<Version>[] = [
    {
      key: "number",
      label: t("version"),
      cell: ({ number }) => (
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {t("versionName", { number })}
          {number === present && <StateBadge look="ok">{t("runsNow")}</StateBadge>}
        </span>
      ),
    },
    {
      key: "publishedAt",
      label: t("publishedAt"),
      cell: ({ publishedAt }) => <Moment at={publishedAt} />,
    },
    {
      key: "by",
      label: t("by"),
      cell: ({ publishedBy }) => publishedBy !== null && <UserName id={publishedBy} />,
    },
    {
      key: "actions",
      label: words("actions"),
      width: "sm:w-72",
      cell: ({ number }) => (
        <span className="-ml-2.5 flex flex-wrap gap-x-2">
          <ToolButton
            kind="bare"
            aria-label={`${t("compare")}: ${t("versionName", { number })}`}
            onClick={() => onCompare(number)}
          >
            {t("compare")}
          </ToolButton>
          {number !== present && (
            <ToolButton
              kind="bare"
              disabled={isLocked}
              aria-label={`${t("rollBack")}: ${t("versionName", { number })}`}
              onClick={() => onRollBack(number)}
            >
              {t("rollBack")}
            </ToolButton>
          )}
        </span>
      ),
    },
  ];
  return (
    <ListTable label={t("version")} items={versions} columns={columns} keyOf={({ id }) => id} />
  );
}

function UserName({ id }: { readonly id: string }) {
  const { data } = useQuery(userNameQuery(id));
  return <bdi>{data ?? ""}</bdi>;
}

/** `GET /admin/api/workflows/{id}/versions/{number}/diff`, read anew after each change of the draft. */
export const diffQuery = ({ id, updatedAt }: Workflow, from: number, to: Edition) =>
  queryOptions({
    queryKey: ["workflow-diff", id, from, to, to === "draft" ? updatedAt : ""],
    queryFn: async ({ signal }) => {
      const options = { path: { id, number: String(from) }, query: { to: String(to) }, signal };
      return (await client.admin.get("/workflows/{id}/versions/{number}/diff", options)).data;
    },
  });

/** The definition of an edition. A version never changes. */
export const editionQuery = ({ id, updatedAt, definition }: Workflow, edition: Edition) =>
  queryOptions({
    queryKey: ["workflow-edition", id, edition, edition === "draft" ? updatedAt : ""],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Definition> => {
      if (edition === "draft") return isJsonObject(definition) ? definition : {};
      const options = { path: { id, number: String(edition) }, signal };
      const { data } = await client.admin.get("/workflows/{id}/versions/{number}", options);
      return isJsonObject(data.definition) ? data.definition : {};
    },
  });

/** The name of a user; null for one who was deleted. */
const userNameQuery = (id: string) =>
  queryOptions({
    queryKey: ["user-name", id],
    queryFn: async ({ signal }) => {
      const { data } = await client.admin.get("/users/{id}", { path: { id }, signal });
      return data.name || data.email;
    },
    retry: false,
  });
