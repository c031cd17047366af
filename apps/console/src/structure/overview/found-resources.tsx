import type { AdminOperations } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useListing } from "../../shell/use-listing.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListTable } from "../../ui/list-table.tsx";
import { structurePath } from "../model/paths.ts";
import { ExposureBadge } from "./exposure-badge.tsx";
import { ListFrame } from "./list-frame.tsx";
import { NameLink } from "./name-link.tsx";

type Found = AdminOperations["GET /resources"]["answer"]["data"][number];

/** Tables and views of every schema whose name or label contains a text. */
export function FoundResources({ search }: { readonly search: string }) {
  const t = useTranslations("structure");
  const words = useTranslations("manage");
  const list = useListing(["structure", "found", search], (page, signal) =>
    client.admin.get("/resources", { query: { search, limit: 100, ...page }, signal }),
  );
  return (
    <ListFrame title={t("found")} list={list}>
      {(items) =>
        items.length === 0 ? (
          <EmptyState title={words("nothingFound")} />
        ) : (
          <ListTable<Found>
            label={t("found")}
            items={items}
            keyOf={({ id }) => id}
            columns={[
              {
                key: "name",
                label: words("name"),
                cell: ({ schema, name, kind }) => (
                  <NameLink
                    href={structurePath(schema, kind === "TABLE" ? "table" : "view", name)}
                    name={name}
                  />
                ),
              },
              { key: "label", label: t("label"), cell: ({ label }) => <bdi>{label}</bdi> },
              { key: "schema", label: t("schema"), cell: ({ schema }) => <bdi>{schema}</bdi> },
              {
                key: "kind",
                label: t("kind"),
                width: "w-28",
                cell: ({ kind }) => t(kind === "TABLE" ? "table" : "view"),
              },
              {
                key: "exposure",
                label: t("dataApi"),
                width: "w-28",
                cell: ({ exposedMethods }) => <ExposureBadge methods={exposedMethods} />,
              },
            ]}
          />
        )
      }
    </ListFrame>
  );
}
