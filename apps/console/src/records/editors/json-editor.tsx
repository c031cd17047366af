import { lazy, Suspense, useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { floatingClasses, useFloating } from "../../ui/use-floating.ts";
import { findJsonFault } from "../values/json-fault.ts";
import { valueText } from "../values/show-value.ts";
import { useWays } from "../values/ways.ts";
import { EditorFault, type EditorProps, useEditorParts } from "./editor-props.tsx";
import { useTextDraft } from "./text-editor.tsx";

const CodeEditor = lazy(() =>
  import("../../ui/code-editor.tsx").then((module) => ({ default: module.CodeEditor })),
);

/** A document, in an editor with colors and faults at their place; from a cell it opens beside. */
export function JsonEditor(props: EditorProps) {
  return props.isCell === true ? <CellJson {...props} /> : <JsonText {...props} />;
}

function JsonText(props: EditorProps) {
  const { column, value, onCommit, onCancel, autoFocus = false } = props;
  const t = useTranslations("values");
  const parts = useEditorParts(props);
  const { text, type } = useTextDraft(column, value, props.onChange);
  const { fault } = parts;
  const faults = useMemo(() => {
    const found = text.trim() === "" ? undefined : findJsonFault(text);
    return found === undefined
      ? []
      : [{ from: found.offset, to: found.offset + 1, message: fault ?? "" }];
  }, [text, fault]);
  return (
    <div
      id={parts.inputId}
      className="min-w-0"
      onKeyDownCapture={(event) => {
        const isCommit = event.key === "Enter" && (event.ctrlKey || event.metaKey);
        const act = isCommit ? onCommit : event.key === "Escape" ? onCancel : undefined;
        if (act === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        act();
      }}
    >
      <div className="h-44 resize-y overflow-hidden">
        <Suspense fallback={<Skeleton label={t("loading")} rows={4} />}>
          <CodeEditor
            label={column.label ?? column.name}
            text={text}
            onChange={type}
            faults={faults}
            describedBy={parts.describedBy}
            autoFocus={autoFocus}
          />
        </Suspense>
      </div>
      <EditorFault id={parts.faultId} text={parts.fault} isCell={false} />
    </div>
  );
}

function CellJson(props: EditorProps) {
  const t = useTranslations("values");
  const ways = useWays();
  const anchor = useRef<HTMLDivElement>(null);
  const place = useFloating<HTMLDivElement>(anchor, true, true);
  const { column, value, onCommit, onCancel } = props;
  return (
    <div ref={anchor} className="flex size-full items-center px-2.25">
      <span className="truncate font-mono text-2">{valueText(column, value, ways)}</span>
      <div ref={place} popover="manual" className={`${floatingClasses} w-120 p-2`}>
        <JsonText {...props} isCell={false} autoFocus />
        <div className="mt-2 flex justify-end gap-2">
          {onCancel !== undefined && <ToolButton onClick={onCancel}>{t("cancel")}</ToolButton>}
          {onCommit !== undefined && (
            <ToolButton kind="primary" onClick={onCommit}>
              {t("done")}
            </ToolButton>
          )}
        </div>
      </div>
    </div>
  );
}
