import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import type { NavigationRelation, NavigationResource } from "../../shell/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { SaveForm, useUnsaved } from "../fields/save-form.tsx";
import { useRowFailureText } from "../model/fault-text.ts";
import type { PushRecord } from "../model/record-path.ts";
import type { GridRow } from "../rows/row-store.ts";
import { useLoneChanges } from "../rows/use-row-changes.ts";
import type { LineList } from "./line-list.ts";
import { RecordLines } from "./record-lines.tsx";
import { useLineDrafts } from "./use-line-drafts.ts";

/** Short rows that refer to a record, as lines that are saved together, by themselves. */
export function SavedLines(props: {
  readonly list: LineList;
  readonly row: GridRow;
  readonly relation: NavigationRelation;
  readonly resources: readonly NavigationResource[];
  readonly onPush: PushRecord;
}) {
  const { list, row, resources, onPush } = props;
  const t = useTranslations("record");
  const describe = useRowFailureText();
  const changes = useLoneChanges(list.target);
  const lists = useMemo(() => [list], [list]);
  const lines = useLineDrafts(lists);
  const [version, setVersion] = useState(0);
  useUnsaved(lines.count > 0);
  const { byLine, rest } = lines.place(changes.error);
  const save = async (): Promise<void> => {
    const sent = lines.collect(row);
    if (sent !== undefined && (await changes.write({ lines: sent }))) lines.settle();
  };
  return (
    <SaveForm
      label={list.relation.label}
      isReady={lines.count > 0 && !lines.isUnready && lines.missing === 0 && !changes.isBusy}
      isBusy={changes.isBusy}
      isPending={lines.isPending}
      onSave={() => void save()}
      bar={
        lines.count === 0
          ? null
          : {
              status:
                lines.missing > 0
                  ? t("missingFields", { count: lines.missing })
                  : t("unsaved", { count: lines.count }),
              ...{ save: t("save"), cancel: t("discard") },
              onCancel: () => {
                changes.dismiss();
                lines.discard();
                setVersion((last) => last + 1);
              },
            }
      }
    >
      {rest !== undefined && <Notice kind="danger">{describe(rest, list.target.columns)}</Notice>}
      <RecordLines
        key={version}
        {...{ list, resources, row, onPush }}
        drafts={lines}
        faults={byLine}
        isUntitled
      />
    </SaveForm>
  );
}
