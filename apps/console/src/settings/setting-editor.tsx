import { useId } from "react";
import { useTranslations } from "use-intl";
import { inputClasses } from "../ui/field.tsx";
import { kindOf, type Setting } from "./setting-draft.ts";

interface SettingEditorProps {
  readonly setting: Setting;
  readonly text: string;
  /** Choices of a setting that names a record; the others are typed. */
  readonly options?: readonly { readonly value: string; readonly label: string }[] | undefined;
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly onChange: (text: string) => void;
}

/** The control of a setting, by the kind of its value. */
export function SettingEditor(props: SettingEditorProps) {
  const t = useTranslations("settings");
  const id = useId();
  const { setting, text, options, onChange } = props;
  const kind = kindOf(setting);
  const shared = {
    "aria-label": t("valueOf", { key: setting.key }),
    "aria-describedby": props.describedBy,
    "aria-invalid": props.isInvalid,
  };
  if (kind === "FLAG") {
    return (
      <label htmlFor={id} className="flex min-h-7 items-center gap-2">
        <input
          {...shared}
          id={id}
          type="checkbox"
          checked={text === "true"}
          onChange={(event) => onChange(String(event.target.checked))}
          className="size-4 accent-accent"
        />
        <span className="text-ink-2">{t(text === "true" ? "on" : "off")}</span>
      </label>
    );
  }
  if (options !== undefined) {
    return (
      <select
        {...shared}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        className={inputClasses}
      >
        <option value="">{t("noneChosen")}</option>
        {options.map(({ value, label }) => (
          <option key={value} value={value} dir="auto">
            {label}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "LIST" || kind === "RECORDS") {
    return (
      <textarea
        {...shared}
        dir="auto"
        rows={Math.min(6, Math.max(2, text.split("\n").length))}
        value={text}
        spellCheck={false}
        placeholder={t("onePerLine")}
        onChange={(event) => onChange(event.target.value)}
        className={`${inputClasses} h-auto py-1.5 font-mono text-2`}
      />
    );
  }
  return (
    <input
      {...shared}
      type="text"
      inputMode={kind === "NUMBER" ? "numeric" : "text"}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      className={`${inputClasses} ${kind === "NUMBER" ? "tabular-nums" : ""}`}
    />
  );
}
