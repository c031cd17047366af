import { useState } from "react";
import { useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { UnreadText } from "../editors/draft.ts";
import { isEqual } from "../model/is-equal.ts";
import type { Row } from "../model/resource.ts";
import type { GridRow } from "../rows/row-store.ts";
import { fieldFaults } from "./field-faults.ts";
import { FieldRow } from "./field-row.tsx";
import { fieldName, formFields } from "./form-fields.ts";
import type { PushRecord } from "./record-path.ts";
import { SaveForm } from "./save-form.tsx";
import { useUnsaved } from "./use-unsaved.ts";

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
  const names = Object.keys(draft);
  const count = names.length;
  // A newer version is shown at once while nothing is typed. Otherwise, saving compares it with the version of the draft.
  if (count === 0 && row !== props.row) setRow(props.row);
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
  const save = async (): Promise<void> => {
    if (await onSave(row, draft)) setDraft({});
  };
  const discard = (): void => {
    setDraft({});
    setVersion((last) => last + 1);
  };
  return (
    <SaveForm
      label={t("values")}
      isReady={count > 0 && !isUnread && !isBusy}
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
