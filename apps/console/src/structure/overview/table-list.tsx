import type { AdminOperations } from "@rowhouse/client";
import { useFormatter, useLocale, useTranslations } from "use-intl";
import { bytesText } from "../../records/values/show-number.ts";
import { client } from "../../shell/client.ts";
import { Listing } from "../../shell/listing.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { ListTable } from "../../ui/list-table.tsx";
import { Section } from "../../ui/section.tsx";
import { useResourceColumns } from "./use-resource-columns.tsx";

type Table = AdminOperations["GET /schema/{schema}/tables"]["answer"]["data"][number];

/** The tables of a schema with their sizes. */
export function TableList({ schema }: { readonly schema: string }) {
  const t = useTranslations("structure");
  const format = useFormatter();
  const locale = useLocale();
  const shared = useResourceColumns("table", schema);
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
              shared.name,
              shared.comment,
              shared.columns,
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
              shared.exposure,
            ]}
          />
        )}
      </Listing>
    </Section>
  );
}
