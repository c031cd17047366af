import { useTranslations } from "use-intl";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { Draft, Parameter } from "./draft.ts";
import { type DraftFault, faultIn } from "./draft-faults.ts";
import {
  freeParameterName,
  withoutParameter,
  withParameter,
  withParameterAt,
} from "./edit-draft.ts";
import { ParameterForm } from "./parameter-form.tsx";

interface ParametersPaneProps {
  readonly draft: Draft;
  readonly faults: readonly DraftFault[];
  readonly onChange: (draft: Draft, subject?: string) => void;
}

const kinds = ["PERIOD", "VALUE", "PERSON"] as const;

/** The parameters that readers of the board may set, in their order. */
export function ParametersPane({ draft, faults, onChange }: ParametersPaneProps) {
  const t = useTranslations("dashboardBuilder");
  const add = (kind: Parameter["kind"]) => {
    const parts = {
      name: freeParameterName(draft, kind.toLowerCase()),
      label: t(`parameterKinds.${kind}`),
    };
    const parameter: Parameter =
      kind === "VALUE"
        ? { ...parts, kind, resourceId: null, field: "", multiple: false, default: null }
        : { ...parts, kind, default: null };
    onChange({ ...draft, parameters: [...draft.parameters, parameter] });
  };
  return (
    <div className="grid content-start gap-5">
      <p className="text-ink-2">{t("parametersText")}</p>
      {draft.parameters.map((parameter, index) => (
        <ParameterForm
          // biome-ignore lint/suspicious/noArrayIndexKey: names are edited, and may be the same meanwhile
          key={index}
          parameter={parameter}
          isFirst={index === 0}
          isLast={index === draft.parameters.length - 1}
          bound={
            draft.panels.filter(({ bindings }) =>
              bindings.some((binding) => binding.parameter === parameter.name),
            ).length
          }
          faultAt={(pointer) => faultIn(faults, parameter, pointer)}
          onChange={(next, subject) =>
            onChange(
              withParameter(draft, index, next),
              subject === undefined ? undefined : `parameter ${index} ${subject}`,
            )
          }
          onMove={(by) => onChange(withParameterAt(draft, index, index + by))}
          onDelete={() => onChange(withoutParameter(draft, index))}
        />
      ))}
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-medium">{t("addParameter")}</legend>
        <div className="flex flex-wrap gap-2">
          {kinds.map((kind) => (
            <ToolButton key={kind} onClick={() => add(kind)}>
              {t(`parameterKinds.${kind}`)}
            </ToolButton>
          ))}
        </div>
      </fieldset>
    </div>
  );
}
