import { RowhouseError } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { UnreadText } from "../editors/draft.ts";
import { isEqual } from "../model/is-equal.ts";
import { fieldsWithTitle, recordTitle } from "../model/record-title.ts";
import { type Row, readableColumns, titleOf } from "../model/resource.ts";
import { rowsByKey } from "../rows/load-rows.ts";
import { type GridRow, RowStore } from "../rows/row-store.ts";
import { type RowChanges, useRowChanges } from "../rows/use-row-changes.ts";
import { useWays } from "../values/ways.ts";
import { FieldRow } from "./field-row.tsx";
import { fieldFaults, fieldName, formFields } from "./form-fields.ts";
import type { PushRecord, RecordAddress } from "./record-path.ts";
import { SaveForm, useUnsaved } from "./save-form.tsx";

interface RecordFormProps {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly row: GridRow;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onPush: PushRecord;
  /** Returns whether the changes of the row, in the version that the person began from, were written. */
  readonly onSave: (base: GridRow, after: Row) => Promise<boolean>;
}

/** The values of a record. Changes are written together, when the person saves. */
export function RecordForm(props: RecordFormProps) {
  const { resource, resources, error, isBusy, onPush, onSave } = props;
  const t = useTranslations("record");
  const describe = useFailureText();
  const [draft, setDraft] = useState<Row>({});
  const [row, setRow] = useState(props.row);
  const [version, setVersion] = useState(0);
  const [isSaved, setIsSaved] = useState(false);
  /** Whether the person saves again while a save runs: what they typed meanwhile is saved after it, unless it fails. */
  const [next, setNext] = useState<"NONE" | "ASKED" | "READY">("NONE");
  const names = Object.keys(draft);
  const count = names.length;
  // A newer version is shown at once while nothing is typed, and after a save. Otherwise, saving compares it with the version
  // of the draft.
  if ((count === 0 || isSaved) && row !== props.row) {
    setRow(props.row);
    setIsSaved(false);
  }
  const isOld = row.etag !== props.row.etag;
  const isUnread = Object.values(draft).some((value) => value instanceof UnreadText);
  useUnsaved(count > 0);
  const columns = resource.columns.filter(({ readable }) => readable);
  const isWritable = ({ updatable }: NavigationColumn) => row.key !== null && updatable;
  const fields = formFields(resource, resources, columns, isWritable);
  // The service writes the row as the only one of a batch.
  const faults = fieldFaults(
    error,
    "/data/0/data",
    columns.map(({ name }) => name),
  );
  const isReady = count > 0 && !isUnread;
  const save = async (): Promise<void> => {
    if (isBusy) {
      setNext("ASKED");
      return;
    }
    const sent = draft;
    const isWritten = await onSave(row, sent);
    setNext((last) => (isWritten && last === "ASKED" ? "READY" : "NONE"));
    if (!isWritten) return;
    setIsSaved(true);
    // What was typed while it was sent is not saved yet.
    setDraft((last) =>
      Object.fromEntries(
        Object.entries(last).filter(([name, value]) => !isEqual(value, sent[name])),
      ),
    );
  };
  useEffect(() => {
    // The next save begins from the version that the last one has made.
    if (next !== "READY" || isBusy || isSaved) return;
    setNext("NONE");
    if (isReady) void save();
  });
  const discard = (): void => {
    setDraft({});
    setVersion((last) => last + 1);
  };
  return (
    <SaveForm
      label={t("values")}
      isReady={isReady}
      isBusy={isBusy}
      onSave={() => void save()}
      bar={
        count === 0
          ? null
          : {
              status: t("unsaved", { count }),
              ...{ save: t("save"), cancel: t("discard"), onCancel: discard },
            }
      }
    >
      {error !== undefined && !faults.isComplete && (
        <Notice kind="danger">{describe(error)}</Notice>
      )}
      {count > 0 && isOld && !isBusy && <Notice kind="info">{t("isOld")}</Notice>}
      {fields.map((field) => (
        <FieldRow
          key={`${fieldName(field)} ${version}`}
          field={field}
          resource={resource}
          resources={resources}
          stored={row.values}
          row={{ ...row.values, ...draft }}
          isNew={false}
          isLocked={field.kind === "COLUMN" && !isWritable(field.column)}
          faults={faults}
          onPush={onPush}
          onChange={(values) =>
            setDraft((last) =>
              Object.fromEntries(
                Object.entries({ ...last, ...values }).filter(
                  ([name, value]) => !isEqual(value, row.values[name]),
                ),
              ),
            )
          }
        />
      ))}
    </SaveForm>
  );
}

/** One record as it is now, and the writes of a page that has no grid of its table. */
interface OpenRecord {
  /** Undefined until it is loaded, and without one. */
  readonly row: GridRow | undefined;
  readonly error: unknown;
  /** The name by which people recognize it. */
  readonly title: string;
  readonly changes: RowChanges;
}

/** Loads one record. */
export function useRecord({ resource, key }: RecordAddress): OpenRecord {
  const ways = useWays();
  const fields = useMemo(() => {
    const names = readableColumns(resource).map(({ name }) => name);
    return fieldsWithTitle(resource, names);
  }, [resource]);
  const { data: row, error } = useQuery({
    queryKey: ["record", resource.id, key],
    queryFn: async () => {
      const [found] = await rowsByKey(resource, fields, [key]);
      if (found === undefined) throw missingRow(resource.path);
      return found;
    },
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const [store] = useState(() => new RowStore(async () => ({ rows: [], next: null })));
  const changes = useRowChanges(resource, fields, store);
  const title =
    (row === undefined ? undefined : recordTitle(resource, row.values, ways)) ??
    `${titleOf(resource)} ${key.join(", ")}`;
  return { row, error, title, changes };
}

function missingRow(path: string): RowhouseError {
  const faults = [{ code: "NOT_FOUND", message: "The row does not exist" }] as const;
  return new RowhouseError({ method: "GET", path, status: 404, faults });
}
