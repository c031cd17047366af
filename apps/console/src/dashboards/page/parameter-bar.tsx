import { useTranslations } from "use-intl";
import type { OpenParameter, ParameterValues } from "../model/open-dashboard.ts";
import { ChoiceParameter } from "./choice-parameter.tsx";
import { PeriodParameter } from "./period-parameter.tsx";

interface ParameterBarProps {
  readonly id: string;
  readonly parameters: readonly OpenParameter[];
  /** The new values of some parameters. */
  readonly onChange: (values: ParameterValues) => void;
}

/** The parameters that the panels share. */
export function ParameterBar({ id, parameters, onChange }: ParameterBarProps) {
  const t = useTranslations("dashboards");
  if (parameters.length === 0) return null;
  return (
    <fieldset className="flex min-w-0 flex-wrap items-end gap-x-4 gap-y-2">
      <legend className="sr-only">{t("parameters")}</legend>
      {parameters.map((parameter) => {
        const shared = {
          parameter,
          onChange: (value: unknown) => onChange({ [parameter.name]: value }),
        };
        return parameter.kind === "PERIOD" ? (
          <PeriodParameter key={parameter.name} {...shared} />
        ) : (
          <ChoiceParameter key={parameter.name} id={id} {...shared} />
        );
      })}
    </fieldset>
  );
}
