import { useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslations } from "use-intl";
import { LostFilters } from "../../records/saved/lost-filters.tsx";
import { SeenAsField } from "../../records/saved/reading-fields.tsx";
import { useOwnWays, WaysProvider } from "../../records/values/ways.ts";
import { AppLink, useOpen } from "../../shell/app-link.tsx";
import { useCommands } from "../../shell/commands.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { LockedFields, ManagedNotice, useManagedLock } from "../../shell/managed.tsx";
import { readSeenAs, writeSeenAs } from "../../shell/seen-as.ts";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { useTitle } from "../../shell/use-title.ts";
import { classes, linkClasses } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { Board } from "./board.tsx";
import { BuilderPane } from "./builder-pane.tsx";
import type { BuilderSearch } from "./builder-search.ts";
import { BuilderToolbar } from "./builder-toolbar.tsx";
import type { Draft, Panel, PanelKind, StoredDashboard } from "./draft.ts";
import {
  type NewPanel,
  withCopy,
  withoutPanel,
  withPanel,
  withPanels,
  withStart,
} from "./edit-draft.ts";
import { arranged, inReadingOrder } from "./layout.ts";
import { firstContent } from "./panel-content-edit.ts";
import { noFacts } from "./propose.ts";
import { StartPane } from "./start-pane.tsx";
import { useDraft } from "./use-draft.ts";
import { usePreview } from "./use-preview.ts";
import { useSave } from "./use-save.ts";

interface BuilderProps {
  /** Null for a new board. */
  readonly stored: StoredDashboard | null;
  readonly start: Draft;
  readonly search: BuilderSearch;
  readonly onSearch: (changes: BuilderSearch) => void;
}

/** A board as its readers will see it, on which everything can be changed, and the form of the chosen part beside it. */
export function Builder({ stored, start, search, onSearch }: BuilderProps) {
  const t = useTranslations("dashboardBuilder");
  const open = useOpen();
  const state = useDraft(start);
  const lock = useManagedLock("dashboards", stored === null ? [] : [stored.name]);
  const { isLocked } = lock;
  const ways = useOwnWays();
  const { draft, change } = state;
  const as = readSeenAs(search.as);
  const preview = usePreview(draft, as);
  const [deleted, setDeleted] = useState<{ readonly name: string; readonly after: Draft }>();
  const saving = useSave({
    stored,
    state,
    onCreated: (id) => open(`/admin/dashboards/${id}`),
    onRefused: (sent, [fault]) => {
      const panel = sent.panels.find((one) => one === fault?.part);
      const isParameter = sent.parameters.some((one) => one === fault?.part);
      if (panel !== undefined) onSearch({ panel: panel.id, pane: undefined });
      else onSearch({ panel: undefined, pane: isParameter ? "parameters" : "board" });
    },
  });
  useLeaveGuard(state.isChanged, t("leave"));
  useTitle(draft.name || t("newTitle"));
  useBuilderCommands({ save: saving.task.run, undo: state.undo, redo: state.redo });
  const chosen = draft.panels.find(({ id }) => id === search.panel);
  const choose = (id: string) => onSearch({ panel: id, pane: undefined });
  const add = (panels: readonly NewPanel[]) => {
    const added = withPanels(draft, panels);
    change(added.draft);
    const [only] = added.ids;
    if (added.ids.length === 1 && only !== undefined) choose(only);
  };
  const addKind = (kind: PanelKind) => {
    const resourceId = kind === "TEXT" ? null : (draft.panels.at(-1)?.resourceId ?? null);
    add([{ ...firstContent(kind, [], noFacts), title: "", resourceId }]);
  };
  const copy = (id: string) => {
    const copied = withCopy(draft, id);
    if (copied === undefined) return;
    change(copied.draft);
    choose(copied.id);
  };
  const remove = (id: string) => {
    const panel = draft.panels.find((one) => one.id === id);
    if (panel === undefined) return;
    const after = withoutPanel(draft, id);
    change(after);
    // The keyboard continues at the panel that follows.
    const order = inReadingOrder(draft.panels);
    const at = order.findIndex((one) => one.id === id);
    const next = order[at + 1] ?? order[at - 1];
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-move="${next?.id}"]`)?.focus(),
    );
    setDeleted({ name: panel.title || t(`kinds.${panel.kind}`), after });
    if (search.panel === id) onSearch({ panel: undefined });
  };
  const faultsOf = (panel: Panel) => {
    const found = preview.previewOf(panel);
    return [
      ...saving.faults.filter(({ part }) => part === panel),
      ...(found !== undefined && "faults" in found ? found.faults : []),
    ];
  };
  const isOpen = chosen !== undefined || search.pane !== undefined;
  // On a narrow screen, the form of what is chosen is a page of its own.
  const isCovered = isOpen && "max-lg:hidden";
  return (
    <div className="flex min-h-dvh min-w-0 flex-col lg:h-dvh lg:min-h-0">
      {isOpen && <h1 className="sr-only lg:hidden">{draft.name || t("newTitle")}</h1>}
      <div
        className={classes(
          "flex flex-wrap items-end justify-between gap-x-6 gap-y-2 px-4 pt-4 pb-2 md:px-6",
          isCovered,
        )}
      >
        <h1 className="flex min-w-0 flex-wrap items-baseline gap-x-1.5 text-5 font-semibold wrap-anywhere">
          <span className="font-normal text-3 text-ink-2">
            <AppLink href="/admin/dashboards" className={linkClasses}>
              {t("all")}
            </AppLink>{" "}
            /
          </span>
          <span dir="auto">{draft.name || t("newTitle")}</span>
        </h1>
        <SeenAsField as={as} onChange={(next) => onSearch({ as: writeSeenAs(next) })} />
      </div>
      <div className="px-4 pb-2 empty:hidden max-lg:pt-2 md:px-6">
        <ManagedNotice lock={lock} />
      </div>
      <BuilderToolbar
        state={state}
        isLocked={isLocked}
        id={stored?.id ?? null}
        isSaving={saving.task.isBusy}
        isLost={saving.lost.length > 0}
        onAdd={addKind}
        onReload={preview.reload}
        onPane={(pane) => onSearch({ pane, panel: undefined })}
        onSave={saving.task.run}
        isCovered={isOpen}
      />
      <div className="grid gap-2 px-4 py-2 empty:hidden md:px-6">
        <LostFilters lost={saving.lost} />
        {saving.task.failure !== undefined && <Notice kind="danger">{saving.task.failure}</Notice>}
        {preview.error !== null && <FailureNotice error={preview.error} onRetry={preview.reload} />}
        {saving.foreign !== undefined && (
          <Notice kind="danger">
            <div className="grid justify-items-start gap-2">
              <p>{t("foreign")}</p>
              <div className="flex flex-wrap gap-2">
                <ToolButton onClick={saving.takeTheirs}>{t("takeTheirs")}</ToolButton>
                <ToolButton onClick={saving.keepMine}>{t("keepMine")}</ToolButton>
              </div>
            </div>
          </Notice>
        )}
        {deleted !== undefined && deleted.after === draft && (
          <Notice kind="info">
            <span className="flex flex-wrap items-center gap-2">
              <span dir="auto">{t("deleted", { name: deleted.name })}</span>
              <ToolButton onClick={() => state.undo?.()}>{t("undo")}</ToolButton>
            </span>
          </Notice>
        )}
      </div>
      <div
        className={classes(
          "grid min-h-0 flex-1 xl:grid-cols-[minmax(0,1fr)_22rem]",
          isOpen && "lg:grid-cols-[minmax(0,1fr)_22rem]",
        )}
      >
        <div className={classes("min-w-0 overflow-auto px-4 pt-2 pb-24 md:px-6", isCovered)}>
          {draft.panels.length === 0 ? (
            <LockedFields isLocked={isLocked}>
              <StartPane
                onAdd={(panel) => add([panel])}
                onAddAll={(start) => change(withStart(draft, start))}
              />
            </LockedFields>
          ) : (
            <Board
              panels={draft.panels}
              chosen={search.panel}
              isLocked={isLocked}
              previewOf={preview.previewOf}
              faultsOf={faultsOf}
              onRetry={preview.retry}
              onChoose={choose}
              onCopy={copy}
              onDelete={remove}
              onArrange={(panels, subject) => change({ ...draft, panels }, subject)}
            />
          )}
        </div>
        <WaysProvider value={ways}>
          <BuilderPane
            id={stored?.id ?? null}
            draft={draft}
            isLocked={isLocked}
            panel={chosen}
            pane={search.pane}
            boardFaults={saving.faults}
            panelFaults={chosen === undefined ? [] : faultsOf(chosen)}
            onClose={() => onSearch({ panel: undefined, pane: undefined })}
            onChange={change}
            onPanel={(panel, subject) => change(withPanel(draft, panel), subject)}
            onMove={(panel, place) =>
              change(
                { ...draft, panels: arranged(draft.panels, panel.id, place) },
                `place ${panel.id}`,
              )
            }
            onCopy={copy}
            onDelete={remove}
            onDeleted={() => {
              flushSync(() => state.saved(draft));
              open("/admin/dashboards");
            }}
          />
        </WaysProvider>
      </div>
    </div>
  );
}

/** What keys and the palette do in the builder. */
interface BuilderDeeds {
  save(): void;
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
}

/** Adds the shortcuts and commands of the builder while it is shown. */
function useBuilderCommands(deeds: BuilderDeeds): void {
  const t = useTranslations("dashboardBuilder");
  const words = useTranslations("manage");
  const latest = useRef(deeds);
  latest.current = deeds;
  const shortcuts = useMemo(() => {
    const section = t("section");
    return [
      { keys: "Mod+S", label: words("save"), section, run: () => latest.current.save() },
      { keys: "Mod+Z", label: t("undo"), section, run: () => latest.current.undo?.() },
      { keys: "Mod+Shift+Z", label: t("redo"), section, run: () => latest.current.redo?.() },
      { keys: "↑↓←→", label: t("moveKeys"), section },
      { keys: "Shift+↑↓←→", label: t("resizeKeys"), section },
    ];
  }, [t, words]);
  useShortcuts(shortcuts);
  const commands = useMemo(
    () => [
      {
        ...{ id: "dashboard-save", group: "here" as const, label: words("save"), keys: "Mod+S" },
        run: () => latest.current.save(),
      },
    ],
    [words],
  );
  useCommands(commands);
}
