import type { KeyboardEvent } from "react";
import { useTranslations } from "use-intl";
import { useWays } from "../../../records/values/ways.ts";
import { timeText } from "../../../shell/time/time-text.ts";
import { classes } from "../../../ui/classes.ts";
import { Plus } from "../../../ui/icons.generated.ts";
import { dayText } from "./days.ts";
import { type CalendarSlot, slotBeside } from "./hours.ts";

/** The slots of a calendar, of which Tab reaches one and the arrows the others. */
export interface Slots {
  readonly active: CalendarSlot;
  readonly onActive: (slot: CalendarSlot) => void;
  /** Begins a row in a slot. */
  readonly onNew: (slot: CalendarSlot) => void;
}

/** The button that begins a row on a day or at an hour. It is seen under the pointer and with the focus. */
export function SlotButton(props: {
  readonly slot: CalendarSlot;
  readonly slots: Slots;
  readonly className: string;
}) {
  const { slot, slots, className } = props;
  const t = useTranslations("dataView");
  const ways = useWays();
  const [day = "", hour] = slot.split("T");
  const dayName = dayText(day, ways.locale, { weekday: "long", day: "numeric", month: "long" });
  const time = timeText(Date.parse(`${day}T${hour ?? "00"}:00Z`), ways.locale, {
    ...{ timeStyle: "short", timeZone: "UTC" },
  });
  const press = (event: KeyboardEvent): void => {
    const next = event.altKey ? undefined : slotBeside(slot, event.key);
    const target = [...document.querySelectorAll<HTMLElement>("[data-slot]")].find(
      (one) => one.dataset.slot === next,
    );
    if (next === undefined || target === undefined) return;
    event.preventDefault();
    target.focus();
  };
  return (
    <button
      type="button"
      data-slot={slot}
      tabIndex={slot === slots.active ? 0 : -1}
      aria-label={
        hour === undefined ? t("newOn", { day: dayName }) : t("newAt", { day: dayName, time })
      }
      onFocus={() => slots.onActive(slot)}
      onKeyDown={press}
      onClick={() => slots.onNew(slot)}
      className={classes(
        "group/slot flex items-center justify-center text-ink-2 focus-visible:opacity-100",
        className,
      )}
    >
      <Plus size={14} aria-hidden="true" />
    </button>
  );
}
