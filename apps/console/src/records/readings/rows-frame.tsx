import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { ZoneNote } from "../../shell/time/zone-note.tsx";
import { Redo2, Undo2 } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { KeyHint, ToolButton } from "../../ui/tool-button.tsx";
import { useWide } from "../../ui/use-wide.ts";
import type { Row } from "../model/resource.ts";
import { ConflictDialog } from "../panel/conflict-dialog.tsx";
import { NewRecord } from "../panel/new-record.tsx";
import { RecordStack } from "../panel/record-stack.tsx";
import type { GridRow } from "../rows/row-store.ts";
import type { WrittenRows } from "../rows/row-writes.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";
import { useUndoKeys } from "../rows/use-undo-keys.ts";
import { hasInstants } from "../values/value-kind.ts";

interface RowsFrameProps {
  readonly label: string;
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  /** The rows through which the panel of a record steps. */
  readonly rows: readonly GridRow[];
  readonly changes: RowChanges;
  readonly open: readonly string[];
  readonly onOpen: (paths: readonly string[], isStep: boolean) => void;
  /** Whether the zone of times is named elsewhere. */
  readonly isZoneNamed?: boolean;
  /** The values with which a new row begins, whose form is then open; null for none. */
  readonly draft?: Row | null;
  /** The form was left, after it created rows or without any. */
  readonly onDraftEnd?: (created: readonly GridRow[]) => void;
  /** Says what became of an edit that was taken back, or made again. */
  readonly reversedText?: (edit: WrittenRows) => string | undefined;
  /** What is said of the rows below them. */
  readonly status: ReactNode;
  /** At the end of the bar below the rows. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** Rows in any layout, with what belongs to them: the state of their writes, undo, conflicts, and the open record. */
export function RowsFrame(props: RowsFrameProps) {
  const { resource, resources, rows, open, onOpen, draft = null, onDraftEnd } = props;
  const t = useTranslations("grid");
  const describe = useFailureText();
  const isWide = useWide();
  const { changes, said } = useSaidChanges(props);
  useUndoKeys(changes);
  const isCovered = !isWide && (open.length > 0 || draft !== null);
  useCover(isCovered);
  return (
    <div className="grid min-h-0 min-w-0 flex-1 md:grid-cols-[minmax(0,1fr)_auto]">
      {/* On a narrow window the panel is a page above the rows. */}
      <section aria-label={props.label} inert={isCovered} className="flex min-h-0 min-w-0 flex-col">
        {changes.error !== undefined && open.length === 0 && draft === null && (
          <div className="border-line border-b p-2">
            <Notice kind="danger">
              <span className="mr-3">{describe(changes.error)}</span>
              <button
                type="button"
                onClick={changes.dismiss}
                className="min-h-6 font-medium underline"
              >
                {t("dismiss")}
              </button>
            </Notice>
          </div>
        )}
        {props.children}
        <footer className="flex min-h-8 items-center gap-3 border-line border-t bg-canvas px-3.5 text-2 text-ink-2">
          {props.status}
          {props.isZoneNamed !== true && hasInstants(resource.columns) && <ZoneNote />}
          {changes.isBusy && <span role="status">{t("saving")}</span>}
          <span role="status" className="sr-only">
            {said}
          </span>
          <span className="flex-1" />
          {changes.nextUndo !== undefined && (
            <ToolButton kind="bare" className="h-6 px-1.5" onClick={() => void changes.undo()}>
              <Undo2 size={13} aria-hidden="true" />
              {t("undo")}
              <KeyHint>Ctrl Z</KeyHint>
            </ToolButton>
          )}
          {changes.nextRedo !== undefined && (
            <ToolButton kind="bare" className="h-6 px-1.5" onClick={() => void changes.redo()}>
              <Redo2 size={13} aria-hidden="true" />
              {t("redo")}
            </ToolButton>
          )}
          {props.tools}
        </footer>
      </section>
      {draft === null ? (
        <RecordStack {...{ resource, resources, rows, changes, open, onOpen }} />
      ) : (
        <NewRecord
          {...{ resource, resources, changes }}
          initial={draft}
          onCreated={(created) => onDraftEnd?.(created)}
          onClose={() => {
            changes.dismiss();
            onDraftEnd?.([]);
          }}
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

/** Takes what a panel covers on a narrow window out of reach; the head of the page is not part of the frame. */
function useCover(isCovered: boolean): void {
  useEffect(() => {
    if (!isCovered) return;
    const covered = [...document.querySelectorAll<HTMLElement>("[data-beside-panel]")];
    for (const one of covered) one.inert = true;
    return () => {
      for (const one of covered) one.inert = false;
    };
  }, [isCovered]);
}

/** The changes, of which an undo and a redo say what they did. */
function useSaidChanges({ changes, reversedText }: RowsFrameProps): {
  readonly changes: RowChanges;
  readonly said: string;
} {
  const t = useTranslations("grid");
  const [said, setSaid] = useState("");
  const turn = useRef(0);
  const say = async (
    edit: WrittenRows | undefined,
    kind: "undone" | "redone",
    work: () => Promise<boolean>,
  ): Promise<boolean> => {
    turn.current += 1;
    const own = turn.current;
    setSaid("");
    // The rows of the edit are known before it is taken back.
    const detail = edit === undefined ? undefined : reversedText?.(edit);
    const isDone = await work();
    if (isDone && edit !== undefined && own === turn.current) {
      setSaid(detail === undefined ? t(kind) : `${t(kind)} ${detail}`);
    }
    return isDone;
  };
  return {
    changes: {
      ...changes,
      undo: () => say(changes.nextUndo, "undone", changes.undo),
      redo: () => say(changes.nextRedo, "redone", changes.redo),
    },
    said,
  };
}
