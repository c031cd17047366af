import { useId } from "react";
import { useTranslations } from "use-intl";
import { Checkbox } from "../../ui/checkbox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowDown, ArrowUp, Trash2 } from "../../ui/icons.generated.ts";
import { TextField } from "../../ui/text-field.tsx";
import type { Parameter } from "./draft.ts";
import { ParameterSource } from "./parameter-source.tsx";
import { PeriodDefault } from "./period-default.tsx";

interface ParameterFormProps {
  readonly parameter: Parameter;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** The number of panels that it narrows. */
  readonly bound: number;
  readonly faultAt: (pointer: string) => string | undefined;
  readonly onChange: (parameter: Parameter, subject?: string) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onDelete: () => void;
}

/** One parameter: its name, its choices, and its value for a reader who has chosen none. */
export function ParameterForm(props: ParameterFormProps) {
  const { parameter, bound, faultAt, onChange, onMove } = props;
  const t = useTranslations("dashboardBuilder");
  const id = useId();
  const name = parameter.label || parameter.name;
  return (
    <section aria-labelledby={id} className="grid gap-3 rounded-panel border border-line p-3">
      <div className="flex items-center gap-1">
        <h3 id={id} dir="auto" className="min-w-0 flex-1 truncate font-semibold">
          {name}
        </h3>
        <IconButton
          label={t("parameterEarlier", { name })}
          icon={ArrowUp}
          onPress={props.isFirst ? null : () => onMove(-1)}
        />
        <IconButton
          label={t("parameterLater", { name })}
          icon={ArrowDown}
          onPress={props.isLast ? null : () => onMove(1)}
        />
        <IconButton label={t("deleteParameter", { name })} icon={Trash2} onPress={props.onDelete} />
      </div>
      <p className="text-2 text-ink-2">
        {t(`parameterKinds.${parameter.kind}`)} · {t("bound", { count: bound })}
      </p>
      <TextField
        label={t("label")}
        name="parameter-label"
        autoComplete="off"
        value={parameter.label}
        onChange={(label) => onChange({ ...parameter, label }, "label")}
        fault={faultAt("/label")}
      />
      <TextField
        label={t("parameterName")}
        name="parameter-name"
        autoComplete="off"
        hint={t("parameterNameHint")}
        value={parameter.name}
        onChange={(next) => onChange({ ...parameter, name: next }, "name")}
        fault={faultAt("/name")}
      />
      {parameter.kind === "PERIOD" && (
        <PeriodDefault
          value={parameter.default ?? null}
          fault={faultAt("/default")}
          onChange={(value) => onChange({ ...parameter, default: value })}
        />
      )}
      {parameter.kind === "VALUE" && (
        <ParameterSource {...{ parameter, faultAt }} onChange={onChange} />
      )}
      {parameter.kind === "PERSON" && (
        <Checkbox
          label={t("startsWithMe")}
          isChecked={parameter.default === "ME"}
          onChange={(isMe) => onChange({ ...parameter, default: isMe ? "ME" : null })}
        />
      )}
    </section>
  );
}
