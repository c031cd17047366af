import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { useLeaveGuard } from "../shell/use-leave-guard.ts";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { linkClasses } from "../ui/link-classes.ts";
import { Notice } from "../ui/notice.tsx";
import { SwitchRow } from "./switch-row.tsx";
import { switches } from "./switches.ts";
import { useSettingsChange } from "./use-settings-change.ts";

type Draft = Readonly<Record<string, boolean | string>>;

/** The settings of the MCP server with what each opens. Changes are collected and saved together. */
export function SwitchForm({ values }: { readonly values: ReadonlyMap<string, unknown> }) {
  const t = useTranslations("mcp");
  const settings = useTranslations("settings");
  const words = useTranslations("manage");
  const change = useSettingsChange();
  const [draft, setDraft] = useState<Draft>({});
  const [isSaved, setSaved] = useState(false);
  const drafted = new Map([...values, ...Object.entries(draft)]);
  const changed = Object.entries(draft).filter(([key, value]) => values.get(key) !== value);
  const task = useTask(async () => {
    await change(Object.fromEntries(changed));
    setDraft({});
    setSaved(true);
  }, []);
  useLeaveGuard(changed.length > 0, settings("leave"));
  return (
    <form noValidate onSubmit={task.submit} className="grid gap-3">
      <div className="rounded-panel border border-line bg-surface">
        {switches.map((one) => (
          <SwitchRow
            key={one.key}
            {...{ one }}
            isOn={drafted.get(one.key) === one.on}
            isIdle={one.needs !== undefined && drafted.get(one.needs.key) !== one.needs.value}
            onChange={(isOn) => {
              setSaved(false);
              setDraft((last) => ({ ...last, [one.key]: isOn ? one.on : one.off }));
            }}
          />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        {changed.length > 0 && (
          <>
            <Button type="submit" kind="primary" isBusy={task.isBusy}>
              {words("save")}
            </Button>
            <Button onPress={() => setDraft({})}>{settings("discard")}</Button>
            <span className="text-ink-2">{settings("changes", { count: changed.length })}</span>
          </>
        )}
        {isSaved && changed.length === 0 && <Notice kind="ok">{words("saved")}</Notice>}
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
        <AppLink href="/admin/settings?search=mcp" className={linkClasses}>
          {t("allSettings")}
        </AppLink>
      </div>
    </form>
  );
}
