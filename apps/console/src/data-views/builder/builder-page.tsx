import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { DeleteReadingDialog } from "../../records/saved/delete-reading-dialog.tsx";
import { LostFilters } from "../../records/saved/lost-filters.tsx";
import { useOwnWays, WaysProvider } from "../../records/values/ways.ts";
import { AppLink, useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { type Command, useCommands } from "../../shell/commands.ts";
import { LockedFields, ManagedNotice, useManagedLock } from "../../shell/managed.tsx";
import { type NavigationResource, navigationQuery } from "../../shell/navigation.ts";
import { RecordPage } from "../../shell/record-page.tsx";
import { readSeenAs, writeSeenAs } from "../../shell/seen-as.ts";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { useTitle } from "../../shell/use-title.ts";
import { classes, linkClasses } from "../../ui/classes.ts";
import { ExternalLink, Trash2, Undo2 } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { ToolButton, toolClasses } from "../../ui/tool-button.tsx";
import type { BuilderParts } from "./builder-parts.ts";
import type { BuilderSearch } from "./builder-search.ts";
import { ChooseTable } from "./choose-table.tsx";
import { dataViewApi } from "./data-view-api.ts";
import { fieldOptions } from "./field-options.ts";
import { faultsOfView, messageAt, useBuilder } from "./use-builder.ts";
import {
  draftOf,
  emptyDraft,
  isLimit,
  type Layout,
  type Presentation,
  type StoredView,
  type ViewDraft,
} from "./view-draft.ts";
import { ViewForm } from "./view-form.tsx";
import { ViewPreview } from "./view-preview.tsx";

const route = getRouteApi("/frame/admin/data-views/$id");

/** The builder of a DataView by its id, or under `new` of one that is created. */
export function BuilderPage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const ways = useOwnWays();
  const isNew = id === "new";
  const navigation = useQuery(navigationQuery);
  const view = useQuery({
    queryKey: ["data-views", id],
    enabled: !isNew,
    // What a person has changed must not change under them; a save compares with the present version.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }) =>
      (await client.admin.get("/data-views/{id}", { path: { id }, signal })).data,
  });
  const onSearch = (change: BuilderSearch) =>
    void navigate({ search: (last) => ({ ...last, ...change }), replace: true });
  const stored = isNew ? undefined : view.data;
  const isLoaded = navigation.data !== undefined && (isNew || stored !== undefined);
  return (
    <WaysProvider value={ways}>
      <RecordPage
        record={isLoaded ? navigation.data : undefined}
        error={navigation.error ?? view.error}
        onRetry={() => {
          void navigation.refetch();
          if (!isNew) void view.refetch();
        }}
      >
        {({ resources }) => {
          const chosen = resources.find((one) => one.id === search.resource);
          if (isNew && chosen === undefined) return <ChooseTable resources={resources} />;
          return (
            <ViewBuilder
              key={`${id} ${isNew ? search.resource : ""}`}
              stored={stored}
              first={stored === undefined ? emptyDraft(chosen) : draftOf(stored)}
              resources={resources}
              search={search}
              onSearch={onSearch}
            />
          );
        }}
      </RecordPage>
    </WaysProvider>
  );
}

interface ViewBuilderProps {
  /** Undefined for a new DataView. */
  readonly stored: StoredView | undefined;
  readonly first: ViewDraft;
  readonly resources: readonly NavigationResource[];
  readonly search: BuilderSearch;
  readonly onSearch: (change: BuilderSearch) => void;
}

/** A DataView: its parts on the left, and on the right what its readers see. */
export function ViewBuilder({ stored, first, resources, search, onSearch }: ViewBuilderProps) {
  const t = useTranslations("viewBuilder");
  const words = useTranslations("manage");
  const open = useOpen();
  const builder = useBuilder(stored, first);
  const { draft, conflict, change } = builder;
  const lock = useManagedLock("data-views", stored === undefined ? [] : [stored.name]);
  const [pane, showPane] = useState<"build" | "preview">("build");
  const [created, setCreated] = useState<string>();
  const [isDeleting, askToDelete] = useState(false);
  const kept = useRef(new Map<Layout, Presentation>());
  const as = useMemo(() => readSeenAs(search.as), [search.as]);
  const resource = resources.find(({ id }) => id === draft.resourceId);
  const [previewError, setPreviewError] = useState<unknown>(null);
  const limitFault = t("limitFault");
  const isReadable = isLimit(draft.limit);
  const faults = useMemo(
    () => [
      ...(isReadable ? [] : [{ code: "BODY_INVALID", path: "/limit", message: limitFault }]),
      ...builder.faults,
      ...faultsOfView(previewError, "/data/view"),
    ],
    [isReadable, limitFault, builder.faults, previewError],
  );
  const faultAt = (pointer: string) => messageAt(faults, pointer);
  const options = useMemo(
    () => (resource === undefined ? [] : fieldOptions(resource, resources)),
    [resource, resources],
  );
  const parts: BuilderParts | undefined =
    resource === undefined ? undefined : { draft, resource, options, faultAt, change };
  const filterFaults = useMemo(
    () => faults.map((fault) => ({ ...fault, path: `/data${fault.path ?? ""}` })),
    [faults],
  );
  const title = stored === undefined ? t("newTitle") : draft.name || stored.name;
  const address = stored === undefined ? undefined : `/app/data-views/${stored.id}`;
  useTitle(title);
  useLeaveGuard(builder.isUnsaved, t("leave"));
  useCommands(
    useMemo<readonly Command[]>(
      () =>
        address === undefined
          ? []
          : [
              {
                id: "open-data-view",
                group: "here",
                label: t("open"),
                icon: ExternalLink,
                run: () => open(address),
              },
            ],
      [address, open, t],
    ),
  );
  // A new one is complete from the beginning: the rows of its table, under its name.
  const maySave = stored === undefined || builder.isUnsaved || builder.lost.length > 0;
  const save = async (isForced = false) => {
    if (!isReadable || !maySave) return;
    const saved = await builder.save(isForced);
    if (stored === undefined) setCreated(saved?.id);
  };
  // The guard has seen by then that nothing is unsaved.
  useEffect(() => {
    if (created === undefined) return;
    const query = search.as === undefined ? "" : `?as=${encodeURIComponent(search.as)}`;
    open(`/admin/data-views/${created}${query}`);
  }, [created, search.as, open]);
  return (
    <form
      aria-label={title}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void save();
      }}
    >
      <PageHead
        title={<bdi>{title}</bdi>}
        trail={
          <>
            <AppLink href="/admin/data-views" className={linkClasses}>
              {t("trail")}
            </AppLink>
            <span aria-hidden="true"> / </span>
          </>
        }
      >
        {address !== undefined && (
          <AppLink href={address} className={toolClasses("plain")}>
            <ExternalLink size={14} aria-hidden="true" />
            {t("open")}
          </AppLink>
        )}
        {stored !== undefined && (
          <ToolButton kind="danger" disabled={lock.isLocked} onClick={() => askToDelete(true)}>
            <Trash2 size={14} aria-hidden="true" />
            {words("delete")}
          </ToolButton>
        )}
        {stored !== undefined && builder.isUnsaved && (
          <ToolButton onClick={builder.undo}>
            <Undo2 size={14} aria-hidden="true" />
            {t("undo")}
          </ToolButton>
        )}
        <button
          type="submit"
          disabled={builder.isBusy || !maySave}
          className={toolClasses("primary")}
        >
          {t("save")}
        </button>
      </PageHead>
      <ManagedNotice lock={lock} />
      <LostFilters lost={builder.lost} />
      <p role="status" className="sr-only">
        {builder.isUnsaved ? t("unsaved") : t("ready")}
      </p>
      {builder.failure !== undefined && <Notice kind="danger">{builder.failure}</Notice>}
      {conflict?.kind === "DELETED" && <Notice kind="danger">{t("deleted")}</Notice>}
      {conflict?.kind === "CHANGED" && (
        <Notice kind="danger">
          <p>{t("changed")}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            <ToolButton onClick={() => void save(true)}>{t("overwrite")}</ToolButton>
            <ToolButton onClick={() => builder.take(conflict.present)}>
              {t("takeTheirs")}
            </ToolButton>
          </div>
        </Notice>
      )}
      <PaneSwitch pane={pane} onChange={showPane} />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <div className={pane === "build" ? "min-w-0" : "min-w-0 max-lg:hidden"}>
          <LockedFields isLocked={lock.isLocked}>
            <ViewForm
              {...{ parts, draft, resources, faultAt }}
              isNew={stored === undefined}
              faults={filterFaults}
              kept={kept.current}
              onChange={change}
            />
          </LockedFields>
        </div>
        <div className={pane === "preview" ? "min-w-0" : "min-w-0 max-lg:hidden"}>
          <ViewPreview
            {...{ resources, as }}
            draft={resource === undefined || !isReadable ? undefined : draft}
            hasResource={resource !== undefined}
            onError={setPreviewError}
            onAs={(next) => onSearch({ as: writeSeenAs(next) })}
          />
        </div>
      </div>
      {isDeleting && stored !== undefined && (
        <DeleteReadingDialog
          api={dataViewApi}
          entry={{ ...stored, panelCount: null }}
          onDeleted={() => open("/admin/data-views")}
          onClose={() => askToDelete(false)}
        />
      )}
    </form>
  );
}

const panes = ["build", "preview"] as const;

type Pane = (typeof panes)[number];

/** Chooses what a narrow screen shows; a wide one has room for both. */
function PaneSwitch(props: { readonly pane: Pane; readonly onChange: (pane: Pane) => void }) {
  const t = useTranslations("viewBuilder");
  return (
    <fieldset className="flex gap-1 rounded-control bg-sunken p-1 lg:hidden">
      <legend className="sr-only">{t("show")}</legend>
      {panes.map((pane) => (
        <button
          key={pane}
          type="button"
          aria-pressed={props.pane === pane}
          onClick={() => props.onChange(pane)}
          className={classes(
            "h-7 flex-1 rounded-control font-medium",
            props.pane === pane ? "bg-surface text-ink" : "text-ink-2 hover:text-ink",
          )}
        >
          {t(pane)}
        </button>
      ))}
    </fieldset>
  );
}
