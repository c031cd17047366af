import type { AdminOperations } from "@rowhouse/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { Listing } from "../../shell/listing.tsx";
import { ManagedMark } from "../../shell/managed.tsx";
import { NameLink } from "../../shell/name-link.tsx";
import { SearchField } from "../../shell/search-field.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { useTask } from "../../shell/use-task.ts";
import { useTitle } from "../../shell/use-title.ts";
import { classes } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListTable } from "../../ui/list-table.tsx";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ToolButton, toolClasses } from "../../ui/tool-button.tsx";
import { mapPath, schemaListPath, structurePath } from "../model/paths.ts";
import { type Schema, schemasQuery } from "../model/queries.ts";
import { ExposureBadge, SchemaContent } from "./schema-content.tsx";

const route = getRouteApi("/frame/admin/structure/");

/** Schemas with their tables and views. Schema and search are in the address. */
export function StructurePage() {
  const t = useTranslations("structure");
  const words = useTranslations("manage");
  const { schema, search } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(schemasQuery);
  const [isCreating, setCreating] = useState(false);
  useTitle(t("title"));
  const usual = data?.find(({ tables, views }) => tables + views > 0) ?? data?.[0];
  const chosen = data?.find(({ name }) => name === schema) ?? usual;
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")}>
        <AppLink href={mapPath(chosen?.name)} className={toolClasses("plain")}>
          {t("map")}
        </AppLink>
        <ToolButton onClick={() => setCreating(true)}>{t("newSchema")}</ToolButton>
      </PageHead>
      <SearchField
        label={t("find")}
        placeholder={t("find")}
        value={search}
        onChange={(text) =>
          void navigate({ search: (last) => ({ ...last, search: text }), replace: true })
        }
      />
      {data === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton label={words("loading")} rows={8} />}
      {search !== undefined && <FoundResources search={search} />}
      {search === undefined && data !== undefined && chosen === undefined && (
        <EmptyState title={t("noSchemas")} text={t("noSchemasText")}>
          <ToolButton kind="primary" onClick={() => setCreating(true)}>
            {t("newSchema")}
          </ToolButton>
        </EmptyState>
      )}
      {search === undefined && data !== undefined && chosen !== undefined && (
        <div className="grid items-start gap-5 lg:grid-cols-[13rem_minmax(0,1fr)]">
          <SchemaLinks schemas={data} chosen={chosen.name} />
          <SchemaContent key={chosen.name} schema={chosen} />
        </div>
      )}
      {isCreating && (
        <NewSchemaDialog
          onClose={() => setCreating(false)}
          onCreated={(name) => {
            setCreating(false);
            void navigate({ search: { schema: name, search: undefined } });
          }}
        />
      )}
    </div>
  );
}

/** Asks for the name of a schema and creates it. */
function NewSchemaDialog(props: {
  readonly onClose: () => void;
  readonly onCreated: (name: string) => void;
}) {
  const t = useTranslations("structure");
  const words = useTranslations("manage");
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const task = useTask(async () => {
    const { data } = await client.admin.post("/schema", { data: { name } });
    await queries.invalidateQueries({ queryKey: ["structure", "schemas"] });
    props.onCreated(data.name);
  }, ["/data/name"]);
  return (
    <FormDialog title={t("newSchema")} onClose={props.onClose} task={task} submit={words("create")}>
      <TextField
        label={words("name")}
        name="name"
        autoComplete="off"
        value={name}
        onChange={setName}
        fault={task.faultAt("/data/name")}
        isFirst
      />
    </FormDialog>
  );
}

/** The schemas, each with the number of its tables and views. */
function SchemaLinks(props: { readonly schemas: readonly Schema[]; readonly chosen: string }) {
  const t = useTranslations("structure");
  return (
    <nav
      aria-label={t("schemas")}
      className="flex max-h-40 flex-wrap gap-0.5 overflow-y-auto lg:max-h-[70dvh] lg:flex-col lg:flex-nowrap"
    >
      {props.schemas.map(({ name, tables, views }) => (
        <AppLink
          key={name}
          href={schemaListPath(name)}
          title={name}
          aria-current={name === props.chosen ? "page" : undefined}
          className={classes(
            "flex min-h-7 max-w-full shrink-0 items-center gap-3 rounded-control px-2.5",
            name === props.chosen ? "bg-accent-soft font-medium text-accent" : "hover:bg-sunken",
          )}
        >
          <span className="min-w-0 flex-1 truncate" dir="auto">
            {name}
          </span>
          <span
            className={classes(
              "text-2 tabular-nums",
              name === props.chosen ? "text-accent" : "text-ink-2",
            )}
          >
            {tables + views}
          </span>
        </AppLink>
      ))}
    </nav>
  );
}

type Found = AdminOperations["GET /resources"]["answer"]["data"][number];

/** Tables and views of every schema whose name or label contains a text. */
function FoundResources({ search }: { readonly search: string }) {
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
                    mark={
                      <ManagedMark
                        part={kind === "TABLE" ? "tables" : "views"}
                        names={[schema, name]}
                      />
                    }
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
