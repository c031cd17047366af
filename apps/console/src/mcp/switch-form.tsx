import type { AdminOperations } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { personQuery } from "../shell/navigation.ts";
import { settingsQuery } from "../shell/settings.ts";
import { useLeaveGuard } from "../shell/use-leave-guard.ts";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { linkClasses } from "../ui/classes.ts";
import { TriangleAlert } from "../ui/icons.generated.ts";
import { Notice } from "../ui/notice.tsx";
import { type Switch, switches } from "./switches.ts";

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
    // What was chosen while it was sent is not saved yet.
    setDraft((last) =>
      Object.fromEntries(Object.entries(last).filter(([key, value]) => value !== draft[key])),
    );
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

interface SwitchRowProps {
  readonly one: Switch;
  readonly isOn: boolean;
  /** Whether another setting takes its effect away. */
  readonly isIdle: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A setting: what it opens for agents, the tools that they get, and what it needs. */
function SwitchRow({ one, isOn, isIdle, onChange }: SwitchRowProps) {
  const t = useTranslations("mcp");
  const id = useId();
  const { name, key, tools, needs } = one;
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 border-line border-b px-4 py-3 last:border-b-0">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
        aria-describedby={`${id}-text`}
        className="mt-0.5 size-4 accent-accent"
      />
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
          <label htmlFor={id} className="font-medium">
            {t(`switches.${name}.title`)}
          </label>
          <code className="font-mono text-2 text-ink-2">{key}</code>
        </div>
        <div id={`${id}-text`} className="grid gap-1">
          <p className="max-w-160 text-ink-2">{t(`switches.${name}.text`)}</p>
          {tools.length > 0 && (
            <p className="flex flex-wrap gap-1.5">
              {tools.map((tool) => (
                <code key={tool} className="rounded-control bg-sunken px-1.5 font-mono text-2">
                  {tool}
                </code>
              ))}
            </p>
          )}
          {isOn && isIdle && needs !== undefined && (
            <p className="flex gap-1.5 text-2 text-warn">
              <TriangleAlert size={14} aria-hidden="true" className="mt-px shrink-0" />
              {t("needs", { key: needs.key, value: String(needs.value) })}
            </p>
          )}
        </div>
      </div>
    </div>
  );
}

type SettingsChange = AdminOperations["PATCH /settings"]["data"];

/** Returns the function that changes settings. It rejects if the service refuses. */
export function useSettingsChange(): (change: Record<string, unknown>) => Promise<void> {
  const cache = useQueryClient();
  return async (change) => {
    const { data } = await client.admin.patch("/settings", { data: change as SettingsChange });
    cache.setQueryData(settingsQuery.queryKey, data);
    // Whether there is a server is a part of it.
    await cache.invalidateQueries({ queryKey: personQuery.queryKey });
  };
}
