import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { CircleAlert, TriangleAlert } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { walkSteps } from "../model/branches.ts";
import { isSameJson } from "../model/code-text.ts";
import { type Definition, idOf, type KindBranches } from "../model/definition.ts";
import type { PlacedFault } from "../model/faults.ts";
import { keysOf } from "../model/pointer.ts";
import type { StepKinds } from "../parts/kinds-query.ts";
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

interface ForeignDraftProps {
  readonly own: Definition | undefined;
  readonly theirs: Definition;
  readonly kinds: readonly KindBranches[];
  readonly onTake: () => void;
  readonly onKeep: () => void;
}

/** Asks what happens with a draft that another administrator has saved meanwhile. */
function ForeignDraft({ own, theirs, kinds, onTake, onKeep }: ForeignDraftProps) {
  const t = useTranslations("workflowEditor");
  const names = own === undefined ? [] : differingSteps(own, theirs, kinds);
  return (
    <Notice kind="danger">
      <div className="grid justify-items-start gap-2">
        <p>{t("foreign")}</p>
        {names.length > 0 && (
          <p className="wrap-anywhere">{t("foreignSteps", { names: names.join(", ") })}</p>
        )}
        <div className="flex flex-wrap gap-2">
          <ToolButton onClick={onTake}>{t("takeTheirs")}</ToolButton>
          <ToolButton onClick={onKeep}>{t("keepMine")}</ToolButton>
        </div>
      </div>
    </Notice>
  );
}

/** The ids of the steps that two definitions do not have in common, inner steps included in those around them. */
function differingSteps(
  one: Definition,
  other: Definition,
  kinds: readonly KindBranches[],
): string[] {
  const stepsOf = (definition: Definition) =>
    new Map([...walkSteps(definition, kinds)].map(({ step, key }) => [key, step]));
  const [first, second] = [stepsOf(one), stepsOf(other)];
  const keys = new Set([...first.keys(), ...second.keys()]);
  return [...keys]
    .filter((key) => !isSameJson(first.get(key), second.get(key)))
    .map((key) => idOf(first.get(key) ?? second.get(key)) || key);
}

interface FaultListProps {
  readonly faults: readonly PlacedFault[];
  /** Shows the place of a fault. */
  readonly onOpen: (fault: PlacedFault) => void;
}

/** The faults of a definition, each as a button that shows its place. */
export function FaultList({ faults, onOpen }: FaultListProps) {
  const t = useTranslations("workflowEditor");
  return (
    <ul aria-label={t("faults")} className="grid max-h-48 overflow-y-auto">
      {faults.map((fault) => {
        const isWarning = fault.severity === "WARNING";
        const Icon = isWarning ? TriangleAlert : CircleAlert;
        return (
          <li key={`${fault.path} ${fault.code} ${fault.message}`}>
            <button
              type="button"
              onClick={() => onOpen(fault)}
              className="flex min-h-7 w-full items-start gap-2 rounded-control px-2 py-1 text-left hover:bg-sunken"
            >
              <Icon
                size={14}
                aria-label={t(isWarning ? "warning" : "fault")}
                className={`mt-0.75 shrink-0 ${isWarning ? "text-warn" : "text-danger"}`}
              />
              <span className="min-w-0 wrap-anywhere">
                <bdi className="font-medium">{placeText(fault)}</bdi>{" "}
                <span lang="en">{fault.message}</span>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Where a fault is: the step and the field in it. */
function placeText({ step, inside }: PlacedFault): string {
  return [...(step === undefined ? [] : [step.key]), ...keysOf(inside)].join(" › ");
}
