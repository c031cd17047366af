import type { AdminOperations } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { Listing } from "../../shell/listing.tsx";
import { NameLink } from "../../shell/name-link.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { StateBadge } from "../../ui/entries.tsx";
import { ListTable } from "../../ui/list-table.tsx";
import { Section } from "../../ui/section.tsx";
import { structurePath } from "../model/paths.ts";
import { exposureQuery } from "../model/queries.ts";
import { ExposureBadge } from "./exposure-badge.tsx";

type View = AdminOperations["GET /schema/{schema}/views"]["answer"]["data"][number];

/** The views of a schema. */
export function ViewList({ schema }: { readonly schema: string }) {
  const t = useTranslations("structure");
  const format = useFormatter();
  const { data: exposure } = useQuery(exposureQuery(schema));
  const list = useListing(["structure", "views", schema], (page, signal) =>
    client.admin.get("/schema/{schema}/views", {
      path: { schema },
      query: { limit: 100, ...page },
      signal,
    }),
  );
  return (
    <Section title={t("views")}>
      <Listing listing={list} isFiltered={false} empty={null}>
        {(items) => (
          <ListTable<View>
            label={t("views")}
            items={items}
            keyOf={({ name }) => name}
            columns={[
              {
                key: "name",
                label: t("view"),
                cell: ({ name }) => (
                  <NameLink href={structurePath(schema, "view", name)} name={name} />
                ),
              },
              {
                key: "comment",
                label: t("comment"),
                cell: ({ comment }) =>
                  comment === null ? null : (
                    <span title={comment} dir="auto" className="text-ink-2">
                      {comment}
                    </span>
                  ),
              },
              {
                key: "kind",
                label: t("kind"),
                width: "w-56",
                cell: ({ materialized, populated }) => (
                  <span className="flex flex-wrap gap-2">
                    {t(materialized ? "materialized" : "plainView")}
                    {!populated && <StateBadge look="warn">{t("notFilled")}</StateBadge>}
                  </span>
                ),
              },
              {
                key: "columns",
                label: t("columns"),
                width: "w-22",
                isNumber: true,
                cell: ({ columns }) => format.number(columns),
              },
              {
                key: "exposure",
                label: t("dataApi"),
                width: "w-28",
                cell: ({ resourceId }) => (
                  <ExposureBadge methods={resourceId === null ? [] : exposure?.get(resourceId)} />
                ),
              },
            ]}
          />
        )}
      </Listing>
    </Section>
  );
}
