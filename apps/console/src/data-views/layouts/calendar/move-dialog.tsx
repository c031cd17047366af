import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { ToolButton } from "../../../ui/tool-button.tsx";
import { type Day, daysBetween } from "./days.ts";
import type { CalendarEvent } from "./event.ts";

/** Asks for the day to which an event is moved. */
export function MoveDialog(props: {
  readonly name: string;
  readonly event: CalendarEvent;
  readonly onMove: (days: number) => void;
  readonly onClose: () => void;
}) {
  const t = useTranslations("dataView");
  const words = useTranslations("grid");
  const id = useId();
  const { event } = props;
  const [day, setDay] = useState<Day>(event.first);
  return (
    <Dialog title={t("moveTitle", { name: props.name })} onClose={props.onClose}>
      <div className="grid justify-items-start gap-1.5">
        <label htmlFor={id}>{t("day")}</label>
        <input
          id={id}
          type="date"
          value={day}
          onChange={({ target }) => setDay(target.value)}
          className="h-8 rounded-control border border-line-input bg-surface px-2"
        />
      </div>
      <DialogActions>
        <ToolButton onClick={props.onClose}>{words("cancel")}</ToolButton>
        <ToolButton
          kind="primary"
          disabled={day === "" || day === event.first}
          onClick={() => props.onMove(daysBetween(event.first, day))}
        >
          {t("move")}
        </ToolButton>
      </DialogActions>
    </Dialog>
  );
}
