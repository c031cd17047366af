import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { linkClasses } from "../../ui/link-classes.ts";
import { ListTable } from "../../ui/list-table.tsx";
import { Section } from "../../ui/section.tsx";
import { structurePath } from "../model/paths.ts";
import type { View } from "../model/queries.ts";

/** The columns of a view, each with the column of a table that supplies it. */
export function ViewColumns({ view }: { readonly view: View }) {
  const t = useTranslations("structure");
  const own = useTranslations("viewEditor");
  return (
    <Section title={t("columns")} text={own("columnsText")}>
      <ListTable<View["columns"][number]>
        label={t("columns")}
        items={view.columns}
        keyOf={({ name }) => name}
        columns={[
          {
            key: "name",
            label: t("columns"),
            cell: ({ name }) => (
              <span dir="auto" title={name}>
                {name}
              </span>
            ),
          },
          {
            key: "type",
            label: own("type"),
            cell: ({ dataType }) => <code className="font-mono text-2">{dataType}</code>,
          },
          {
            key: "source",
            label: own("source"),
            cell: ({ source }) =>
              source === null ? (
                <span className="text-ink-2">{own("computed")}</span>
              ) : (
                <AppLink
                  href={structurePath(source.schema, "table", source.table)}
                  dir="auto"
                  className={linkClasses}
                >
                  {`${source.schema}.${source.table}.${source.column}`}
                </AppLink>
              ),
          },
        ]}
      />
    </Section>
  );
}
