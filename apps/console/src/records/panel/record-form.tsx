import { RowhouseError } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { PendingText, UnreadText } from "../editors/draft.ts";
import { FieldRow } from "../fields/field-row.tsx";
import { fieldFaults, fieldName, formFields } from "../fields/form-fields.ts";
import { SaveForm, useUnsaved } from "../fields/save-form.tsx";
import { partLists } from "../lines/line-list.ts";
import { RecordLines } from "../lines/record-lines.tsx";
import { useLineDrafts } from "../lines/use-line-drafts.ts";
import { useFaultText, useRowFailureText } from "../model/fault-text.ts";
import { isEqual } from "../model/is-equal.ts";
import type { PushRecord, RecordAddress } from "../model/record-path.ts";
import { fieldsWithTitle, recordTitle } from "../model/record-title.ts";
import { type Row, readableColumns, titleOf } from "../model/resource.ts";
import { rowsByKey } from "../rows/load-rows.ts";
import type { GridRow } from "../rows/row-store.ts";
import type { RecordLines as LineWrites } from "../rows/row-writes.ts";
import { type RowChanges, useLoneChanges } from "../rows/use-row-changes.ts";
import { useWays } from "../values/ways.ts";

interface RecordFormProps {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly row: GridRow;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onPush: PushRecord;
  /** Returns whether the changes of the row, in the version that the person began from, were written. */
  readonly onSave: (base: GridRow, after: Row, lines: LineWrites | undefined) => Promise<boolean>;
}

/** The values of a record, and the lines that are its parts. All changes are written together, when the person saves. */
export function RecordForm(props: RecordFormProps) {
  const { resource, resources, error, isBusy, onPush, onSave } = props;
  const t = useTranslations("record");
  const describe = useRowFailureText();
  const faultText = useFaultText();
  const [draft, setDraft] = useState<Row>({});
  const [row, setRow] = useState(props.row);
  const [version, setVersion] = useState(0);
  const [isSaved, setIsSaved] = useState(false);
  /** Whether the person saves again while a save runs: what they typed meanwhile is saved after it, unless it fails. */
  const [next, setNext] = useState<"NONE" | "ASKED" | "READY">("NONE");
  const lists = useMemo(() => partLists(resource, resources), [resource, resources]);
  const lines = useLineDrafts(lists);
  const count = Object.keys(draft).length + lines.count;
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
  const { byLine, rest } = lines.place(error);
  // The service writes the row as the first one of a batch.
  const faults = fieldFaults(
    rest,
    "/data/0/data",
    columns.map(({ name }) => name),
    (fault) => faultText(fault, resource.columns),
  );
  const isReady = count > 0 && !isUnread && !lines.isUnready && lines.missing === 0;
  const isPending =
    lines.isPending || Object.values(draft).some((value) => value instanceof PendingText);
  const save = async (): Promise<void> => {
    if (isBusy) {
      setNext("ASKED");
      return;
    }
    const sent = draft;
    const sentLines = lines.collect(row);
    const isWritten = await onSave(row, sent, sentLines);
    setNext((last) => (isWritten && last === "ASKED" ? "READY" : "NONE"));
    if (!isWritten) return;
    setIsSaved(true);
    lines.settle();
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
    lines.discard();
    setVersion((last) => last + 1);
  };
  return (
    <SaveForm
      label={t("values")}
      isReady={isReady}
      isBusy={isBusy}
      isPending={isPending}
      onSave={() => void save()}
      bar={
        count === 0
          ? null
          : {
              status:
                lines.missing > 0
                  ? t("missingFields", { count: lines.missing })
                  : t("unsaved", { count }),
              ...{ save: t("save"), cancel: t("discard"), onCancel: discard },
            }
      }
    >
      {rest !== undefined && !faults.isComplete && (
        <Notice kind="danger">{describe(rest, resource.columns)}</Notice>
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
      {lists.map((list) => (
        <RecordLines
          key={`${list.relation.name} ${version}`}
          {...{ list, resources, row, onPush }}
          drafts={lines}
          faults={byLine}
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
  const changes = useLoneChanges(resource);
  const title =
    (row === undefined ? undefined : recordTitle(resource, row.values, ways)) ??
    `${titleOf(resource)} ${key.join(", ")}`;
  return { row, error, title, changes };
}

function missingRow(path: string): RowhouseError {
  const faults = [{ code: "NOT_FOUND", message: "The row does not exist" }] as const;
  return new RowhouseError({ method: "GET", path, status: 404, faults });
}
