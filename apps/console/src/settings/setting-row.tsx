import { useId } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { LockedFields } from "../shell/managed.tsx";
import type { SettingWarning } from "../shell/settings.ts";
import { StateBadge } from "../ui/entries.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { RotateCcw, ShieldAlert } from "../ui/icons.generated.ts";
import { kindOf, type Setting, shownText } from "./setting-draft.ts";
import { SettingEditor } from "./setting-editor.tsx";
import { unitOf } from "./setting-unit.ts";
import { useSettingNames } from "./use-setting-names.ts";

interface SettingRowProps {
  readonly setting: Setting;
  /** The typed text; null restores the default; undefined if it is unchanged. */
  readonly typed: string | null | undefined;
  readonly isLocked: boolean;
  readonly warning: SettingWarning | undefined;
  readonly fault: string | undefined;
  readonly options?: readonly { readonly value: string; readonly label: string }[] | undefined;
  readonly onChange: (text: string | null) => void;
}

/** A setting: what it means, its value, its default, and why its value is unsafe or refused. */
export function SettingRow(props: SettingRowProps) {
  const t = useTranslations("settings");
  const format = useFormatter();
  const id = useId();
  const { setting, typed, warning, fault, options, onChange } = props;
  const isOwn = typed === undefined ? setting.isSet : typed !== null;
  const { titleOf, textOf } = useSettingNames();
  const title = titleOf(setting);
  const text = typed ?? shownText(setting, typed === null ? setting.default : setting.value);
  const defaultText = (): string => {
    const { default: value, key } = setting;
    if (typeof value === "boolean") return t(value ? "on" : "off");
    if (typeof value === "number") {
      const unit = unitOf(key, value);
      const number = format.number(value / (unit?.factor ?? 1), { maximumFractionDigits: 3 });
      return unit === undefined ? number : `${number} ${t(`units.${unit.name}`)}`;
    }
    const choice = `choices.${value}` as "choices.READ_ONLY";
    if (typeof value === "string" && t.has(choice)) return t(choice);
    if (kindOf(setting) === "RECORDS" && Array.isArray(value)) {
      return format.list(value.map(({ name }: { readonly name: string }) => name));
    }
    return shownText(setting, value) === "" ? t("empty") : shownText(setting, value);
  };
  const normal = options?.find(({ value }) => value === setting.default)?.label;
  return (
    <div className="grid gap-x-6 gap-y-2 border-line border-b px-4 py-3 last:border-b-0 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 content-start gap-0.5">
        <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          {title}
          {setting.sessionOnly && <StateBadge look="plain">{t("sessionOnly")}</StateBadge>}
          {typed !== undefined && <StateBadge look="ok">{t("changed")}</StateBadge>}
        </h3>
        <p id={`${id}-text`} className="max-w-140 text-ink-2">
          {textOf(setting)}
        </p>
        <p className="flex flex-wrap items-baseline gap-x-3 text-2 text-ink-2 wrap-anywhere">
          <code className="font-mono text-1">{setting.key}</code>
          {t("default", { value: normal ?? defaultText() })}
        </p>
      </div>
      <div className="grid min-w-0 content-start gap-1">
        <LockedFields isLocked={props.isLocked}>
          <div className="flex items-start gap-1">
            <div className="min-w-0 flex-1">
              <SettingEditor
                setting={setting}
                title={title}
                text={text}
                options={options}
                describedBy={`${id}-text ${id}-fault`}
                isInvalid={fault !== undefined}
                onChange={onChange}
              />
            </div>
            <div className="pt-1">
              <IconButton
                label={t("restore", { key: title })}
                icon={RotateCcw}
                isDisabled={!isOwn}
                onPress={() => onChange(null)}
              />
            </div>
          </div>
        </LockedFields>
        <div id={`${id}-fault`} className="grid gap-1">
          {fault !== undefined && (
            <p lang="en" className="text-2 text-danger">
              {fault}
            </p>
          )}
          {warning !== undefined && (
            <p className="flex gap-1.5 text-2 text-warn">
              <ShieldAlert size={14} aria-hidden="true" className="mt-px shrink-0" />
              {t(`unsafe.${warning}`)}
            </p>
          )}
        </div>
      </div>
    </div>
  );
}
