import { FailureNotice } from "../../shell/failure-notice.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { PlacedFault } from "../model/faults.ts";
import type { StepKinds } from "../parts/kinds-query.ts";
import { FaultList } from "./fault-list.tsx";
import { ForeignDraft } from "./foreign-draft.tsx";
import type { Draft } from "./use-draft.ts";
import type { EditorFaults } from "./use-editor-faults.ts";

interface EditorNoticesProps {
  readonly draft: Draft;
  readonly faults: EditorFaults;
  readonly kinds: StepKinds;
  /** The message of the last request that failed. */
  readonly failure: string | undefined;
  readonly onFault: (fault: PlacedFault) => void;
}

/** What concerns the whole definition: failed requests, the draft of another administrator, and the list of faults. */
export function EditorNotices({ draft, faults, kinds, failure, onFault }: EditorNoticesProps) {
  const { check } = faults;
  return (
    <div className="grid gap-2 empty:hidden px-4 py-2 md:px-6">
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      {check.failure !== null && check.failure !== undefined && (
        <FailureNotice error={check.failure} onRetry={check.retry} />
      )}
      {draft.foreign !== undefined && (
        <ForeignDraft
          own={draft.definition}
          theirs={draft.foreign.definition}
          kinds={kinds.steps}
          onTake={draft.takeTheirs}
          onKeep={draft.keepMine}
        />
      )}
      {faults.areShown && faults.placed.length > 0 && (
        <FaultList faults={faults.placed} onOpen={onFault} />
      )}
    </div>
  );
}
