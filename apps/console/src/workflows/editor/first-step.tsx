import { useState } from "react";
import { useTranslations } from "use-intl";
import { ToolButton } from "../../ui/tool-button.tsx";
import { iconOf } from "../parts/kind-icon.ts";
import { AddStepDialog } from "./add-step-dialog.tsx";
import { stepDeeds } from "./step-deeds.ts";
import type { StepViewProps } from "./step-view.tsx";

const usualKinds = ["listRows", "createRow", "httpRequest", "sendEmail", "condition"];
const place = { list: "/steps", index: 0 };

/** For a workflow without steps: the usual kinds of a first one, and the choice of another. */
export function FirstStep({ definition, kinds, onDeed }: StepViewProps) {
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
