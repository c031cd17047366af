import { useId } from "react";
import { useTranslations } from "use-intl";
import { TriangleAlert } from "../ui/icons.generated.ts";
import type { Switch } from "./switches.ts";

interface SwitchRowProps {
  readonly one: Switch;
  readonly isOn: boolean;
  /** Whether another setting takes its effect away. */
  readonly isIdle: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A setting: what it opens for agents, the tools that they get, and what it needs. */
export function SwitchRow({ one, isOn, isIdle, onChange }: SwitchRowProps) {
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
