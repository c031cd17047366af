import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { PanelHead, SidePanel } from "../../ui/side-panel.tsx";
import { PendingText, UnreadText } from "../editors/draft.ts";
import { FieldRow, LockedRow } from "../fields/field-row.tsx";
import { type FormField, fieldFaults, fieldName, formFields } from "../fields/form-fields.ts";
import { SaveForm, useUnsaved } from "../fields/save-form.tsx";
import { partLists } from "../lines/line-list.ts";
import { RecordLines } from "../lines/record-lines.tsx";
import { useLineDrafts } from "../lines/use-line-drafts.ts";
import { useFaultText, useRowFailureText } from "../model/fault-text.ts";
import { isEqual } from "../model/is-equal.ts";
import { recordTitle } from "../model/record-title.ts";
import type { Row } from "../model/resource.ts";
import type { GridRow } from "../rows/row-store.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";
import { useWays } from "../values/ways.ts";

/** The record to which a new row belongs. */
export interface Parent {
  /** The name of the reference to it, and its title. */
  readonly label: string;
  readonly title: string;
  /** The columns by which the new row names it. */
  readonly values: Row;
}

interface NewRecordProps {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  /** The values with which the form begins, such as those of the row that is duplicated. */
  readonly initial: Row;
  readonly parent?: Parent;
  readonly changes: RowChanges;
  readonly onCreated: (rows: readonly GridRow[]) => void;
  readonly onClose: () => void;
}

/** The form of a new row in the panel beside the grid. */
export function NewRecord(props: NewRecordProps) {
  const t = useTranslations("record");
  const close = useRef(props.onClose);
  const onKeyDown = (event: KeyboardEvent): void => {
    // An editor that is open inside of the form closes first.
    if (event.key !== "Escape" || event.isDefaultPrevented()) return;
    event.preventDefault();
    close.current();
  };
  return (
    <SidePanel label={t("newRecord")} onKeyDown={onKeyDown}>
      <PanelHead title={t("newRecord")}>
        <IconButton label={t("close")} icon={X} onPress={() => close.current()} />
      </PanelHead>
      <NewRecordForm
        {...props}
        onClosable={(ask) => {
          close.current = ask;
        }}
      />
    </SidePanel>
  );
}

const noFields: Row = {};

/**
 * The form of a new row and of the lines that are its parts, which are created together. It has the columns that this person
 * may set; the others have their defaults.
 */
export function NewRecordForm(
  props: NewRecordProps & {
    /** Receives the function that closes the form, after it has asked whether what was typed is lost. */
    readonly onClosable?: (close: () => void) => void;
  },
) {
  const { resource, resources, initial, parent, changes, onCreated, onClose } = props;
  const t = useTranslations("record");
  const describe = useRowFailureText();
  const faultText = useFaultText();
  const ways = useWays();
  const fixed = parent?.values ?? noFields;
  const begin = useMemo(() => ({ ...initial, ...fixed }), [initial, fixed]);
  const [draft, setDraft] = useState(begin);
  const [round, setRound] = useState(0);
  const [said, setSaid] = useState("");
  /** Where the faults of the last save have the row: with lines, it is the first one of a batch. */
  const [place, setPlace] = useState("/data/0");
  const lists = useMemo(() => partLists(resource, resources), [resource, resources]);
  const lines = useLineDrafts(lists);
  const columns = resource.columns.filter(({ creatable }) => creatable);
  const fields = formFields(
    ...([resource, resources, columns] as const),
    ({ creatable, name }) => creatable && !(name in fixed),
  ).filter((field) => field.kind === "REFERENCE" || !(field.column.name in fixed));
  const set = Object.entries(draft).filter(([, value]) => value !== undefined);
  const unread = set.filter(([, value]) => value instanceof UnreadText);
  const isPending = lines.isPending || unread.some(([, value]) => value instanceof PendingText);
  const missingCount = missingFields(fields, draft) + lines.missing;
  const isTyped =
    lines.count > 0 || Object.entries(draft).some(([name, value]) => !isEqual(value, begin[name]));
  useUnsaved(isTyped);
  const { error } = changes;
  const { byLine, rest } = lines.place(error);
  const faults = fieldFaults(
    rest,
    place,
    columns.map(({ name }) => name),
    (fault) => faultText(fault, resource.columns),
  );
  const save = async (isNext: boolean): Promise<void> => {
    const sent = lines.collect(undefined);
    setPlace(sent === undefined ? "/data/0" : "/data/0/data");
    const created = await changes.create([Object.fromEntries(set)], sent);
    if (created === null) return;
    if (!isNext) return onCreated(created);
    const [row] = created;
    const title = row === undefined ? undefined : recordTitle(resource, row.values, ways);
    setSaid(t("createdOne", { title: title ?? row?.key?.join(", ") ?? "" }));
    lines.discard();
    setDraft(begin);
    setRound((last) => last + 1);
  };
  const close = (): void => {
    if (!isTyped || confirm(t("leave"))) onClose();
  };
  props.onClosable?.(close);
  return (
    <SaveForm
      label={t("newRecord")}
      isReady={unread.length === 0 && !lines.isUnready && missingCount === 0 && !changes.isBusy}
      isPending={isPending}
      onSave={() => void save(false)}
      onNext={{ label: t("createNext"), run: () => void save(true) }}
      bar={{
        status:
          missingCount === 0 || (!isTyped && said !== "")
            ? said
            : t("missingFields", { count: missingCount }),
        ...{ save: t("create"), cancel: t("cancel"), onCancel: close },
      }}
    >
      {rest !== undefined && !faults.isComplete && (
        <Notice kind="danger">{describe(rest, resource.columns)}</Notice>
      )}
      {parent !== undefined && <LockedRow title={parent.label} text={parent.title} />}
      {fields.map((field, index) => (
        <FieldRow
          key={`${fieldName(field)} ${round}`}
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
      {lists.map((list) => (
        <RecordLines
          key={`${list.relation.name} ${round}`}
          {...{ list, resources }}
          row={undefined}
          drafts={lines}
          faults={byLine}
          onPush={null}
        />
      ))}
    </SaveForm>
  );
}

/** Counts the required fields without a value. */
function missingFields(fields: readonly FormField[], draft: Row): number {
  const isMissing = ({ name, required }: NavigationColumn) =>
    required && (draft[name] ?? null) === null;
  return fields.filter((field) =>
    field.kind === "COLUMN" ? isMissing(field.column) : field.reference.columns.some(isMissing),
  ).length;
}

/** The columns of a reference that a new row does not have are left to their defaults. */
function initialized({ kind }: FormField, values: Row): Row {
  if (kind === "COLUMN") return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value ?? undefined]),
  );
}
