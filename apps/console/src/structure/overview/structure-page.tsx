import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { SearchField } from "../../shell/search-field.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton, toolClasses } from "../../ui/tool-button.tsx";
import { mapPath } from "../model/paths.ts";
import { schemasQuery } from "../model/queries.ts";
import { FoundResources } from "./found-resources.tsx";
import { NewSchemaDialog } from "./new-schema-dialog.tsx";
import { SchemaContent } from "./schema-content.tsx";
import { SchemaLinks } from "./schema-links.tsx";

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
