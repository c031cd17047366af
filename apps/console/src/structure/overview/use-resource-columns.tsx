import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "use-intl";
import { NameLink } from "../../shell/name-link.tsx";
import type { ListColumn } from "../../ui/list-table.tsx";
import { structurePath } from "../model/paths.ts";
import { exposureQuery } from "../model/queries.ts";
import { ExposureBadge } from "./exposure-badge.tsx";

/** What the lists of tables and of views show alike. */
interface Listed {
  readonly name: string;
  readonly comment: string | null;
  readonly columns: number;
  readonly resourceId: string | null;
}

/** Returns the columns that the lists of tables and of views have in common. */
export function useResourceColumns(kind: "table" | "view", schema: string) {
  const t = useTranslations("structure");
  const format = useFormatter();
  const { data: exposure } = useQuery(exposureQuery(schema));
  return {
    name: {
      key: "name",
      label: t(kind),
      cell: ({ name }) => <NameLink href={structurePath(schema, kind, name)} name={name} />,
    },
    comment: {
      key: "comment",
      label: t("comment"),
      cell: ({ comment }) =>
        comment === null ? null : (
          <span title={comment} dir="auto" className="text-ink-2">
            {comment}
          </span>
        ),
    },
    columns: {
      key: "columns",
      label: t("columns"),
      width: "w-22",
      isNumber: true,
      cell: ({ columns }) => format.number(columns),
    },
    exposure: {
      key: "exposure",
      label: t("dataApi"),
      width: "w-28",
      cell: ({ resourceId }) => (
        <ExposureBadge methods={resourceId === null ? [] : exposure?.get(resourceId)} />
      ),
    },
  } as const satisfies Record<string, ListColumn<Listed>>;
}
