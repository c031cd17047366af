import { queryOptions, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type RefObject, useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/classes.ts";
import { svgFile } from "../../ui/drawing/svg-file.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Download } from "../../ui/icons.generated.ts";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { fileName, saveFile } from "../../ui/save-file.ts";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { schemasQuery } from "../model/queries.ts";
import type { MapSearch } from "../structure-search.ts";
import { layoutMap } from "./layout-map.ts";
import { MapCanvas } from "./map-canvas.tsx";
import { createGraph, type MapGraph, type TableName } from "./map-graph.ts";
import { MapList } from "./map-list.tsx";
import { lookOf } from "./table-look.ts";

const route = getRouteApi("/frame/admin/structure/map");

/** Tables and the foreign keys between them, as a drawing or as a list. Both choices are in the address. */
export function MapPage() {
  const t = useTranslations("schemaMap");
  const drawn = useTranslations("drawing");
  const words = useTranslations("manage");
  const structure = useTranslations("structure");
  const { schema, view } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: schemas = [] } = useQuery(schemasQuery);
  const { data, error, refetch } = useQuery(mapQuery(schema));
  const graph = useMemo(() => data && createGraph(data.tables, data.keys), [data]);
  const drawing = useRef<SVGSVGElement>(null);
  useTitle(t("title"));
  const change = (next: Partial<MapSearch>) =>
    void navigate({ search: (last) => ({ ...last, ...next }), replace: true });
  const save = () => {
    const name = schema ?? t("allSchemas");
    if (drawing.current !== null) saveFile(svgFile(drawing.current), fileName(name, "svg"));
  };
  const names = [...new Set([...schemas.map(({ name }) => name), ...(schema ? [schema] : [])])];
  return (
    <div className={pageClasses}>
      <PageHead
        title={t("title")}
        trail={
          <>
            <AppLink href="/admin/structure" className={linkClasses}>
              {structure("title")}
            </AppLink>
            {" /"}
          </>
        }
        text={t("text")}
      >
        {view === undefined && graph !== undefined && graph.tables.length > 0 && (
          <ToolButton onClick={save}>
            <Download size={14} aria-hidden="true" />
            {drawn("save")}
          </ToolButton>
        )}
      </PageHead>
      <div className="flex flex-wrap items-center gap-3">
        <Select
          label={structure("schema")}
          value={schema ?? ""}
          options={[
            { value: "", label: t("allSchemas") },
            ...names.map((value) => ({ value, label: value, isName: true })),
          ]}
          onChange={(value) => change({ schema: value === "" ? undefined : value })}
        />
        <Select
          label={t("shownAs")}
          value={view ?? "drawing"}
          options={[
            { value: "drawing", label: t("drawing") },
            { value: "list", label: t("list") },
          ]}
          onChange={(value) => change({ view: value === "list" ? value : undefined })}
        />
        {graph !== undefined && (
          <span role="status" className="text-2 text-ink-2">
            {t("counts", { tables: graph.tables.length, keys: graph.keys.length })}
          </span>
        )}
      </div>
      {data === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton label={words("loading")} rows={8} />}
      {graph?.tables.length === 0 && <EmptyState title={t("empty")} text={t("emptyText")} />}
      {graph !== undefined && graph.tables.length > 0 && view === undefined && (
        <MapDrawing key={schema} graph={graph} hasSchema={schema === undefined} drawing={drawing} />
      )}
      {graph !== undefined && graph.tables.length > 0 && view === "list" && (
        <MapList graph={graph} />
      )}
    </div>
  );
}

/** The map as a drawing. */
function MapDrawing(props: {
  readonly graph: MapGraph;
  /** Whether the map has tables of several schemas. */
  readonly hasSchema: boolean;
  readonly drawing: RefObject<SVGSVGElement | null>;
}) {
  const { graph, hasSchema, drawing } = props;
  const looks = useMemo(
    () => graph.tables.map((table) => lookOf(table, hasSchema)),
    [graph, hasSchema],
  );
  const layout = useMemo(() => layoutMap(graph, looks), [graph, looks]);
  return <MapCanvas {...{ graph, looks, layout, drawing }} />;
}

interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly nextCursor: string | null };
}

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** All tables of a schema, or of every schema, and the foreign keys from and to them. */
function mapQuery(schema: string | undefined) {
  const filter = schema === undefined ? {} : { schema };
  return queryOptions({
    queryKey: ["structure", "map", schema],
    queryFn: async ({ signal }) => {
      const [tables, keys] = await Promise.all([
        loadAll((page) => {
          const query = { kind: "TABLE" as const, ...filter, ...page };
          return client.admin.get("/resources", { query, signal });
        }),
        loadAll((page) =>
          client.admin.get("/foreign-keys", { query: { ...filter, ...page }, signal }),
        ),
      ]);
      const names: TableName[] = tables.map(({ schema: own, name }) => ({ schema: own, name }));
      return { tables: names, keys };
    },
  });
}

/** Loads every page of a list. */
async function loadAll<Item>(load: (page: PageQuery) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await load({ limit: 1000, ...(cursor === null ? {} : { cursor }) });
    items.push(...page.data);
    cursor = page.meta.nextCursor;
  } while (cursor !== null);
  return items;
}
