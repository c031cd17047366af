import type { AdminOperations } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { Listing } from "../../shell/listing.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { StateBadge } from "../../ui/entries.tsx";
import { ListTable } from "../../ui/list-table.tsx";
import { Section } from "../../ui/section.tsx";
import { useResourceColumns } from "./use-resource-columns.tsx";

type View = AdminOperations["GET /schema/{schema}/views"]["answer"]["data"][number];

/** The views of a schema. */
export function ViewList({ schema }: { readonly schema: string }) {
  const t = useTranslations("structure");
  const shared = useResourceColumns("view", schema);
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
              shared.name,
              shared.comment,
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
              shared.columns,
              shared.exposure,
            ]}
          />
        )}
      </Listing>
    </Section>
  );
}
