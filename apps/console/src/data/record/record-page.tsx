import { writeRowId } from "@rowhouse/wire";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useId, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { otherLists } from "../../records/lines/line-list.ts";
import {
  type PushRecord,
  type RecordAddress,
  readRecordPath,
  recordPath,
} from "../../records/model/record-path.ts";
import { kindOf, type RowKey, titleOf } from "../../records/model/resource.ts";
import { ConflictDialog } from "../../records/panel/conflict-dialog.tsx";
import { RecordForm, useRecord } from "../../records/panel/record-form.tsx";
import { RelatedRows } from "../../records/panel/related-rows.tsx";
import { RowHistory } from "../../records/panel/row-history.tsx";
import type { GridRow } from "../../records/rows/row-store.ts";
import { formWrites } from "../../records/rows/row-writes.ts";
import type { RowChanges } from "../../records/rows/use-row-changes.ts";
import { hasInstants } from "../../records/values/value-kind.ts";
import { useOwnWays, WaysProvider } from "../../records/values/ways.ts";
import { AppLink, useOpen } from "../../shell/app-link.tsx";
import { CopyCurl, CopyText } from "../../shell/copy-text.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { mcpCallText, readRowsCall, useMayCall, useMcp } from "../../shell/mcp-call.ts";
import { MissingPage } from "../../shell/message-page.tsx";
import { type NavigationResource, navigationQuery, resourcePath } from "../../shell/navigation.ts";
import { RecordPage as Page } from "../../shell/record-page.tsx";
import { ZoneNote } from "../../shell/time/zone-note.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { classes, linkClasses } from "../../ui/classes.ts";
import { ChevronRight } from "../../ui/icons.generated.ts";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

const route = getRouteApi("/frame/app/records/$schema/$kind/$name/$key");

/** One row as a page of its own: its values, the rows that refer to it, and its history. */
export function RecordPage() {
  const { schema, kind, name, key } = route.useParams();
  const words = useTranslations("record");
  const ways = useOwnWays();
  const { data, error, refetch } = useQuery(navigationQuery);
  const address = useMemo(() => {
    const resource = data?.resources.find(
      (one) => one.schema === schema && one.name === name && kindOf(one) === kind,
    );
    if (data === undefined || resource === undefined) return null;
    // The values of a key are encoded each by itself, which the parameter no longer shows.
    const written = location.pathname.split("/").at(-1) ?? key;
    return readRecordPath(`${recordPath(resource, []).replace(/\/$/, "")}/${written}`, [resource]);
  }, [data, schema, kind, name, key]);
  if (data === undefined) {
    return (
      <div className={pageClasses}>
        {error === null ? (
          <Skeleton label={words("loading")} rows={8} />
        ) : (
          <FailureNotice error={error} onRetry={() => void refetch()} />
        )}
      </div>
    );
  }
  if (address === null) return <MissingPage isInFrame />;
  return (
    <WaysProvider value={ways}>
      <OneRecord
        key={recordPath(address.resource, address.key)}
        address={address}
        resources={data.resources}
      />
    </WaysProvider>
  );
}

function OneRecord(props: {
  readonly address: RecordAddress;
  readonly resources: readonly NavigationResource[];
}) {
  const { address, resources } = props;
  const { resource, key } = address;
  const open = useOpen();
  const grid = useTranslations("grid");
  const hasMcp = useMcp();
  const mayCall = useMayCall();
  const { row, error, title, changes } = useRecord(address);
  useTitle(title);
  const push: PushRecord = (target, other) => open(`/app/records/${recordPath(target, other)}`);
  return (
    <Page record={row} error={error} onRetry={() => location.reload()}>
      {(found) => (
        <>
          <PageHead
            title={<bdi>{title}</bdi>}
            trail={
              <>
                <AppLink href={resourcePath(resource)} className={linkClasses}>
                  <bdi>{titleOf(resource)}</bdi>
                </AppLink>
                <span aria-hidden="true"> / </span>
              </>
            }
          >
            {hasInstants(resource.columns) && <ZoneNote />}
            <CopyCurl path={() => requestPath(address)} />
            {mayCall && hasMcp && (
              <CopyText
                label={grid("copyCall")}
                text={() => mcpCallText(readRowsCall(resource, { key }))}
              />
            )}
          </PageHead>
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
            <div className="flex min-w-0 flex-col rounded-panel border border-line bg-surface">
              <RecordForm
                resource={resource}
                resources={resources}
                row={found}
                error={changes.error}
                isBusy={changes.isBusy}
                onPush={push}
                onSave={(base, after, lines) => changes.write(formWrites(base, after, lines))}
              />
            </div>
            <RelatedLists
              {...{ resource, resources, changes, title }}
              rowKey={key}
              row={found}
              onPush={push}
            />
          </div>
          {changes.conflict !== null && (
            <ConflictDialog
              resource={resource}
              conflict={changes.conflict}
              onClose={changes.dismiss}
              onResolve={(current, chosen) => void changes.resolve(current, chosen)}
            />
          )}
        </>
      )}
    </Page>
  );
}

/** The path of one row in the Data API. */
function requestPath({ resource, key }: RecordAddress): string {
  return `${resource.path}/${writeRowId(key)}`;
}

/** Lists that are open at first; each open one is a request. */
const openFirst = 4;

interface RelatedListsProps {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly rowKey: RowKey;
  readonly row: GridRow;
  readonly title: string;
  readonly changes: RowChanges;
  readonly onPush: PushRecord;
}

/** The rows of other tables that refer to a record, and its history, each in a part that can be folded away. */
function RelatedLists(props: RelatedListsProps) {
  const { resource, resources, rowKey, row, title, changes, onPush } = props;
  const t = useTranslations("record");
  const lists = useMemo(() => otherLists(resource, resources), [resource, resources]);
  return (
    <div className="grid min-w-0 gap-3">
      {lists.map((relation, index) => (
        <Fold key={relation.name} title={relation.label} isOpenFirst={index < openFirst}>
          <RelatedRows {...{ row, title, relation, resources, onPush }} />
        </Fold>
      ))}
      {resource.history && (
        <Fold title={t("history")} isOpenFirst>
          <RowHistory resource={resource} rowKey={rowKey} row={row} changes={changes} />
        </Fold>
      )}
      {lists.length === 0 && !resource.history && (
        <p className="text-ink-2">{t("nothingRelated")}</p>
      )}
    </div>
  );
}

function Fold(props: {
  readonly title: string;
  readonly isOpenFirst: boolean;
  readonly children: ReactNode;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(props.isOpenFirst);
  return (
    <section
      aria-labelledby={id}
      className="flex max-h-120 min-w-0 flex-col rounded-panel border border-line bg-surface"
    >
      <h2 className="shrink-0">
        <button
          type="button"
          id={id}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex h-9 w-full min-w-0 items-center gap-1.5 rounded-panel px-3 text-left font-medium hover:bg-sunken"
        >
          <ChevronRight
            size={14}
            aria-hidden="true"
            className={classes("shrink-0 transition-transform duration-100", isOpen && "rotate-90")}
          />
          <span className="truncate" dir="auto" title={props.title}>
            {props.title}
          </span>
        </button>
      </h2>
      {isOpen && props.children}
    </section>
  );
}
