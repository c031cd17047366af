import { type ReactNode, useId, useState } from "react";
import { useTranslations } from "use-intl";
import { warningOf } from "../shell/settings.ts";
import { StateBadge } from "../ui/entries.tsx";
import { TextField } from "../ui/text-field.tsx";
import { draftedValue, type Setting, type SettingsDraft } from "./setting-draft.ts";
import { SettingRow } from "./setting-row.tsx";
import { useSettingNames } from "./use-setting-names.ts";

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
  readonly isLocked: boolean;
  /** Above the settings. */
  readonly children?: ReactNode;
  readonly faultAt: (pointer: string) => string | undefined;
  readonly onChange: (setting: Setting, text: string | null) => void;
}

/** The settings of one group. */
export function SettingGroup(props: SettingGroupProps) {
  const { groupName } = useSettingNames();
  const id = useId();
  const { group, settings, all, roles, draft, faultAt, onChange } = props;
  const values = new Map(all.map((setting) => [setting.key, draftedValue(setting, draft)]));
  const origins = values.get("security.cors_origins");
  return (
    <section id={`settings-${group}`} aria-labelledby={id} className="grid scroll-mt-4 gap-2">
      <h2 id={id} className="font-semibold text-4">
        {groupName(group)}
      </h2>
      <div className="rounded-panel border border-line bg-surface">
        {props.children}
        {settings.map((setting) => (
          <SettingRow
            key={setting.key}
            setting={setting}
            typed={draft[setting.key]}
            isLocked={props.isLocked}
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
