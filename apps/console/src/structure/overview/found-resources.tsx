import type { AdminOperations } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { Listing } from "../../shell/listing.tsx";
import { NameLink } from "../../shell/name-link.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { ListTable } from "../../ui/list-table.tsx";
import { Section } from "../../ui/section.tsx";
import { structurePath } from "../model/paths.ts";
import { ExposureBadge } from "./exposure-badge.tsx";

type Found = AdminOperations["GET /resources"]["answer"]["data"][number];

/** Tables and views of every schema whose name or label contains a text. */
export function FoundResources({ search }: { readonly search: string }) {
  const t = useTranslations("structure");
  const words = useTranslations("manage");
  const list = useListing(["structure", "found", search], (page, signal) =>
    client.admin.get("/resources", { query: { search, limit: 100, ...page }, signal }),
  );
  return (
    <Section title={t("found")}>
      <Listing listing={list} isFiltered empty={null}>
        {(items) => (
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
        )}
      </Listing>
    </Section>
  );
}
