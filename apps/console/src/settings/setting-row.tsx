import { useId } from "react";
import { useTranslations } from "use-intl";
import type { SettingWarning } from "../shell/setting-warnings.ts";
import { StateBadge } from "../ui/entries.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { RotateCcw, ShieldAlert } from "../ui/icons.generated.ts";
import { kindOf, type Setting, textOf } from "./setting-draft.ts";
import { SettingEditor } from "./setting-editor.tsx";

interface SettingRowProps {
  readonly setting: Setting;
  /** The typed text; null restores the default; undefined if it is unchanged. */
  readonly typed: string | null | undefined;
  readonly warning: SettingWarning | undefined;
  readonly fault: string | undefined;
  readonly options?: readonly { readonly value: string; readonly label: string }[] | undefined;
  readonly onChange: (text: string | null) => void;
}

/** A setting: what it means, its value, its default, and why its value is unsafe or refused. */
export function SettingRow(props: SettingRowProps) {
  const t = useTranslations("settings");
  const id = useId();
  const { setting, typed, warning, fault, options, onChange } = props;
  const isOwn = typed === undefined ? setting.isSet : typed !== null;
  const text = typed ?? textOf(typed === null ? setting.default : setting.value);
  const normal = options?.find(({ value }) => value === setting.default)?.label;
  return (
    <div className="grid gap-x-6 gap-y-2 border-line border-b px-4 py-3 last:border-b-0 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 content-start gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium font-mono text-2 wrap-anywhere">
          <code>{setting.key}</code>
          {setting.sessionOnly && <StateBadge look="plain">{t("sessionOnly")}</StateBadge>}
          {typed !== undefined && <StateBadge look="ok">{t("changed")}</StateBadge>}
        </p>
        <p id={`${id}-text`} lang="en" className="max-w-140 text-ink-2">
          {setting.description}
        </p>
        <p className="text-2 text-ink-2 wrap-anywhere">
          {t("default", { value: normal ?? shownDefault(setting, t("empty")) })}
        </p>
      </div>
      <div className="grid min-w-0 content-start gap-1">
        <div className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <SettingEditor
              setting={setting}
              text={text}
              options={options}
              describedBy={`${id}-text ${id}-fault`}
              isInvalid={fault !== undefined}
              onChange={onChange}
            />
          </div>
          <IconButton
            label={t("restore", { key: setting.key })}
            icon={RotateCcw}
            isDisabled={!isOwn}
            onPress={() => onChange(null)}
          />
        </div>
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

function shownDefault(setting: Setting, empty: string): string {
  const text = textOf(setting.default);
  if (text === "") return empty;
  return kindOf(setting) === "LIST" ? text.replaceAll("\n", ", ") : text;
}
