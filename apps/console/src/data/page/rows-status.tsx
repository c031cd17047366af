import { useMemo } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { useRowFailureText } from "../../records/model/fault-text.ts";
import { SameTitles } from "../../records/model/same-titles.tsx";
import type { RowsState } from "../../records/rows/row-store.ts";
import type { RowChanges } from "../../records/rows/use-row-changes.ts";
import { UnsavedBar } from "../../records/table/unsaved-cells.tsx";
import type { GridControl } from "../../records/table/use-grid-control.ts";
import { hasInstants } from "../../records/values/value-kind.ts";
import { CopyCurl, CopyText } from "../../shell/copy-text.tsx";
import { mcpCallText, useMayCall, useMcp } from "../../shell/mcp-call.ts";
import { ZoneNote } from "../../shell/time/zone-note.tsx";
import { viewedAs } from "../../shell/viewed-as.ts";
import { linkClasses } from "../../ui/classes.ts";
import { Redo2, Undo2 } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { KeyHint, ToolButton } from "../../ui/tool-button.tsx";
import { clientCode, mcpCall, requestPath } from "./own-request.ts";
import type { RowsView } from "./use-rows-view.ts";

/** What stands where there are no rows, with a way to get some. */
export function EmptyRows(props: {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onNew: (() => void) | null;
  /** Path of the request, to explain its answer. */
  readonly path: string;
}) {
  const t = useTranslations("grid");
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-3 p-8 text-center">
      <p className="text-4 font-medium">{t(props.isFiltered ? "noMatch" : "noRows")}</p>
      <p className="max-w-90 text-ink-2">{t(props.isFiltered ? "noMatchText" : "noRowsText")}</p>
      {props.isFiltered ? (
        <ToolButton onClick={props.onClear}>{t("clearFilter")}</ToolButton>
      ) : (
        props.onNew !== null && (
          <>
            <ToolButton onClick={props.onNew}>{t("new")}</ToolButton>
            <p className="max-w-90 text-2 text-ink-2">{t("noRowsPaste")}</p>
          </>
        )
      )}
      <WhyLink path={props.path} />
    </div>
  );
}

/** A failed request, in words, with what one can do. */
export function RowsFailure(props: {
  readonly error: unknown;
  readonly action: string;
  readonly onAction: () => void;
  /** Path of the request, to explain its refusal; none for a write. */
  readonly path?: string;
}) {
  const describe = useRowFailureText();
  return (
    <div className="border-line border-b p-2">
      <Notice kind="danger">
        <span className="mr-3">{describe(props.error)}</span>
        <button type="button" onClick={props.onAction} className="min-h-6 font-medium underline">
          {props.action}
        </button>{" "}
        {props.path !== undefined && <WhyLink path={props.path} />}
      </Notice>
    </div>
  );
}

/**
 * Leads to the explanation of a request, in a workspace that an administrator views as a person. The explanation opens in a
 * new tab, which is the administrator's own.
 *
 * @param path path and query of the request
 */
export function WhyLink({ path }: { readonly path: string }) {
  const t = useTranslations("grid");
  const userId = viewedAs()?.userId;
  if (userId === undefined) return null;
  const query = new URLSearchParams({ user: userId, method: "GET", path });
  return (
    <a
      href={`/admin/access/explain?${query}`}
      target="_blank"
      rel="noopener"
      className={linkClasses}
    >
      {t("why")}
    </a>
  );
}

/** How many rows there are, what is selected, what can be taken back, and the request behind the view. */
export function StatusBar({
  view,
  state,
  changes,
  control,
  onGoTo,
}: {
  readonly view: RowsView;
  readonly state: RowsState;
  readonly changes: RowChanges;
  readonly control: GridControl;
  readonly onGoTo: () => void;
}) {
  const t = useTranslations("grid");
  const format = useFormatter();
  const hasMcp = useMcp();
  const mayCall = useMayCall();
  const path = requestPath(view);
  const before = (view.search.from ?? 1) - 1;
  const last = format.number(before + state.rows.length);
  const loaded = before === 0 ? last : `${format.number(before + 1)}–${last}`;
  const values = useMemo(() => state.rows.map((row) => row.values), [state.rows]);
  return (
    <footer className="flex min-h-8 items-center max-sm:flex-wrap gap-3 border-line border-t bg-canvas px-3.5 text-2 text-ink-2">
      <span role="status" className="shrink-0 tabular-nums">
        {state.count === undefined
          ? t("rowsLoaded", { count: loaded })
          : t("rowsOf", { count: loaded, all: format.number(state.count) })}
      </span>
      {(before > 0 || !state.isComplete) && (
        <ToolButton kind="bare" className="h-6 px-1.5" onClick={onGoTo}>
          {t("goTo")}
          <KeyHint>G</KeyHint>
        </ToolButton>
      )}
      <span className="truncate tabular-nums">{control.summary}</span>
      <SameTitles resource={view.resource} rows={values} />
      {hasInstants(view.resource.columns) && <ZoneNote />}
      <UnsavedBar unsaved={control.unsaved} />
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
      {mayCall && control.unsaved.failed.length === 0 && (
        <>
          <code className="min-w-0 truncate font-mono text-1 max-lg:hidden" title={path} dir="ltr">
            GET {path}
          </code>
          <CopyCurl isSmall path={() => path} />
          <CopyText isSmall label={t("copyCode")} text={() => clientCode(view)} />
          {hasMcp && (
            <CopyText isSmall label={t("copyCall")} text={() => mcpCallText(mcpCall(view))} />
          )}
        </>
      )}
    </footer>
  );
}
