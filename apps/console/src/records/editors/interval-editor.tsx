import { type KeyboardEvent, useId, useState } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Braces } from "../../ui/icons.generated.ts";
import {
  type IntervalParts,
  intervalUnits,
  isPart,
  readInterval,
  writeInterval,
} from "../values/interval-parts.ts";
import { UnreadText } from "./draft.ts";
import { EditorFault, type EditorProps, useEditorParts } from "./editor-props.tsx";
import { placeholderOf, TextEditor } from "./text-editor.tsx";

const noParts: IntervalParts = { year: "", month: "", day: "", hour: "", minute: "", second: "" };

/** An interval by its parts. In a cell, and for any form but that of the Data API, it is a text. */
export function IntervalEditor(props: EditorProps) {
  const { column, value, onChange, isCell = false, isOperand = false } = props;
  const t = useTranslations("values");
  const [isText, setText] = useState(false);
  const [first] = useState(value);
  const [typed, setTyped] = useState<{ readonly parts: IntervalParts; readonly value: unknown }>();
  const read =
    typed !== undefined && Object.is(typed.value, value)
      ? typed.parts
      : typeof value === "string"
        ? readInterval(value)
        : value instanceof UnreadText
          ? undefined
          : noParts;
  if (isCell || isOperand) return <TextEditor {...props} />;
  if (isText || read === undefined) {
    return (
      <div
        className="flex items-start gap-0.5"
        onKeyDownCapture={(event) => read !== undefined && onSwitchKey(event, () => setText(false))}
      >
        <div className="min-w-0 flex-1">
          <TextEditor {...props} />
        </div>
        {read !== undefined && <Switch isText onPress={() => setText(false)} />}
      </div>
    );
  }
  const change = (parts: IntervalParts): void => {
    const wrong = intervalUnits.find((unit) => !isPart(unit, parts[unit]));
    const text = writeInterval(parts);
    const isFirst =
      typeof first === "string" && text === writeInterval(readInterval(first) ?? noParts);
    const empty = first === undefined ? undefined : column.nullable ? null : "PT0S";
    const next =
      wrong !== undefined
        ? new UnreadText(text, t("fault.part"))
        : isFirst
          ? first
          : text === ""
            ? empty
            : text;
    setTyped({ parts, value: next });
    onChange(next);
  };
  return <Parts {...props} parts={read} onParts={change} onText={() => setText(true)} />;
}

const switchKey = "Alt+ArrowDown";

/** Presses the switch by its key. */
function onSwitchKey(event: KeyboardEvent, onPress: () => void): void {
  if (event.key !== "ArrowDown" || !event.altKey) return;
  event.preventDefault();
  onPress();
}

function Switch({ isText, onPress }: { readonly isText: boolean; readonly onPress: () => void }) {
  const t = useTranslations("values");
  return (
    <IconButton
      label={t(isText ? "asParts" : "asText")}
      icon={Braces}
      fieldKey={switchKey}
      onPress={onPress}
    />
  );
}

function Parts(
  props: EditorProps & {
    readonly parts: IntervalParts;
    readonly onParts: (parts: IntervalParts) => void;
    readonly onText: () => void;
  },
) {
  const { column, parts, onParts, onCommit, onCancel, autoFocus = false } = props;
  const t = useTranslations("values");
  const shared = useEditorParts(props);
  const id = useId();
  // The parts are one Tab stop; arrows lead from one to the next.
  const [current, setCurrent] = useState(0);
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    const { key, currentTarget: field } = event;
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    const end = step === 1 ? field.value.length : 0;
    if (step !== 0 && field.selectionStart === end && field.selectionEnd === end) {
      const all = field.closest("fieldset")?.querySelectorAll("input") ?? [];
      all[[...all].indexOf(field) + step]?.focus();
      event.preventDefault();
      return;
    }
    const act = event.key === "Enter" ? onCommit : event.key === "Escape" ? onCancel : undefined;
    if (act === undefined || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <fieldset
      aria-label={column.label ?? column.name}
      aria-describedby={shared.describedBy}
      onKeyDown={(event) => onSwitchKey(event, props.onText)}
      className="flex min-w-0 items-start gap-0.5"
    >
      <div className="grid min-w-0 flex-1 grid-cols-[repeat(auto-fit,minmax(4.5rem,1fr))] gap-1.5">
        {intervalUnits.map((unit, index) => (
          <div key={unit} className="grid min-w-0 gap-0.5">
            <input
              id={index === 0 ? shared.inputId : `${id}-${unit}`}
              // biome-ignore lint/a11y/noAutofocus: the form begins here
              autoFocus={autoFocus && index === 0}
              aria-label={t(`parts.${unit}`)}
              aria-invalid={!isPart(unit, parts[unit])}
              value={parts[unit]}
              placeholder={index === 0 ? placeholderOf(props, t) : undefined}
              inputMode={unit === "second" ? "decimal" : "numeric"}
              autoComplete="off"
              dir="ltr"
              onChange={({ target }) => onParts({ ...parts, [unit]: target.value.trim() })}
              tabIndex={index === current ? 0 : -1}
              onFocus={() => setCurrent(index)}
              onKeyDown={press}
              className={classes(shared.inputClassName, "tabular-nums")}
            />
            <span aria-hidden="true" className="truncate text-1 text-ink-2">
              {t(`parts.${unit}`)}
            </span>
          </div>
        ))}
      </div>
      <Switch isText={false} onPress={props.onText} />
      <EditorFault id={shared.faultId} text={shared.fault} isCell={false} />
    </fieldset>
  );
}
