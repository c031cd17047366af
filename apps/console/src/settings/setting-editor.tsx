import { useTranslations } from "use-intl";
import { inputClasses } from "../ui/field.tsx";
import { Switch } from "../ui/switch.tsx";
import { ListEditor } from "./list-editor.tsx";
import { choicesOf, kindOf, type Setting } from "./setting-draft.ts";
import { unitOf } from "./setting-unit.ts";

interface SettingEditorProps {
  readonly setting: Setting;
  readonly title: string;
  readonly text: string;
  /** Choices of a setting that names a record. */
  readonly options?: readonly { readonly value: string; readonly label: string }[] | undefined;
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly onChange: (text: string) => void;
}

/** The control of a setting, by the kind of its value. */
export function SettingEditor(props: SettingEditorProps) {
  const t = useTranslations("settings");
  const { setting, title, text, onChange, describedBy, isInvalid } = props;
  const kind = kindOf(setting);
  const shared = {
    "aria-label": title,
    "aria-describedby": describedBy,
    "aria-invalid": isInvalid,
  };
  if (kind === "FLAG") {
    return (
      <div className="flex min-h-9 items-center">
        <Switch
          name={title}
          label={t(text === "true" ? "on" : "off")}
          isOn={text === "true"}
          onChange={(isOn) => onChange(String(isOn))}
        />
      </div>
    );
  }
  const choices = choicesOf(setting)?.map((value) => {
    const key = `choices.${value}` as "choices.READ_ONLY";
    return { value, label: t.has(key) ? t(key) : value };
  });
  const options = props.options ?? choices;
  if (options !== undefined) {
    return (
      <select
        {...shared}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        className={inputClasses}
      >
        {props.options !== undefined && <option value="">{t("noneChosen")}</option>}
        {options.map(({ value, label }) => (
          <option key={value} value={value} dir="auto">
            {label}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "LIST") {
    return <ListEditor label={title} {...{ describedBy, isInvalid, text, onChange }} />;
  }
  if (kind === "RECORDS") {
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
  const unit = kind === "NUMBER" ? unitOf(setting.key, setting.value) : undefined;
  return (
    <div className="flex items-center gap-2">
      <input
        {...shared}
        type="text"
        inputMode={kind === "NUMBER" ? "decimal" : "text"}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        className={`${inputClasses} ${kind === "NUMBER" ? "max-w-40 tabular-nums" : ""}`}
      />
      {unit !== undefined && <span className="text-ink-2">{t(`units.${unit.name}`)}</span>}
    </div>
  );
}
