import { useRef } from "react";
import { useTranslations } from "use-intl";
import { IconButton } from "../../ui/icon-button.tsx";
import { Calendar } from "../../ui/icons.generated.ts";
import { valueKindOf } from "../values/value-kind.ts";
import { useWays } from "../values/ways.ts";
import { editText, typedValue, UnreadText } from "./draft.ts";
import type { EditorProps } from "./editor-props.ts";
import { TextEditor } from "./text-editor.tsx";

/** Dates and times: typed as people write them, or chosen in the browser's calendar. The zone of an instant is named. */
export function TimeEditor(props: EditorProps) {
  const { column, value, onChange, isCell = false } = props;
  const t = useTranslations("values");
  const ways = useWays();
  const picker = useRef<HTMLInputElement>(null);
  const kind = valueKindOf(column);
  const hasDate = kind !== "TIME";
  const text = value instanceof UnreadText ? "" : editText(column, value, ways);
  const picked =
    kind === "DATE"
      ? text.slice(0, 10)
      : kind === "TIME"
        ? text.slice(0, 5)
        : text.replace(" ", "T");
  return (
    <div className={isCell ? "flex size-full items-center" : "min-w-0"}>
      <div className={isCell ? "flex size-full items-center" : "relative flex items-start gap-1"}>
        <div className="h-full min-w-0 flex-1">
          <TextEditor {...props} />
        </div>
        <input
          ref={picker}
          type={kind === "DATE" ? "date" : kind === "TIME" ? "time" : "datetime-local"}
          tabIndex={-1}
          aria-hidden="true"
          value={picked}
          onChange={(event) => {
            if (event.target.value === "") return;
            const next = event.target.value.replace("T", " ");
            onChange(typedValue(column, next, ways));
          }}
          className="pointer-events-none absolute right-0 bottom-0 size-0 opacity-0"
        />
        <IconButton
          label={t(hasDate ? "calendar" : "clock")}
          icon={Calendar}
          isSmall={isCell}
          onPress={() => picker.current?.showPicker()}
        />
      </div>
      {kind === "INSTANT" && !isCell && (
        <p className="mt-0.5 text-2 text-ink-2">{t("zone", { zone: ways.timeZone })}</p>
      )}
    </div>
  );
}
