import { type KeyboardEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { PanelHead, SidePanel } from "../../ui/side-panel.tsx";
import { UnreadText } from "../editors/draft.ts";
import { isEqual } from "../model/is-equal.ts";
import type { Row } from "../model/resource.ts";
import type { GridRow } from "../rows/row-store.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";
import { FieldRow } from "./field-row.tsx";
import { type FormField, fieldFaults, fieldName, formFields } from "./form-fields.ts";
import { SaveForm, useUnsaved } from "./save-form.tsx";

interface NewRecordProps {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  /** The values with which the form begins, such as those of the row that is duplicated. */
  readonly initial: Row;
  readonly changes: RowChanges;
  readonly onCreated: (rows: readonly GridRow[]) => void;
  readonly onClose: () => void;
}

/** The form of a new row. It has the columns that this person may set; the others have their defaults. */
export function NewRecord(props: NewRecordProps) {
  const { resource, resources, initial, changes, onCreated, onClose } = props;
  const t = useTranslations("record");
  const describe = useFailureText();
  const [draft, setDraft] = useState(initial);
  const columns = resource.columns.filter(({ creatable }) => creatable);
  const fields = formFields(resource, resources, columns, ({ creatable }) => creatable);
  const set = Object.entries(draft).filter(([, value]) => value !== undefined);
  const isUnread = set.some(([, value]) => value instanceof UnreadText);
  const isMissing = ({ name, required }: NavigationColumn) =>
    required && (draft[name] ?? null) === null;
  const missing = fields.filter((field) =>
    field.kind === "COLUMN" ? isMissing(field.column) : field.reference.columns.some(isMissing),
  );
  const isTyped = Object.entries(draft).some(([name, value]) => !isEqual(value, initial[name]));
  useUnsaved(isTyped);
  const { error } = changes;
  const faults = fieldFaults(
    error,
    "/data/0",
    columns.map(({ name }) => name),
  );
  const save = async (): Promise<void> => {
    const created = await changes.create([Object.fromEntries(set)]);
    if (created !== null) onCreated(created);
  };
  const close = (): void => {
    if (!isTyped || confirm(t("leave"))) onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // An editor that is open inside of the form closes first.
    if (event.key !== "Escape" || event.isDefaultPrevented()) return;
    event.preventDefault();
    close();
  };
  return (
    <SidePanel label={t("newRecord")} onKeyDown={onKeyDown}>
      <PanelHead title={t("newRecord")}>
        <IconButton label={t("close")} icon={X} onPress={close} />
      </PanelHead>
      <SaveForm
        label={t("newRecord")}
        isReady={!isUnread && missing.length === 0 && !changes.isBusy}
        onSave={() => void save()}
        bar={{
          status: missing.length === 0 ? "" : t("missingFields", { count: missing.length }),
          ...{ save: t("create"), cancel: t("cancel"), onCancel: close },
        }}
      >
        {error !== undefined && !faults.isComplete && (
          <Notice kind="danger">{describe(error)}</Notice>
        )}
        {fields.map((field, index) => (
          <FieldRow
            key={fieldName(field)}
            field={field}
            resource={resource}
            resources={resources}
            stored={draft}
            row={draft}
            isNew
            isLocked={false}
            isFirst={index === 0}
            faults={faults}
            onPush={null}
            onChange={(values) => setDraft((last) => ({ ...last, ...initialized(field, values) }))}
          />
        ))}
      </SaveForm>
    </SidePanel>
  );
}

/** The columns of a reference that a new row does not have are left to their defaults. */
function initialized({ kind }: FormField, values: Row): Row {
  if (kind === "COLUMN") return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value ?? undefined]),
  );
}
