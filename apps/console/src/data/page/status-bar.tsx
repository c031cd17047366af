import { useFormatter, useTranslations } from "use-intl";
import type { RowsState } from "../../records/rows/row-store.ts";
import type { RowChanges } from "../../records/rows/use-row-changes.ts";
import { CopyText } from "../../shell/copy-text.tsx";
import { curlCommand } from "../../shell/curl-command.ts";
import { mcpCallText } from "../../shell/mcp-call.ts";
import { useMcp } from "../../shell/use-mcp.ts";
import { Redo2, Undo2 } from "../../ui/icons.generated.ts";
import { KeyHint, ToolButton } from "../../ui/tool-button.tsx";
import { clientCode, mcpCall, requestPath } from "./own-request.ts";
import type { RowsView } from "./use-rows-view.ts";

/** How many rows there are, what is selected, what can be taken back, and the request behind the view. */
export function StatusBar({
  view,
  state,
  changes,
  summary,
}: {
  readonly view: RowsView;
  readonly state: RowsState;
  readonly changes: RowChanges;
  /** What is said of the selected cells. */
  readonly summary: string;
}) {
  const t = useTranslations("grid");
  const format = useFormatter();
  const hasMcp = useMcp();
  const path = requestPath(view);
  const loaded = format.number(state.rows.length);
  return (
    <footer className="flex min-h-8 items-center gap-3 border-line border-t bg-canvas px-3.5 text-2 text-ink-2">
      <span role="status" className="shrink-0 tabular-nums">
        {state.count === undefined
          ? t("rowsLoaded", { count: loaded })
          : t("rowsOf", { count: loaded, all: format.number(state.count) })}
      </span>
      <span className="truncate tabular-nums">{summary}</span>
      {changes.isBusy && <span role="status">{t("saving")}</span>}
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
      <code className="min-w-0 truncate font-mono text-1 max-lg:hidden" title={path} dir="ltr">
        GET {path}
      </code>
      <CopyText isSmall label={t("copyCurl")} text={() => curlCommand(path)} />
      <CopyText isSmall label={t("copyCode")} text={() => clientCode(view)} />
      {hasMcp && <CopyText isSmall label={t("copyCall")} text={() => mcpCallText(mcpCall(view))} />}
    </footer>
  );
}
