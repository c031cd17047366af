import { useState } from "react";
import { useTranslations } from "use-intl";
import { FormDialog } from "../shell/form-dialog.tsx";
import { LockedFields, type ManagedLock, ManagedNotice } from "../shell/managed.tsx";
import {
  carryOver,
  changedFields,
  isChangedMeanwhile,
  onPresentVersion,
} from "../shell/use-record-form.ts";
import { useTask } from "../shell/use-task.ts";
import { Notice } from "../ui/notice.tsx";
import { blankForm, type DrawnKind, factsOf, formOf, pointersOf } from "./record-facts.ts";
import { RecordFields } from "./record-fields.tsx";
import { type RecordOf, recordRequests } from "./record-requests.ts";

interface RecordDialogProps<Kind extends DrawnKind> {
  readonly kind: Kind;
  readonly title: string;
  /** The record to change; a new one without. */
  readonly record?: RecordOf<Kind> | undefined;
  readonly lock?: ManagedLock;
  /** What a new record is, below its fields. */
  readonly text?: string;
  /** Called before the dialog closes. */
  readonly onSaved: (record: RecordOf<Kind>) => Promise<void>;
  readonly onClose: () => void;
}

/** Creates a record, or changes one: only fields that differ are sent, and none that another person has changed meanwhile. */
export function RecordDialog<Kind extends DrawnKind>(props: RecordDialogProps<Kind>) {
  const { kind, record, lock, onClose } = props;
  const t = useTranslations("recordPage");
  const words = useTranslations("manage");
  const [base, setBase] = useState(() =>
    record === undefined ? blankForm(kind) : formOf(kind, record),
  );
  const [form, setForm] = useState(base);
  const [isChanged, setChanged] = useState(false);
  const requests = recordRequests(kind);
  const task = useTask(async () => {
    const saved =
      record === undefined
        ? await requests.create(form)
        : await onPresentVersion(async () => {
            const changes = changedFields(base, form);
            const { record: stored, etag } = await requests.read(record.id);
            const now = formOf(kind, stored);
            if (!isChangedMeanwhile(base, now, changes)) {
              return requests.change(record.id, changes, etag);
            }
            setForm(carryOver(form, base, now));
            setBase(now);
            return undefined;
          });
    setChanged(saved === undefined);
    if (saved === undefined) return;
    await props.onSaved(saved);
    onClose();
  }, pointersOf(kind));
  const once = factsOf(kind).filter(({ isOnce }) => isOnce === true);
  return (
    <FormDialog
      title={props.title}
      onClose={onClose}
      task={task}
      submit={record === undefined ? words("create") : words("save")}
      isReady={lock?.isLocked !== true}
    >
      {lock !== undefined && <ManagedNotice lock={lock} />}
      {isChanged && <Notice kind="danger">{t("changed")}</Notice>}
      <LockedFields isLocked={lock?.isLocked === true}>
        <RecordFields
          kind={kind}
          form={form}
          onChange={setForm}
          task={task}
          kept={record === undefined ? [] : once.map(({ name }) => name as keyof typeof form)}
          isFirst
        />
      </LockedFields>
      {props.text !== undefined && <p className="text-2 text-ink-2">{props.text}</p>}
    </FormDialog>
  );
}
