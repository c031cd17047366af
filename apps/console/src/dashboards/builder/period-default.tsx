import { useId } from "react";
import { useTranslations } from "use-intl";
import { describedBy, Field, inputClasses } from "../../ui/field.tsx";
import { namedPeriods } from "../model/open-dashboard.ts";
import type { Period } from "./draft.ts";
import { SelectField } from "./select-field.tsx";

interface PeriodDefaultProps {
  readonly value: Period | null;
  readonly fault: string | undefined;
  readonly onChange: (value: Period | null) => void;
}

const dayMs = 86_400_000;

/** The period of a reader who has chosen none. */
export function PeriodDefault({ value, fault, onChange }: PeriodDefaultProps) {
  const t = useTranslations("dashboardBuilder");
  const periods = useTranslations("dashboards");
  const id = useId();
  const own = typeof value === "object" ? value : null;
  const chosen = value === null ? "ALL" : typeof value === "string" ? value : "OWN";
  const choose = (next: typeof chosen) => {
    if (next === "ALL") onChange(null);
    else if (next !== "OWN") onChange(next);
    else onChange({ from: dayAt(-30), until: dayAt(1) });
  };
  return (
    <div className="grid gap-2">
      <SelectField
        label={t("startsWith")}
        value={chosen}
        options={(["ALL", ...namedPeriods, "OWN"] as const).map((period) => ({
          value: period,
          label: periods(`period.${period}`),
        }))}
        fault={fault}
        onChange={choose}
      />
      {own !== null && (
        <div className="grid grid-cols-2 gap-2">
          <Field id={`${id}-from`} label={periods("first")}>
            <input
              {...describedBy(`${id}-from`, undefined, undefined)}
              id={`${id}-from`}
              type="date"
              value={own.from}
              onChange={({ target }) => {
                if (target.value !== "") onChange({ ...own, from: target.value });
              }}
              className={inputClasses}
            />
          </Field>
          <Field id={`${id}-until`} label={t("before")}>
            <input
              id={`${id}-until`}
              type="date"
              value={own.until}
              onChange={({ target }) => {
                if (target.value !== "") onChange({ ...own, until: target.value });
              }}
              className={inputClasses}
            />
          </Field>
        </div>
      )}
    </div>
  );
}

/** The day that is some days from now. */
function dayAt(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, "2026-01-31".length);
}
