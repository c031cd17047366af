import { useTranslations } from "use-intl";
import { useWays } from "../../../records/values/ways.ts";
import type { Day } from "../../../shell/time/zone.ts";
import { ZoneNote } from "../../../shell/time/zone-note.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { ChevronLeft, ChevronRight, Plus } from "../../../ui/icons.generated.ts";
import { ToolButton } from "../../../ui/tool-button.tsx";
import { addDays, addMonths, daysText, dayText, today } from "./days.ts";

interface CalendarBarProps {
  readonly day: Day;
  readonly days: readonly Day[];
  readonly span: "week" | "month";
  /** Whether the times are instants, which have a zone. */
  readonly hasZone: boolean;
  /** Begins a row on the shown day; null where nothing can be created. */
  readonly onNew: (() => void) | null;
  readonly onChange: (change: {
    readonly from?: Day | undefined;
    readonly span?: "week" | undefined;
  }) => void;
}

/** What the calendar shows, and the way to other days. */
export function CalendarBar({ day, days, span, hasZone, onNew, onChange }: CalendarBarProps) {
  const t = useTranslations("dataView");
  const ways = useWays();
  const title = spanTitle(days, day, span, ways.locale);
  const step = (by: number) =>
    onChange({ from: span === "week" ? addDays(day, 7 * by) : addMonths(day, by) });
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-1.5 border-line border-b px-3.5 py-1.5">
      <h2
        aria-live="polite"
        dir="auto"
        className="mr-2 min-w-0 text-4 font-semibold first-letter:uppercase"
      >
        {title}
      </h2>
      <IconButton label={t("previous")} icon={ChevronLeft} onPress={() => step(-1)} />
      <ToolButton onClick={() => onChange({ from: today(ways.timeZone) })}>{t("today")}</ToolButton>
      <IconButton label={t("next")} icon={ChevronRight} onPress={() => step(1)} />
      <span className="flex-1" />
      {hasZone && <ZoneNote />}
      {onNew !== null && (
        <ToolButton onClick={onNew}>
          <Plus size={14} aria-hidden="true" />
          {t("newEvent")}
        </ToolButton>
      )}
      <fieldset aria-label={t("span")} className="flex">
        {(["month", "week"] as const).map((one) => (
          <ToolButton
            key={one}
            kind={one === span ? "plain" : "bare"}
            aria-pressed={one === span}
            onClick={() => onChange({ span: one === "week" ? "week" : undefined, from: day })}
          >
            {t(one)}
          </ToolButton>
        ))}
      </fieldset>
    </div>
  );
}

/** Names the days that a calendar shows. */
export function spanTitle(
  days: readonly Day[],
  day: Day,
  span: "week" | "month",
  locale: string,
): string {
  if (span === "month") return dayText(day, locale, { month: "long", year: "numeric" });
  const [first = day] = days;
  const last = days.at(-1) ?? day;
  return daysText(first, last, locale);
}
