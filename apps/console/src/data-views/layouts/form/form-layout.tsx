import { writeName } from "@rowhouse/access/written-name";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { recordTitle } from "../../../records/model/record-title.ts";
import {
  keyOf,
  type Row,
  type RowKey,
  readableColumns,
  titleOf,
} from "../../../records/model/resource.ts";
import { ConflictDialog } from "../../../records/panel/conflict-dialog.tsx";
import { rowsByKey } from "../../../records/rows/load-rows.ts";
import { type GridRow, RowStore } from "../../../records/rows/row-store.ts";
import { useRowChanges } from "../../../records/rows/use-row-changes.ts";
import { CellValue } from "../../../records/values/cell-value.tsx";
import { useWays } from "../../../records/values/ways.ts";
import { useFailureText } from "../../../shell/failure-text.ts";
import type { NavigationResource } from "../../../shell/navigation.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ChevronRight, Plus } from "../../../ui/icons.generated.ts";
import { Notice } from "../../../ui/notice.tsx";
import { ToolButton } from "../../../ui/tool-button.tsx";
import type { FormSection } from "./form-draft.ts";
import { RowForm } from "./row-form.tsx";
import { SavedRow } from "./saved-row.tsx";

interface FormLayoutProps {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly use: "CREATE" | "EDIT" | "BOTH";
  readonly sections: readonly FormSection[];
  /** The columns that the system sets. */
  readonly presets: { readonly create: readonly string[]; readonly update: readonly string[] };
  /** The rows of the DataView, one of which can be chosen. */
  readonly rows: readonly Row[];
  /** Loads more rows; null if there are no others. */
  readonly onMore: (() => void) | null;
  /** Whether nothing can be saved. */
  readonly isPreview: boolean;
  /** A row was created or changed. */
  readonly onWritten: () => void;
}

/** What the form shows: one of the rows to choose, a row that is changed, a new row, or what was saved. */
type Shown =
  | { readonly kind: "CHOICE" }
  | { readonly kind: "NEW"; readonly count: number }
  | { readonly kind: "ROW"; readonly row: GridRow }
  | { readonly kind: "SAVED"; readonly row: GridRow; readonly isNew: boolean };

/** A DataView as a form: it creates rows, or changes a chosen one. */
export function FormLayout(props: FormLayoutProps) {
  const { resource, resources, use, sections, presets, isPreview, onWritten } = props;
  const t = useTranslations("viewForm");
  const describe = useFailureText();
  const queries = useQueryClient();
  const mayCreate = use !== "EDIT" && resource.actions.includes("CREATE");
  const mayChange = use !== "CREATE";
  const [shown, show] = useState<Shown>(
    mayChange || !mayCreate ? { kind: "CHOICE" } : { kind: "NEW", count: 0 },
  );
  const [loading, setLoading] = useState<unknown>();
  const fields = useMemo(
    () => readableColumns(resource).map(({ name }) => writeName(name)),
    [resource],
  );
  const [store] = useState(() => new RowStore(async () => ({ rows: [], next: null })));
  const changes = useRowChanges(resource, fields, store);
  const leave = mayChange ? () => show({ kind: "CHOICE" }) : null;
  const startNew = () => {
    changes.dismiss();
    show((last) => ({ kind: "NEW", count: last.kind === "NEW" ? last.count + 1 : 0 }));
  };
  const load = async (key: RowKey): Promise<GridRow | undefined> =>
    (await rowsByKey(resource, fields, [key]))[0];
  const choose = (row: Row) => {
    const key = keyOf(resource, row);
    if (key === null) return;
    changes.dismiss();
    setLoading(undefined);
    const held: GridRow = { id: JSON.stringify(key), key, values: row, etag: undefined };
    // A preview shows what its person may read, which is not what the administrator may.
    if (isPreview) return show({ kind: "ROW", row: held });
    load(key).then(
      (found) => (found === undefined ? onWritten() : show({ kind: "ROW", row: found })),
      setLoading,
    );
  };
  const create = async (values: Row): Promise<boolean> => {
    const rows = await changes.create([values]);
    if (rows === null) return false;
    const [row] = rows;
    if (row !== undefined) show({ kind: "SAVED", row, isNew: true });
    else show({ kind: "SAVED", row: unseen(values), isNew: true });
    onWritten();
    return true;
  };
  const save = async (row: GridRow, values: Row): Promise<boolean> => {
    const isWritten = await changes.write({ changes: [{ row, after: values }] });
    if (!isWritten || row.key === null) return false;
    const found = await load(row.key).catch(() => undefined);
    show({ kind: "SAVED", row: found ?? unseen({ ...row.values, ...values }), isNew: false });
    await queries.invalidateQueries({ queryKey: ["record", resource.id] });
    onWritten();
    return true;
  };
  const form = { resource, resources, sections, isPreview, isBusy: changes.isBusy };
  return (
    <div className="grid content-start gap-5 p-4 md:p-6">
      {loading !== undefined && <Notice kind="danger">{describe(loading)}</Notice>}
      {shown.kind === "CHOICE" && (
        <>
          {mayCreate && (
            <div>
              <ToolButton kind="primary" onClick={startNew}>
                <Plus size={15} aria-hidden="true" />
                {t("new")}
              </ToolButton>
            </div>
          )}
          {mayChange ? (
            <RowChoice
              {...{ resource, rows: props.rows, onMore: props.onMore }}
              onChoose={choose}
            />
          ) : (
            <p className="text-ink-2">{t("notAllowed")}</p>
          )}
        </>
      )}
      {shown.kind === "NEW" && (
        <RowForm
          key={shown.count}
          {...form}
          presets={presets.create}
          row={null}
          error={changes.error}
          onSave={create}
          onCancel={leave}
        />
      )}
      {shown.kind === "ROW" && (
        <RowForm
          key={shown.row.id}
          {...form}
          presets={presets.update}
          row={shown.row}
          error={changes.error}
          onSave={(values) => save(shown.row, values)}
          onCancel={leave}
        />
      )}
      {shown.kind === "SAVED" && (
        <SavedRow
          {...{ resource, sections }}
          row={shown.row}
          isNew={shown.isNew}
          onChange={mayChange && shown.row.key !== null ? () => choose(shown.row.values) : null}
          onNew={mayCreate ? startNew : null}
          onList={leave}
        />
      )}
      {changes.conflict !== null && (
        <ConflictDialog
          resource={resource}
          conflict={changes.conflict}
          onClose={changes.dismiss}
          onResolve={(current, chosen) => void changes.resolve(current, chosen)}
        />
      )}
    </div>
  );
}

/** A row that its writer may not read: it has what they typed. */
function unseen(values: Row): GridRow {
  return { id: "written", key: null, values, etag: undefined };
}

const shownColumns = 3;

interface RowChoiceProps {
  readonly resource: NavigationResource;
  readonly rows: readonly Row[];
  readonly onMore: (() => void) | null;
  readonly onChoose: (row: Row) => void;
}

/** The rows of a form, one of which is opened to change it. */
function RowChoice({ resource, rows, onMore, onChoose }: RowChoiceProps) {
  const t = useTranslations("viewForm");
  const ways = useWays();
  const titled = new Set(resource.title.map(({ field }) => field));
  const [first] = rows;
  const columns = readableColumns(resource)
    .filter(({ name }) => first !== undefined && name in first && !titled.has(name))
    .slice(0, shownColumns);
  if (first === undefined) return <EmptyState title={t("noRows")} />;
  return (
    <div className="grid gap-3">
      <ul
        aria-label={titleOf(resource)}
        className="max-w-200 rounded-panel border border-line bg-surface"
      >
        {rows.map((row, index) => {
          const key = keyOf(resource, row);
          return (
            <li
              key={key === null ? index : JSON.stringify(key)}
              className="border-line border-b last:border-b-0"
            >
              <button
                type="button"
                disabled={key === null}
                onClick={() => onChoose(row)}
                className="flex min-h-10 w-full min-w-0 items-center gap-3 rounded-control px-3 py-1.5 text-left hover:bg-sunken focus-visible:outline-offset-[-2px]"
              >
                <span className="grid min-w-0 flex-1 gap-0.5">
                  <bdi className="min-w-0 truncate font-medium">
                    {recordTitle(resource, row, ways) ?? key?.join(", ")}
                  </bdi>
                  <span className="flex min-w-0 gap-3 overflow-hidden text-2 text-ink-2">
                    {columns.map((column) => (
                      <span key={column.name} className="flex min-w-0 max-w-1/2">
                        <CellValue column={column} value={row[column.name]} />
                      </span>
                    ))}
                  </span>
                </span>
                <ChevronRight size={16} aria-hidden="true" className="shrink-0 text-ink-3" />
              </button>
            </li>
          );
        })}
      </ul>
      {onMore !== null && (
        <div>
          <ToolButton onClick={onMore}>{t("more")}</ToolButton>
        </div>
      )}
    </div>
  );
}
