import { useTranslations } from "use-intl";
import { StepForm } from "../form/step-form.tsx";
import { TriggerForm } from "../form/trigger-form.tsx";
import type { LocatedStep } from "../model/branches.ts";
import { type Definition, fieldOf, isJsonObject, kindOf } from "../model/definition.ts";
import { replaceStep } from "../model/edit-steps.ts";
import { type DefinitionFault, faultsWithin } from "../model/faults.ts";
import { isWithin } from "../model/pointer.ts";
import { iconOf } from "../parts/kind-icon.ts";
import type { StepKinds } from "../parts/kinds-query.ts";

interface FormPaneProps {
  readonly workflowId: string;
  readonly slug: string;
  readonly definition: Definition;
  readonly kinds: StepKinds;
  readonly isLocked: boolean;
  /** Undefined for the trigger. */
  readonly step: LocatedStep | undefined;
  readonly faults: readonly DefinitionFault[];
  readonly field: string | undefined;
  readonly onChange: (definition: Definition, subject: string) => void;
}

/** The form of the chosen step, or of the trigger with the limits of all runs. */
export function FormPane(props: FormPaneProps) {
  const { step } = props;
  if (step === undefined) return <TriggerPane {...props} />;
  return <StepPane {...props} step={step} />;
}

function StepPane(props: FormPaneProps & { readonly step: LocatedStep }) {
  const { workflowId, definition, kinds, isLocked, step, faults, field, onChange } = props;
  const t = useTranslations("workflowEditor");
  const { pointer, key } = step;
  const kind = kinds.steps.find((one) => one.kind === kindOf(step.step));
  if (kind === undefined || !isJsonObject(step.step)) {
    return <p className="text-ink-2">{t("unknownKind")}</p>;
  }
  const Icon = iconOf(kind.kind);
  const { title, help } = kind;
  const inner = kind.branches.map(({ path }) => `${pointer}/${path[0]}`);
  return (
    <>
      <div className="grid gap-1">
        <h2 className="flex items-center gap-2 text-4 font-semibold">
          <Icon size={16} aria-hidden="true" className="shrink-0 text-ink-2" />
          {title}
        </h2>
        <p className="text-ink-2">{help}</p>
      </div>
      <StepForm
        key={pointer}
        kind={kind}
        value={step.step}
        onChange={(next) => onChange(replaceStep(definition, pointer, next), `form ${pointer}`)}
        faults={faultsWithin(
          faults.filter(({ path }) => !inner.some((list) => isInnerStep(path, list))),
          pointer,
        )}
        field={field}
        isLocked={isLocked}
        place={{ workflowId, definition, stepId: key }}
      />
    </>
  );
}

/** Whether a pointer leads to a step of an inner list, whose own form shows it. */
function isInnerStep(path: string, list: string): boolean {
  return (
    isWithin(path, list) &&
    /\/[0-9]+$|\/[0-9]+\//.test(path.slice(list.length)) &&
    !/^\/[0-9]+\/equals$/.test(path.slice(list.length))
  );
}

/** The fields of a definition besides these are the limits of all its runs. */
const parts = ["trigger", "steps"];

function TriggerPane(props: FormPaneProps) {
  const { workflowId, slug, definition, kinds, isLocked, faults, field, onChange } = props;
  const t = useTranslations("workflowEditor");
  const trigger = fieldOf(definition, "trigger");
  const place = { workflowId, definition, stepId: null };
  const limits = Object.fromEntries(
    Object.entries(definition).filter(([name]) => !parts.includes(name)),
  );
  const limitKind = {
    ...{ kind: "", title: t("limits"), help: "", group: "flow" as const, hasEffects: false },
    ...{ branches: [], schema: kinds.workflow.schema },
  };
  return (
    <>
      <h2 className="text-4 font-semibold">{t("trigger")}</h2>
      <TriggerForm
        kinds={kinds.triggers}
        value={isJsonObject(trigger) ? trigger : {}}
        onChange={(next) => onChange({ ...definition, trigger: next }, "form trigger")}
        faults={faultsWithin(faults, "/trigger")}
        field={field}
        isLocked={isLocked}
        place={place}
        slug={slug}
      />
      <section aria-label={t("limits")} className="grid gap-4 border-line border-t pt-4">
        <h2 className="text-4 font-semibold">{t("limits")}</h2>
        <StepForm
          kind={limitKind}
          value={limits}
          onChange={(next) => onChange(withLimits(definition, next), "form limits")}
          faults={faults.filter(({ path }) => !parts.some((part) => isWithin(path, `/${part}`)))}
          field={field}
          isLocked={isLocked}
          place={place}
        />
      </section>
    </>
  );
}

/** Replaces the fields besides trigger and steps. The others keep their order. */
function withLimits(definition: Definition, limits: Definition): Definition {
  const kept = Object.entries(definition).filter(
    ([name]) => parts.includes(name) || Object.hasOwn(limits, name),
  );
  return { ...Object.fromEntries(kept), ...limits };
}
