import type { AdminOperations } from "@rowhouse/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFormatter, useLocale, useTranslations } from "use-intl";
import { RemoveSample, sampleComment } from "../../first-steps/sample.tsx";
import { bytesText } from "../../records/values/show-number.ts";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import { Listing } from "../../shell/listing.tsx";
import { ManagedMark } from "../../shell/managed.tsx";
import { NameLink } from "../../shell/name-link.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { useTask } from "../../shell/use-task.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { StateBadge } from "../../ui/entries.tsx";
import { type ListColumn, ListTable } from "../../ui/list-table.tsx";
import { Section } from "../../ui/section.tsx";
import { ToolButton, toolClasses } from "../../ui/tool-button.tsx";
import { newPath, structurePath } from "../model/paths.ts";
import { exposureQuery, type Schema } from "../model/queries.ts";

/** The tables and views of a schema, with the ways to new ones. */
export function SchemaContent({ schema }: { readonly schema: Schema }) {
  const t = useTranslations("structure");
  const queries = useQueryClient();
  const [isDropping, setDropping] = useState(false);
  const { name, tables, views, comment } = schema;
  const drop = useTask(async () => {
    await client.admin.delete("/schema/{schema}", {
      path: { schema: name },
      query: { confirm: name },
    });
    await queries.invalidateQueries({ queryKey: ["structure", "schemas"] });
    setDropping(false);
  }, []);
  const isEmpty = tables + views === 0;
  return (
    <div className="grid min-w-0 gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="grid min-w-0">
          <h2 className="text-4 font-semibold wrap-anywhere" dir="auto">
            {name}
          </h2>
          {comment !== null && (
            <p dir="auto" className="text-ink-2">
              {comment}
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {comment === sampleComment && <RemoveSample />}
          {isEmpty && (
            <ToolButton kind="danger" onClick={() => setDropping(true)}>
              {t("dropSchema")}
            </ToolButton>
          )}
          <AppLink href={newPath(name, "view")} className={toolClasses("plain")}>
            {t("newView")}
          </AppLink>
          <AppLink href={newPath(name, "table")} className={toolClasses("primary")}>
            {t("newTable")}
          </AppLink>
        </div>
      </div>
      {isEmpty && <EmptyState title={t("emptySchema")} text={t("emptySchemaText")} />}
      {tables > 0 && <TableList schema={name} />}
      {views > 0 && <ViewList schema={name} />}
      {isDropping && (
        <ConfirmTask
          title={t("dropSchemaTitle", { name })}
          confirm={t("dropSchema")}
          task={drop}
          onClose={() => setDropping(false)}
        >
          {t("dropSchemaText")}
        </ConfirmTask>
      )}
    </div>
  );
}

type View = AdminOperations["GET /schema/{schema}/views"]["answer"]["data"][number];

/** The views of a schema. */
function ViewList({ schema }: { readonly schema: string }) {
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

type Table = AdminOperations["GET /schema/{schema}/tables"]["answer"]["data"][number];

/** The tables of a schema with their sizes. */
function TableList({ schema }: { readonly schema: string }) {
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

/** What the lists of tables and of views show alike. */
interface Listed {
  readonly name: string;
  readonly comment: string | null;
  readonly columns: number;
  readonly resourceId: string | null;
}

/** Returns the columns that the lists of tables and of views have in common. */
function useResourceColumns(kind: "table" | "view", schema: string) {
  const t = useTranslations("structure");
  const format = useFormatter();
  const { data: exposure } = useQuery(exposureQuery(schema));
  return {
    name: {
      key: "name",
      label: t(kind),
      cell: ({ name }) => (
        <NameLink
          href={structurePath(schema, kind, name)}
          name={name}
          mark={<ManagedMark part={`${kind}s`} names={[schema, name]} />}
        />
      ),
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

/** Whether the Data API serves a table or view. */
export function ExposureBadge({ methods }: { readonly methods: readonly string[] | undefined }) {
  const t = useTranslations("structure");
  if (methods === undefined) return null;
  return methods.length === 0 ? (
    <StateBadge look="plain">{t("hidden")}</StateBadge>
  ) : (
    <span title={methods.join(", ")}>
      <StateBadge look="ok">{t("exposed")}</StateBadge>
    </span>
  );
}
