import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import type {
  NavigationColumn,
  NavigationRelation,
  NavigationResource,
} from "../../shell/navigation.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Pencil, Plus, Trash2, X } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { InGrid } from "../lines/in-grid.tsx";
import { type LineList, lineList } from "../lines/line-list.ts";
import { SavedLines } from "../lines/saved-lines.tsx";
import { useRowFailureText } from "../model/fault-text.ts";
import type { PushRecord } from "../model/record-path.ts";
import { fieldsWithTitle, recordTitle } from "../model/record-title.ts";
import { relatedFilter, targetOf } from "../model/reference.ts";
import { addressOf, keyOf, type Row, readableColumns } from "../model/resource.ts";
import { SameTitles } from "../model/same-titles.tsx";
import { countRows } from "../rows/load-rows.ts";
import type { GridRow } from "../rows/row-store.ts";
import { formWrites } from "../rows/row-writes.ts";
import { type RowChanges, useLoneChanges } from "../rows/use-row-changes.ts";
import { CellValue } from "../values/cell-value.tsx";
import { useWays } from "../values/ways.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { NewRecordForm, type Parent } from "./new-record.tsx";
import { RecordForm, useRecord } from "./record-form.tsx";

interface RelatedRowsProps {
  /** The record, with its title. */
  readonly row: GridRow;
  readonly title: string;
  readonly relation: NavigationRelation;
  readonly resources: readonly NavigationResource[];
  readonly onPush: PushRecord;
}

/** Fields of lines that stand beside each other in a list of another record. */
const lineFieldsMax = 4;

/** The rows of another table that refer to a record: lines if they are short, else a list whose rows open as forms. */
export function RelatedRows(props: RelatedRowsProps) {
  const { relation, resources } = props;
  const target = targetOf(resources, relation);
  const list = useMemo(() => lineList(relation, resources), [relation, resources]);
  if (target === undefined) return null;
  return list !== null && isWritable(list) && list.fields.length <= lineFieldsMax ? (
    <SavedLines {...props} list={list} />
  ) : (
    <RelatedList {...props} target={target} />
  );
}

function isWritable({ mayAdd, mayChange, mayRemove }: LineList): boolean {
  return mayAdd || mayChange || mayRemove;
}

const pageSize = 25;

const namesOf = (target: NavigationResource) => readableColumns(target).map(({ name }) => name);
const shownColumns = 3;

function RelatedList(props: RelatedRowsProps & { readonly target: NavigationResource }) {
  const { row, relation, resources, target, onPush } = props;
  const t = useTranslations("record");
  const format = useFormatter();
  const describe = useFailureText();
  const ways = useWays();
  const describeRow = useRowFailureText();
  const changes = useLoneChanges(target);
  const [isAdding, setAdding] = useState(false);
  const [edited, edit] = useState<string | null>(null);
  const [removed, remove] = useState<GridRow | null>(null);
  const where = relatedFilter(relation, row.values);
  const fields = fieldsWithTitle(target, namesOf(target));
  const query = useInfiniteQuery({
    queryKey: ["related", relation.resource.id, where, fields],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: cursor }) =>
      client.from(addressOf(relation.resource)).list({
        ...{ where, fields, limit: pageSize, signal },
        etags: target.kind === "TABLE" && target.primaryKey.length > 0,
        ...(cursor === undefined ? {} : { cursor }),
      }),
    getNextPageParam: (last) => last.meta.nextCursor,
  });
  const pages = query.data?.pages ?? [];
  const [first] = pages;
  const isWhole = first !== undefined && first.rows.length < pageSize;
  // The rows do not wait for their number.
  const counted = useQuery({
    queryKey: ["related", relation.resource.id, "count", where],
    enabled: first !== undefined && !isWhole,
    queryFn: ({ signal }) => countRows(relation.resource, { where }, signal),
  });
  const count = isWhole ? first.rows.length : counted.data;
  const columns = otherColumns(target, relation);
  const may = (action: NavigationResource["actions"][number]) =>
    target.kind === "TABLE" && target.actions.includes(action);
  const parent = useParent(props, target);
  const titleIn = (values: Row, index: number) =>
    recordTitle(target, values, ways) ??
    keyOf(target, values)?.join(", ") ??
    format.number(index + 1);
  const related = pages.flatMap((page) =>
    page.rows.map((values, index): GridRow => {
      const key = keyOf(target, values);
      const id = key === null ? "" : JSON.stringify(key);
      return { id, key, values, etag: page.meta.etags?.[index] };
    }),
  );
  return (
    <div className="grid min-h-0 flex-1 content-start gap-2 overflow-auto p-4">
      {query.error !== null && <Notice kind="danger">{describe(query.error)}</Notice>}
      {changes.error !== undefined && !isAdding && edited === null && (
        <Notice kind="danger">{describeRow(changes.error, target.columns)}</Notice>
      )}
      {query.data === undefined && query.error === null && (
        <Skeleton label={t("loading")} rows={5} />
      )}
      {query.data !== undefined && (
        <div className="flex items-center gap-3 text-2 text-ink-2">
          <span role="status">{count !== undefined && t("relatedCount", { count })}</span>
          <SameTitles resource={target} rows={first?.rows ?? []} />
          <InGrid target={target} where={where} />
          <span className="flex-1" />
          {may("CREATE") && parent !== null && !isAdding && (
            <ToolButton
              onClick={() => {
                changes.dismiss();
                setAdding(true);
              }}
            >
              <Plus size={14} aria-hidden="true" />
              {t("add")}
            </ToolButton>
          )}
        </div>
      )}
      {isAdding && parent !== null && (
        <InPlace>
          <NewRecordForm
            {...{ resource: target, resources, parent, changes }}
            initial={noValues}
            onCreated={() => setAdding(false)}
            onClose={() => {
              changes.dismiss();
              setAdding(false);
            }}
          />
        </InPlace>
      )}
      <ul className="grid">
        {related.map((one, index) => (
          <RelatedItem
            key={one.key === null ? index : one.id}
            {...{ one, target, resources, columns, onPush }}
            name={titleIn(one.values, index)}
            isEdited={edited === one.id}
            onEdit={may("UPDATE") ? () => edit(edited === one.id ? null : one.id) : null}
            onDelete={
              may("DELETE")
                ? () => {
                    changes.dismiss();
                    remove(one);
                  }
                : null
            }
          />
        ))}
      </ul>
      {query.hasNextPage && (
        <ToolButton disabled={query.isFetching} onClick={() => void query.fetchNextPage()}>
          {t("more")}
        </ToolButton>
      )}
      {removed !== null && (
        <DeleteDialog row={removed} changes={changes} onClose={() => remove(null)} />
      )}
    </div>
  );
}

/** A row of the list: its title and some values, which open it, and its form while it is edited in its place. */
function RelatedItem(props: {
  readonly one: GridRow;
  readonly name: string;
  readonly target: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly columns: readonly NavigationColumn[];
  readonly isEdited: boolean;
  /** Null for what the person may not do. */
  readonly onEdit: (() => void) | null;
  readonly onDelete: (() => void) | null;
  readonly onPush: PushRecord;
}) {
  const { one, name, target, resources, columns, isEdited, onEdit, onDelete, onPush } = props;
  const { key, values } = one;
  const t = useTranslations("record");
  return (
    <li className="border-line border-b last:border-b-0">
      <div className="flex items-center gap-0.5">
        <button
          type="button"
          disabled={key === null}
          onClick={() => key !== null && onPush(target, key)}
          className="grid w-full min-w-0 flex-1 gap-0.5 rounded-control px-2 py-1.5 text-left hover:bg-sunken"
        >
          <bdi className="min-w-0 truncate font-medium">{name}</bdi>
          <span className="flex min-w-0 gap-3 overflow-hidden text-2 text-ink-2">
            {columns.map((column) => (
              <span key={column.name} className="flex min-w-0 max-w-1/2">
                <CellValue column={column} value={values[column.name]} />
              </span>
            ))}
          </span>
        </button>
        {onEdit !== null && key !== null && (
          <IconButton
            label={t(isEdited ? "closeLine" : "editLine", { line: name })}
            icon={isEdited ? X : Pencil}
            onPress={onEdit}
          />
        )}
        {onDelete !== null && key !== null && (
          <IconButton label={t("deleteLine", { line: name })} icon={Trash2} onPress={onDelete} />
        )}
      </div>
      {isEdited && key !== null && (
        <InPlace>
          <OneRecord address={{ resource: target, key }} {...{ resources, onPush }} />
        </InPlace>
      )}
    </li>
  );
}

const noValues: Row = {};

/** The readable columns that say more than the title and the record to which the rows belong. */
function otherColumns(target: NavigationResource, relation: NavigationRelation) {
  const titled = new Set(target.title.map(({ field }) => field));
  const joined = new Set((relation.columns ?? []).map(({ to }) => to));
  return readableColumns(target)
    .filter(({ name }) => !titled.has(name) && !joined.has(name))
    .filter(({ name }) => titled.size === 0 || !target.primaryKey.includes(name))
    .slice(0, shownColumns);
}

/** The record as the parent of a new row; null if the person may not set the columns that name it. */
function useParent({ row, title, relation }: RelatedRowsProps, target: NavigationResource) {
  return useMemo((): Parent | null => {
    const pairs = relation.columns ?? [];
    const isSet = pairs.every(
      ({ to }) => target.columns.find(({ name }) => name === to)?.creatable,
    );
    if (!isSet) return null;
    const label = target.relations.find(({ name }) => name === relation.inverse)?.label;
    const values = Object.fromEntries(pairs.map(({ from, to }) => [to, row.values[from]]));
    return { label: label ?? relation.label, title, values };
  }, [row, title, relation, target]);
}

function InPlace({ children }: { readonly children: ReactNode }) {
  return (
    <div className="my-2 flex min-w-0 flex-col rounded-panel border border-line-strong bg-surface">
      {children}
    </div>
  );
}

/** A related record in its place in the list, with the lines that are its parts. */
function OneRecord({
  address,
  resources,
  onPush,
}: {
  readonly address: Parameters<typeof useRecord>[0];
  readonly resources: readonly NavigationResource[];
  readonly onPush: PushRecord;
}) {
  const t = useTranslations("record");
  const describe = useFailureText();
  const { row, error, changes } = useRecord(address);
  if (error !== null) return <Notice kind="danger">{describe(error)}</Notice>;
  if (row === undefined) return <Skeleton label={t("loading")} rows={4} />;
  return (
    <>
      <RecordForm
        {...{ resource: address.resource, resources, row, onPush }}
        error={changes.error}
        isBusy={changes.isBusy}
        onSave={(base, after, lines) => changes.write(formWrites(base, after, lines))}
      />
      {changes.conflict !== null && (
        <ConflictDialog
          resource={address.resource}
          conflict={changes.conflict}
          onClose={changes.dismiss}
          onResolve={(current, chosen) => void changes.resolve(current, chosen)}
        />
      )}
    </>
  );
}

function DeleteDialog(props: {
  readonly row: GridRow;
  readonly changes: RowChanges;
  readonly onClose: () => void;
}) {
  const t = useTranslations("grid");
  return (
    <Dialog title={t("deleteTitle", { count: 1 })} onClose={props.onClose}>
      <p className="text-ink-2">{t("deleteText")}</p>
      <DialogActions>
        <ToolButton onClick={props.onClose}>{t("cancel")}</ToolButton>
        <ToolButton
          kind="danger"
          onClick={() => {
            props.onClose();
            void props.changes.remove([props.row]);
          }}
        >
          {t("delete", { count: 1 })}
        </ToolButton>
      </DialogActions>
    </Dialog>
  );
}
