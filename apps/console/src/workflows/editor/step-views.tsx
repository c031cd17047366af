import { type ComponentProps, lazy, Suspense, useState } from "react";
import { useTranslations } from "use-intl";
import { LockedFields } from "../../shell/managed.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { fieldOf } from "../model/definition.ts";
import { iconOf } from "../parts/kind-icon.ts";
import { AddStepDialog } from "./add-step-dialog.tsx";
import { stepDeeds } from "./step-deeds.ts";
import { StepTree } from "./step-tree.tsx";
import type { StepViewProps } from "./step-view.tsx";

const StepGraph = lazy(() =>
  import("./step-graph.tsx").then((module) => ({ default: module.StepGraph })),
);

/** The steps as a graph or as a tree. Without steps, the usual first ones are offered above it. */
export function StepViews(props: ComponentProps<typeof StepGraph> & { readonly isGraph: boolean }) {
  const { isGraph, name, ...view } = props;
  const words = useTranslations("manage");
  const steps = fieldOf(view.definition, "steps");
  const isEmpty = !Array.isArray(steps) || steps.length === 0;
  return (
    <>
      {isEmpty && <FirstStep {...view} />}
      {isGraph ? (
        <Suspense fallback={<Skeleton label={words("loading")} rows={6} />}>
          <StepGraph {...view} name={name} />
        </Suspense>
      ) : (
        <StepTree {...view} />
      )}
    </>
  );
}

const usualKinds = ["listRows", "createRow", "httpRequest", "sendEmail", "condition"];
const place = { list: "/steps", index: 0 };

/** For a workflow without steps: the usual kinds of a first one, and the choice of another. */
function FirstStep({ definition, kinds, isLocked, onDeed }: StepViewProps) {
  const t = useTranslations("workflows.begin");
  const [isChoosing, choose] = useState(false);
  const add = (kind: string) => onDeed(stepDeeds(definition, kinds.steps).add(kind, place));
  const usual = usualKinds.flatMap((kind) => kinds.steps.filter((one) => one.kind === kind));
  return (
    <section aria-label={t("first")} className="grid gap-3 border-line border-b bg-surface p-4">
      <div>
        <h2 className="font-semibold text-4">{t("first")}</h2>
        <p className="text-ink-2">{t("firstText")}</p>
      </div>
      <LockedFields isLocked={isLocked}>
        <div className="flex flex-wrap gap-2">
          {usual.map(({ kind, title }) => {
            const Icon = iconOf(kind);
            return (
              <ToolButton key={kind} onClick={() => add(kind)}>
                <Icon size={14} aria-hidden="true" />
                {title}
              </ToolButton>
            );
          })}
          <ToolButton onClick={() => choose(true)}>{t("others")}</ToolButton>
        </div>
      </LockedFields>
      {isChoosing && (
        <AddStepDialog
          kinds={kinds.steps}
          onClose={() => choose(false)}
          onChoose={({ kind }) => {
            choose(false);
            add(kind);
          }}
        />
      )}
    </section>
  );
}
