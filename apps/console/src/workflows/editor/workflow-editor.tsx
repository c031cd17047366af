import { useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { useTask } from "../../shell/use-task.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { findStep, walkSteps } from "../model/branches.ts";
import { type DefinitionFault, type PlacedFault, placeFaults } from "../model/faults.ts";
import { triggerKey } from "../model/outline.ts";
import type { StepKinds } from "../parts/kinds-query.ts";
import { CodeView } from "./code-view.tsx";
import type { StoredDraft } from "./draft-query.ts";
import type { EditorSearch } from "./editor-search.ts";
import { EditorToolbar } from "./editor-toolbar.tsx";
import { FaultList } from "./fault-list.tsx";
import { ForeignDraft } from "./foreign-draft.tsx";
import { FormPane } from "./form-pane.tsx";
import { PublishDialog } from "./publish-dialog.tsx";
import type { Deed } from "./step-deeds.ts";
import { StepTree } from "./step-tree.tsx";
import { TestPane } from "./test-pane.tsx";
import { useCheck } from "./use-check.ts";
import { bodyPath, useDraft } from "./use-draft.ts";
import { useEditorCommands } from "./use-editor-commands.ts";
import { useRenaming } from "./use-renaming.ts";
import { ViewSwitch } from "./view-switch.tsx";

interface WorkflowEditorProps {
  readonly loaded: StoredDraft;
  readonly kinds: StepKinds;
  readonly search: EditorSearch;
  readonly onSearch: (changes: Partial<EditorSearch>) => void;
}

const noFaults: readonly DefinitionFault[] = [];

/** One definition as a tree and as code, the form of the chosen step beside it, and what is done with the whole. */
export function WorkflowEditor({ loaded, kinds, search, onSearch }: WorkflowEditorProps) {
  const t = useTranslations("workflowEditor");
  const draft = useDraft(loaded);
  const { id, definition } = draft;
  const check = useCheck(id, definition);
  const [published, setPublished] = useState<readonly DefinitionFault[]>(noFaults);
  const [publishing, publish] = useState<StoredDraft>();
  const [areFaultsShown, showFaults] = useState(false);
  const [target, setTarget] = useState(() => locate(loaded, kinds, search.step));
  const form = useRef<HTMLElement>(null);
  useLeaveGuard(draft.isChanged, t("leave"));

  const known = draft.refused ?? (check.faults.length > 0 ? check.faults : published);
  const faults = useMemo(
    () => (definition === undefined ? [] : placeFaults(definition, kinds.steps, known)),
    [definition, kinds, known],
  );
  const counts = useMemo(() => countFaults(faults), [faults]);
  const errors = faults.filter(({ severity }) => severity !== "WARNING").length;
  const step = useMemo(
    () =>
      definition === undefined || search.step === undefined
        ? undefined
        : findStep(definition, kinds.steps, search.step),
    [definition, kinds, search.step],
  );
  const view = search.view ?? "tree";
  const panel = search.panel === "test" ? "test" : "form";
  const [until, setUntil] = useState<string>();

  const choose = (key: string) =>
    onSearch({
      step: key === triggerKey ? undefined : key,
      panel: search.panel === "test" ? "test" : undefined,
      field: undefined,
    });
  const openForm = (key: string) => {
    onSearch({ step: key === triggerKey ? undefined : key, panel: undefined, field: undefined });
    // The form is drawn with the next frame.
    requestAnimationFrame(() =>
      form.current
        ?.querySelector<HTMLElement>("input, select, textarea, [contenteditable=true], button")
        ?.focus(),
    );
  };
  const renaming = useRenaming(definition, kinds.steps, draft.change);
  const change = (next: NonNullable<typeof definition>, subject: string) => {
    setPublished(noFaults);
    draft.change(next, subject);
    if (step === undefined) return;
    // The step keeps its place, and may have another id.
    const located = [...walkSteps(next, kinds.steps)].find(
      ({ pointer }) => pointer === step.pointer,
    );
    renaming.note(step, located);
    if (located !== undefined && located.key !== search.step) onSearch({ step: located.key });
  };
  const make = (deed: Deed) => {
    setPublished(noFaults);
    draft.change(deed.definition);
    const located =
      deed.pointer === null
        ? undefined
        : [...walkSteps(deed.definition, kinds.steps)].find(
            ({ pointer }) => pointer === deed.pointer,
          );
    onSearch({ step: located?.key, field: undefined });
  };
  const openFault = (fault: PlacedFault) => {
    if (view === "code") setTarget({ pointer: fault.path });
    onSearch({ step: fault.step?.key, field: fault.inside || undefined, panel: undefined });
  };
  const showView = (next: "tree" | "code") => {
    if (next === "code" && step !== undefined) setTarget({ pointer: step.pointer });
    onSearch({ view: next === "code" ? "code" : undefined });
  };
  const save = () => {
    renaming.finish();
    if (draft.isChanged && definition !== undefined) draft.saving.run();
    else if (definition === undefined) showView("code");
  };
  const preparing = useTask(async () => {
    publish(draft.isChanged ? await draft.store() : draft.stored);
  }, [bodyPath]);
  const openPublish = () => {
    renaming.finish();
    preparing.run();
  };
  const failure = draft.saving.failure ?? preparing.failure;
  useEditorCommands({
    save,
    publish: openPublish,
    switchView: () => showView(view === "tree" ? "code" : "tree"),
    undo: draft.undo,
    redo: draft.redo,
  });

  return (
    <div className="flex min-h-0 min-w-0 flex-col">
      <EditorToolbar
        {...{ draft, view, errors, areFaultsShown }}
        warnings={faults.length - errors}
        isChecked={check.isCurrent && check.failure === null && definition !== undefined}
        onView={showView}
        onFaults={() => showFaults(!areFaultsShown)}
        onSave={save}
        onPublish={openPublish}
      />
      <div className="grid gap-2 empty:hidden px-4 py-2 md:px-6">
        {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
        {check.failure !== null && check.failure !== undefined && (
          <FailureNotice error={check.failure} onRetry={check.retry} />
        )}
        {draft.foreign !== undefined && (
          <ForeignDraft
            own={definition}
            theirs={draft.foreign.definition}
            kinds={kinds.steps}
            onTake={draft.takeTheirs}
            onKeep={draft.keepMine}
          />
        )}
        {(areFaultsShown || draft.refused !== undefined) && faults.length > 0 && (
          <FaultList faults={faults} onOpen={openFault} />
        )}
      </div>
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_minmax(22rem,30rem)]">
        <div className="flex min-h-0 min-w-0 flex-col">
          {view === "code" ? (
            <div className="flex min-h-0 flex-1 flex-col p-2">
              <CodeView
                code={draft.code}
                onType={draft.type}
                faults={faults}
                target={target}
                onUndo={draft.undo}
                onRedo={draft.redo}
              />
            </div>
          ) : definition === undefined ? (
            <div className="p-4">
              <EmptyState title={t("noTree")} text={t("noTreeText")}>
                <div className="flex gap-2">
                  <ToolButton onClick={() => showView("code")}>{t("openCode")}</ToolButton>
                  <ToolButton onClick={draft.undo}>{t("undo")}</ToolButton>
                </div>
              </EmptyState>
            </div>
          ) : (
            <StepTree
              definition={definition}
              kinds={kinds}
              chosen={step?.key ?? triggerKey}
              faults={counts}
              onChoose={choose}
              onOpen={openForm}
              onDeed={make}
              onTestUntil={(key) => {
                setUntil(key);
                onSearch({ step: key, panel: "test", field: undefined });
              }}
            />
          )}
        </div>
        <aside
          ref={form}
          aria-label={t("beside")}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) renaming.finish();
          }}
          className="grid min-h-0 grid-cols-[minmax(0,1fr)] content-start gap-4 overflow-y-auto border-line p-4 max-lg:border-t lg:border-l"
        >
          <ViewSwitch
            label={t("beside")}
            view={panel}
            views={[
              { view: "form", label: t("form") },
              { view: "test", label: t("test") },
            ]}
            onChange={(next) => onSearch({ panel: next === "test" ? "test" : undefined })}
          />
          {definition !== undefined && (
            <TestPane
              isShown={panel === "test"}
              workflowId={id}
              definition={definition}
              dirty={draft.isChanged}
              until={until}
              onSave={async () => {
                renaming.finish();
                return (await draft.store()) !== undefined;
              }}
            />
          )}
          {definition !== undefined && panel === "form" && (
            <FormPane
              workflowId={id}
              slug={draft.workflow.slug}
              definition={definition}
              kinds={kinds}
              step={step}
              faults={known}
              field={search.field}
              onChange={change}
            />
          )}
        </aside>
      </div>
      {publishing !== undefined && (
        <PublishDialog
          stored={publishing}
          faults={faults.filter(({ severity }) => severity !== "WARNING")}
          onFault={(fault) => {
            publish(undefined);
            openFault(fault);
          }}
          onPublished={draft.published}
          onRefused={(refused) => {
            setPublished(refused);
            showFaults(true);
            publish(undefined);
          }}
          onClose={() => publish(undefined)}
        />
      )}
    </div>
  );
}

/** The place of a step in the code; undefined without one. */
function locate(
  { definition }: StoredDraft,
  kinds: StepKinds,
  key: string | undefined,
): { readonly pointer: string } | undefined {
  return key === undefined ? undefined : findStep(definition, kinds.steps, key);
}

/** The numbers of faults by the key of the step, or of the trigger. */
function countFaults(faults: readonly PlacedFault[]) {
  const counts = new Map<string, { errors: number; warnings: number }>();
  for (const { step, severity } of faults) {
    const key = step?.key ?? triggerKey;
    const count = counts.get(key) ?? { errors: 0, warnings: 0 };
    if (severity === "WARNING") count.warnings += 1;
    else count.errors += 1;
    counts.set(key, count);
  }
  return counts;
}
