import { type ComponentProps, lazy, Suspense, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslations } from "use-intl";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { useTask } from "../../shell/use-task.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { idsOf, type LocatedStep, stepAt, walkSteps } from "../model/branches.ts";
import { type Definition, idOf, type KindBranches } from "../model/definition.ts";
import { triggerKey } from "../model/outline.ts";
import { keysOf } from "../model/pointer.ts";
import { renameReferences } from "../model/references.ts";
import type { StepKinds } from "../parts/kinds-query.ts";
import { ViewSwitch } from "../parts/view-switch.tsx";
import { CodeView } from "./code-view.tsx";
import type { StoredDraft } from "./draft-query.ts";
import { EditorNotices } from "./editor-notices.tsx";
import type { EditorSearch } from "./editor-search.ts";
import { EditorToolbar } from "./editor-toolbar.tsx";
import { FormPane } from "./form-pane.tsx";
import { PublishDialog } from "./publish-dialog.tsx";
import type { Deed } from "./step-deeds.ts";
import { StepViews } from "./step-views.tsx";
import { bodyPath, useDraft } from "./use-draft.ts";
import { useEditorCommands } from "./use-editor-commands.ts";
import { useEditorFaults } from "./use-editor-faults.ts";
import { useEditorPlace } from "./use-editor-place.ts";

interface WorkflowEditorProps {
  readonly loaded: StoredDraft;
  readonly kinds: StepKinds;
  /** Whether it is shown and tested, and not changed. */
  readonly isLocked: boolean;
  readonly search: EditorSearch;
  readonly onSearch: (changes: Partial<EditorSearch>) => void;
}

/** One definition as a tree and as code, the form of the chosen step beside it, and what is done with the whole. */
export function WorkflowEditor(props: WorkflowEditorProps) {
  const { loaded, kinds, isLocked, search, onSearch } = props;
  const t = useTranslations("workflowEditor");
  const draft = useDraft(loaded);
  const { id, definition } = draft;
  const faults = useEditorFaults(draft, kinds);
  const [publishing, publish] = useState<StoredDraft>();
  const form = useRef<HTMLElement>(null);
  useLeaveGuard(draft.isChanged, t("leave"));

  const place = useEditorPlace({ definition, kinds, search, onSearch, form });
  const { step, view, panel } = place;
  const renaming = useRenaming(definition, kinds.steps, draft.change);
  const change = (next: NonNullable<typeof definition>, subject: string) => {
    faults.forgetPublishing();
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
    faults.forgetPublishing();
    draft.change(deed.definition);
    const located =
      deed.pointer === null
        ? undefined
        : [...walkSteps(deed.definition, kinds.steps)].find(
            ({ pointer }) => pointer === deed.pointer,
          );
    onSearch({ step: located?.key, field: undefined });
  };
  const save = () => {
    renaming.finish();
    if (draft.isChanged && definition !== undefined) draft.saving.run();
    else if (definition === undefined) place.showView("code");
  };
  const preparing = useTask(async () => {
    publish(draft.isChanged ? await draft.store() : draft.stored);
  }, [bodyPath]);
  const openPublish = () => {
    if (isLocked) return;
    renaming.finish();
    preparing.run();
  };
  useEditorCommands({
    save,
    publish: openPublish,
    switchView: place.switchView,
    undo: draft.undo,
    redo: draft.redo,
  });

  return (
    <div className="flex min-h-0 min-w-0 flex-col">
      <EditorToolbar
        {...{ draft, view, isLocked }}
        errors={faults.errors.length}
        warnings={faults.placed.length - faults.errors.length}
        areFaultsShown={faults.areShown}
        isChecked={
          faults.check.isCurrent && faults.check.failure === null && definition !== undefined
        }
        onView={place.showView}
        onFaults={faults.toggle}
        onSave={save}
        onPublish={openPublish}
      />
      <EditorNotices
        {...{ draft, faults, kinds }}
        failure={draft.saving.failure ?? preparing.failure}
        onFault={place.openFault}
      />
      <div className="grid min-h-0 flex-1 lg:grid-cols-[minmax(0,1fr)_minmax(22rem,30rem)]">
        <div className="flex min-h-0 min-w-0 flex-col">
          {view === "code" ? (
            <div className="flex min-h-0 flex-1 flex-col p-2">
              <CodeView
                code={draft.code}
                isLocked={isLocked}
                onType={draft.type}
                faults={faults.placed}
                target={place.target}
                onUndo={draft.undo}
                onRedo={draft.redo}
              />
            </div>
          ) : definition === undefined ? (
            <MissingTree onCode={() => place.showView("code")} onUndo={draft.undo} />
          ) : (
            <StepViews
              isGraph={view === "graph"}
              name={draft.workflow.slug}
              definition={definition}
              kinds={kinds}
              isLocked={isLocked}
              chosen={step?.key ?? triggerKey}
              faults={faults.counts}
              onChoose={place.choose}
              onOpen={place.openForm}
              onDeed={make}
              onTestUntil={place.testUntil}
            />
          )}
        </div>
        <aside
          ref={form}
          aria-label={t("beside")}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) renaming.finish();
          }}
          className="grid min-h-0 content-start gap-4 overflow-y-auto border-line p-4 max-lg:border-t lg:border-l"
        >
          <ViewSwitch
            label={t("beside")}
            view={panel}
            views={[
              { view: "form", label: t("form") },
              { view: "test", label: t("test") },
            ]}
            onChange={place.showPanel}
          />
          {definition !== undefined && (
            <TestPane
              isShown={panel === "test"}
              workflowId={id}
              definition={definition}
              dirty={draft.isChanged}
              until={place.until}
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
              isLocked={isLocked}
              step={step}
              faults={faults.known}
              field={search.field}
              onChange={change}
            />
          )}
        </aside>
      </div>
      {publishing !== undefined && (
        <PublishDialog
          stored={publishing}
          faults={faults.errors}
          onFault={(fault) => {
            publish(undefined);
            place.openFault(fault);
          }}
          onPublished={draft.published}
          onRefused={(refused) => {
            faults.refusePublishing(refused);
            publish(undefined);
          }}
          onClose={() => publish(undefined)}
        />
      )}
    </div>
  );
}

interface MissingTreeProps {
  readonly onCode: () => void;
  readonly onUndo: () => void;
}

/** In place of the tree while the code is not a definition. */
function MissingTree({ onCode, onUndo }: MissingTreeProps) {
  const t = useTranslations("workflowEditor");
  return (
    <div className="p-4">
      <EmptyState title={t("noTree")} text={t("noTreeText")}>
        <div className="flex gap-2">
          <ToolButton onClick={onCode}>{t("openCode")}</ToolButton>
          <ToolButton onClick={onUndo}>{t("undo")}</ToolButton>
        </div>
      </EmptyState>
    </div>
  );
}

const TestPanel = lazy(() =>
  import("../test/test-panel.tsx").then((module) => ({ default: module.TestPanel })),
);

/** The test of the draft. Its input and its mocks stay while the form is shown in its place. */
function TestPane(props: ComponentProps<typeof TestPanel> & { readonly isShown: boolean }) {
  const { isShown, ...panel } = props;
  const words = useTranslations("manage");
  const [wasShown, setShown] = useState(isShown);
  if (isShown && !wasShown) setShown(true);
  if (!wasShown) return null;
  return (
    <div hidden={!isShown}>
      <Suspense fallback={<Skeleton label={words("loading")} rows={6} />}>
        <TestPanel {...panel} />
      </Suspense>
    </div>
  );
}

/**
 * Renames the references to a step whose id was changed, once its person has left the form: while they type, the id may
 * be that of another step for a moment.
 */
function useRenaming(
  definition: Definition | undefined,
  kinds: readonly KindBranches[],
  change: (definition: Definition) => void,
) {
  const pending = useRef<{ readonly pointer: string; readonly from: string }>(null);
  const latest = useRef(definition);
  latest.current = definition;
  return {
    /** Remembers the first id of a step that changes. */
    note: (before: LocatedStep, after: LocatedStep | undefined) => {
      const from = idOf(before.step);
      if (pending.current !== null || after === undefined || from === idOf(after.step)) return;
      pending.current = { pointer: before.pointer, from };
    },
    finish: () => {
      const renamed = pending.current;
      const present = latest.current;
      pending.current = null;
      if (renamed === null || present === undefined) return;
      const to = idOf(stepAt(present, keysOf(renamed.pointer)));
      const isAmbiguous = to === "" || idsOf(present, kinds).has(renamed.from);
      if (isAmbiguous) return;
      // A request that follows sends the references as they are then.
      flushSync(() => change(renameReferences(present, renamed.from, to)));
    },
  };
}
