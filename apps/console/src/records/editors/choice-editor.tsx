import { useState } from "react";
import { useTranslations } from "use-intl";
import { Combobox } from "../../ui/combobox.tsx";
import { valueText } from "../values/show-value.ts";
import { valueKindOf } from "../values/value-kind.ts";
import { useWays } from "../values/ways.ts";
import { UnreadText } from "./draft.ts";
import { EditorFault } from "./editor-fault.tsx";
import { type EditorProps, useEditorParts } from "./editor-props.ts";
import { placeholderOf } from "./text-editor.tsx";

const optionsMax = 200;

/** A label of an enum, or yes and no: the typed text finds it. */
export function ChoiceEditor(props: EditorProps) {
  const { column, value, onChange, onCommit, onCancel, isCell = false, autoFocus = false } = props;
  const t = useTranslations("values");
  const ways = useWays();
  const [typed, setTyped] = useState<string | null>(props.typed ?? null);
  const parts = useEditorParts(props, typed !== null);
  const isBoolean = valueKindOf(column) === "BOOLEAN";
  const values: readonly unknown[] = isBoolean ? [true, false] : (column.values ?? []);
  const choices = values.map((one) => ({ value: one, label: valueText(column, one, ways) }));
  const current = value instanceof UnreadText ? value.text : valueText(column, value, ways);
  const search = (typed ?? "").trim().toLowerCase();
  const found = choices.filter(({ label }) => label.toLowerCase().includes(search));
  const noneId = "none";
  const options = found.slice(0, optionsMax).map(({ value: one, label }) => ({
    id: `value ${String(one)}`,
    label,
  }));
  const isNoneOffered = column.nullable && search === "";
  const choose = (id: string) => {
    setTyped(null);
    onChange(
      id === noneId ? null : choices.find((one) => `value ${String(one.value)}` === id)?.value,
    );
    if (isCell) onCommit?.();
  };
  const leave = () => {
    if (typed === null) return;
    setTyped(null);
    const [only] = found;
    const exact = found.find(({ label }) => label.toLowerCase() === search);
    if (search === "" && column.nullable) onChange(null);
    else if (exact !== undefined) onChange(exact.value);
    else if (found.length === 1 && only !== undefined) onChange(only.value);
    else onChange(new UnreadText(typed, t("choiceFault")));
  };
  return (
    <div className={isCell ? "relative size-full" : "min-w-0"}>
      <Combobox
        id={parts.inputId}
        label={parts.label}
        text={typed ?? current}
        onText={setTyped}
        options={isNoneOffered ? [{ id: noneId, label: <i>{t("none")}</i> }, ...options] : options}
        chosen={value === null ? noneId : `value ${String(value)}`}
        onChoose={choose}
        onCommit={
          onCommit === undefined
            ? undefined
            : () => {
                leave();
                onCommit();
              }
        }
        onCancel={onCancel}
        onLeave={leave}
        message={
          found.length === 0
            ? t("noChoice")
            : found.length > optionsMax
              ? t("moreChoices", { count: found.length - optionsMax })
              : undefined
        }
        placeholder={placeholderOf(props, t)}
        inputClassName={parts.inputClassName}
        describedBy={parts.describedBy}
        isInvalid={parts.fault !== undefined}
        autoFocus={autoFocus}
      />
      <EditorFault id={parts.faultId} text={parts.fault} isCell={isCell} />
    </div>
  );
}
