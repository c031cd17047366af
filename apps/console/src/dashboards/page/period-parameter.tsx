import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { type NamedPeriod, namedPeriods, type OpenParameter } from "../model/open-dashboard.ts";
import { daysOf, periodOf } from "../model/period-days.ts";

interface PeriodParameterProps {
  readonly parameter: OpenParameter;
  readonly onChange: (value: unknown) => void;
}

const inputClasses =
  "h-7 min-w-0 rounded-control border border-line-input bg-surface px-1.5 text-ink aria-invalid:border-danger";

/** A period: one with a name, or from a first to a last day. */
export function PeriodParameter({ parameter, onChange }: PeriodParameterProps) {
  const t = useTranslations("dashboards");
  const id = useId();
  const { value, label, name } = parameter;
  const [isOpen, setOpen] = useState(false);
  const named = namedPeriods.find((one) => one === value);
  const isOwn = isOpen || (named === undefined && typeof value === "object" && value !== null);
  const choose = (chosen: string) => {
    setOpen(chosen === "OWN");
    if (chosen !== "OWN") onChange(chosen === "ALL" ? null : (chosen as NamedPeriod));
  };
  return (
    <div className="flex min-w-0 flex-wrap items-end gap-2">
      <div className="grid min-w-0 gap-1">
        <label htmlFor={id} className="text-2 text-ink-2" dir="auto">
          {label === "" ? name : label}
        </label>
        <select
          id={id}
          value={isOwn ? "OWN" : (named ?? "ALL")}
          onChange={({ target }) => choose(target.value)}
          className={inputClasses}
        >
          <option value="ALL">{t("period.ALL")}</option>
          {namedPeriods.map((one) => (
            <option key={one} value={one}>
              {t(`period.${one}`)}
            </option>
          ))}
          <option value="OWN">{t("period.OWN")}</option>
        </select>
      </div>
      {isOwn && (
        <OwnDays
          key={`${parameter.from} ${parameter.until}`}
          parameter={parameter}
          onChange={(period) => {
            setOpen(false);
            onChange(period);
          }}
        />
      )}
    </div>
  );
}

/** The first and the last day; they apply as soon as they make a period. */
function OwnDays({ parameter, onChange }: PeriodParameterProps) {
  const t = useTranslations("dashboards");
  const id = useId();
  const days = daysOf(parameter);
  const [first, setFirst] = useState(days?.first ?? "");
  const [last, setLast] = useState(days?.last ?? "");
  const isReversed = first !== "" && last !== "" && first > last;
  const apply = (from: string, to: string) => {
    const period = periodOf(from, to);
    const isNew = from !== days?.first || to !== days?.last;
    if (period !== undefined && isNew) onChange(period);
  };
  return (
    <>
      <div className="flex min-w-0 items-end gap-2">
        {(["first", "last"] as const).map((which) => (
          <div key={which} className="grid min-w-0 gap-1">
            <label htmlFor={`${id}-${which}`} className="text-2 text-ink-2">
              {t(which)}
            </label>
            <input
              id={`${id}-${which}`}
              type="date"
              value={which === "first" ? first : last}
              aria-invalid={isReversed}
              aria-describedby={isReversed ? `${id}-fault` : undefined}
              // A year is typed digit by digit, so the days apply when the field is left.
              onChange={({ target }) => (which === "first" ? setFirst : setLast)(target.value)}
              onBlur={() => apply(first, last)}
              onKeyDown={({ key }) => {
                if (key === "Enter") apply(first, last);
              }}
              className={inputClasses}
            />
          </div>
        ))}
      </div>
      {isReversed && (
        <p id={`${id}-fault`} className="pb-1 text-2 text-danger">
          {t("reversed")}
        </p>
      )}
    </>
  );
}
