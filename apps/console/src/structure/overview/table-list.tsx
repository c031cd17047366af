import type { AdminOperations } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useFormatter, useLocale, useTranslations } from "use-intl";
import { bytesText } from "../../records/values/show-number.ts";
import { client } from "../../shell/client.ts";
import { Listing } from "../../shell/listing.tsx";
import { NameLink } from "../../shell/name-link.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { ListTable } from "../../ui/list-table.tsx";
import { Section } from "../../ui/section.tsx";
import { structurePath } from "../model/paths.ts";
import { exposureQuery } from "../model/queries.ts";
import { ExposureBadge } from "./exposure-badge.tsx";

type Table = AdminOperations["GET /schema/{schema}/tables"]["answer"]["data"][number];

/** The tables of a schema with their sizes. */
export function TableList({ schema }: { readonly schema: string }) {
  const t = useTranslations("structure");
  const format = useFormatter();
  const locale = useLocale();
  const { data: exposure } = useQuery(exposureQuery(schema));
  const list = useListing(["structure", "tables", schema], (page, signal) =>
    client.admin.get("/schema/{schema}/tables", {
      path: { schema },
      query: { limit: 100, ...page },
      signal,
    }),
  );
  const sizeOf = ({ tableBytes, indexBytes }: Table) =>
    tableBytes === null || indexBytes === null
      ? t("unknown")
      : bytesText(String(tableBytes + indexBytes), locale);
  return (
    <Section title={t("tables")}>
      <Listing listing={list} isFiltered={false} empty={null}>
        {(items) => (
          <ListTable<Table>
            label={t("tables")}
            items={items}
            keyOf={({ name }) => name}
            columns={[
              {
                key: "name",
                label: t("table"),
                cell: ({ name }) => (
                  <NameLink href={structurePath(schema, "table", name)} name={name} />
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
                key: "columns",
                label: t("columns"),
                width: "w-22",
                isNumber: true,
                cell: ({ columns }) => format.number(columns),
              },
              {
                key: "rows",
                label: t("rows"),
                width: "w-28",
                isNumber: true,
                cell: ({ rowEstimate }) =>
                  rowEstimate === null ? t("unknown") : format.number(rowEstimate),
              },
              {
                key: "size",
                label: t("size"),
                width: "w-24",
                isNumber: true,
                cell: (table) => <bdi>{sizeOf(table)}</bdi>,
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
