import { useTranslations } from "use-intl";
import { type OpenParameter, type ParameterValues, presentValue } from "../model/open-dashboard.ts";
import { ChoiceParameter } from "./choice-parameter.tsx";
import { PeriodParameter } from "./period-parameter.tsx";

interface ParameterBarProps {
  readonly id: string;
  readonly parameters: readonly OpenParameter[];
  /** The values in the address, which precede those of the last response. */
  readonly chosen: ParameterValues;
  /** The change of a parameter's value in the address. */
  readonly onChange: (parameter: OpenParameter, change: (value: unknown) => unknown) => void;
}

/** The parameters that the panels share. */
export function ParameterBar({ id, parameters, chosen, onChange }: ParameterBarProps) {
  const t = useTranslations("dashboards");
  if (parameters.length === 0) return null;
  return (
    <fieldset className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <legend className="sr-only">{t("parameters")}</legend>
      {parameters.map((parameter) => {
        const { name } = parameter;
        if (parameter.kind === "PERIOD") {
          const choose = (value: unknown) => onChange(parameter, () => value);
          return <PeriodParameter key={name} parameter={parameter} onChange={choose} />;
        }
        // A choice is added to those in the address: the response to the last one may not have arrived.
        const current = { ...parameter, value: presentValue(parameter, chosen) };
        const change = (next: (value: unknown) => unknown) => onChange(parameter, next);
        return <ChoiceParameter key={name} id={id} parameter={current} onChange={change} />;
      })}
    </fieldset>
  );
}
