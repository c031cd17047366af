import { RowhouseError } from "@rowhouse/client";
import { type KeyboardEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { UnreadText } from "../../records/editors/draft.ts";
import { isEqual } from "../../records/model/is-equal.ts";
import type { Row } from "../../records/model/resource.ts";
import type { GridRow } from "../../records/rows/row-store.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { KeyHint, ToolButton } from "../../ui/tool-button.tsx";
import { FieldRow, pointerIn } from "./field-row.tsx";
import type { PushRecord } from "./record-path.ts";
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
  const faults = error instanceof RowhouseError ? error.faultsByPath : null;
  const columns = resource.columns.filter(({ readable }) => readable);
  const isShown = columns.some(({ name }) => faults?.has(pointerIn("/data", name)) === true);
  const save = async (): Promise<void> => {
    if (count === 0 || isUnread || isBusy) return;
    if (await onSave(row, draft)) setDraft({});
  };
  const discard = (): void => {
    setDraft({});
    setVersion((last) => last + 1);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void save();
  };
  return (
    // Ctrl S saves from every field.
    <form
      aria-label={t("values")}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="grid min-h-0 flex-1 content-start gap-1.5 overflow-auto p-4">
        {error !== undefined && !isShown && <Notice kind="danger">{describe(error)}</Notice>}
        {count > 0 && isOld && !isBusy && <Notice kind="info">{t("isOld")}</Notice>}
        {columns.map((column) => (
          <FieldRow
            key={`${column.name} ${version}`}
            column={column}
            resource={resource}
            resources={resources}
            row={row.values}
            value={column.name in draft ? draft[column.name] : row.values[column.name]}
            isNew={false}
            isLocked={row.key === null || !column.updatable}
            fault={faults?.get(pointerIn("/data", column.name))?.[0]?.message}
            onPush={onPush}
            onChange={(value) => {
              setDraft((last) => {
                const { [column.name]: _last, ...others } = last;
                const isSame = isEqual(value, row.values[column.name]);
                return isSame ? others : { ...others, [column.name]: value };
              });
            }}
          />
        ))}
      </div>
      {count > 0 && (
        <div className="flex items-center gap-2 border-line border-t px-4 py-2.5">
          <span role="status" className="flex-1 text-2 text-ink-2">
            {t("unsaved", { count })}
          </span>
          <ToolButton onClick={discard}>{t("discard")}</ToolButton>
          <ToolButton
            kind="primary"
            disabled={count === 0 || isUnread || isBusy}
            onClick={() => void save()}
          >
            {t("save")}
            <KeyHint>Ctrl S</KeyHint>
          </ToolButton>
        </div>
      )}
    </form>
  );
}
