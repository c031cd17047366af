import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { type SettingWarning, warningOf } from "../shell/settings.ts";
import { StateBadge } from "../ui/entries.tsx";
import { inputClasses } from "../ui/field.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { RotateCcw, ShieldAlert } from "../ui/icons.generated.ts";
import { TextField } from "../ui/text-field.tsx";
import { draftedValue, kindOf, type Setting, type SettingsDraft, textOf } from "./setting-draft.ts";

interface SettingGroupProps {
  readonly group: string;
  readonly settings: readonly Setting[];
  /** Every setting: a value can be unsafe because of another. */
  readonly all: readonly Setting[];
  readonly roles: readonly {
    readonly id: string;
    readonly name: string;
    readonly isAdministrators: boolean;
  }[];
  readonly draft: SettingsDraft;
  readonly faultAt: (pointer: string) => string | undefined;
  readonly onChange: (setting: Setting, text: string | null) => void;
}

/** The settings of one group. */
export function SettingGroup(props: SettingGroupProps) {
  const t = useTranslations("settings");
  const id = useId();
  const { group, settings, all, roles, draft, faultAt, onChange } = props;
  const values = new Map(all.map((setting) => [setting.key, draftedValue(setting, draft)]));
  const origins = values.get("security.cors_origins");
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="font-semibold text-4">
        {nameOf(group, t)}
      </h2>
      <div className="rounded-panel border border-line bg-surface">
        {settings.map((setting) => (
          <SettingRow
            key={setting.key}
            setting={setting}
            typed={draft[setting.key]}
            warning={warningOf(setting.key, values)}
            fault={faultAt(`/data/${setting.key}`)}
            options={
              setting.key === "auth.registration_role"
                ? roles
                    .filter(({ isAdministrators }) => !isAdministrators)
                    .map(({ id: value, name }) => ({ value, label: name }))
                : undefined
            }
            onChange={(text) => onChange(setting, text)}
          />
        ))}
        {group === "security" && Array.isArray(origins) && <CorsTrial origins={origins} />}
      </div>
    </section>
  );
}

const groups = [
  "auth",
  "api_keys",
  "workflows",
  "system",
  "security",
  "data",
  "views",
  "files",
  "limits",
  "mcp",
  "sql_console",
] as const;

/** The name of a group; of one that these pages do not know, its key. */
function nameOf(group: string, t: (key: `groups.${(typeof groups)[number]}`) => string): string {
  const known = groups.find((one) => one === group);
  return known === undefined ? group : t(`groups.${known}`);
}

/** Tells whether pages of an origin may call the service with the origins of the list. */
function CorsTrial({ origins }: { readonly origins: readonly string[] }) {
  const t = useTranslations("settings.trial");
  const id = useId();
  const [origin, setOrigin] = useState("");
  const typed = origin.trim();
  const isOrigin = /^https?:\/\/[^/\s*]+$/i.test(typed);
  // A browser sends the origin in lower case and without the default port.
  const sent = isOrigin && URL.canParse(typed) ? new URL(typed).origin : typed;
  const isAllowed = origins.includes(sent);
  return (
    <section aria-labelledby={id} className="grid gap-2 px-4 py-3">
      <h3 id={id} className="font-medium">
        {t("title")}
      </h3>
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-80 min-w-0 max-w-full">
          <TextField
            label={t("origin")}
            name="origin"
            autoComplete="off"
            value={origin}
            onChange={setOrigin}
            hint={t("hint")}
          />
        </div>
        <p role="status" className="pb-6">
          {isOrigin && (
            <StateBadge look={isAllowed ? "ok" : "warn"}>
              {t(isAllowed ? "allowed" : "refused", { origin: sent })}
            </StateBadge>
          )}
        </p>
      </div>
    </section>
  );
}

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
function SettingRow(props: SettingRowProps) {
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
function SettingEditor(props: SettingEditorProps) {
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
