import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../ui/classes.ts";
import { type Command, commandGroups } from "./commands.ts";
import { ariaKeys } from "./keys.ts";
import { KeysHint } from "./keys-hint.tsx";

interface PaletteListProps {
  /** Prefix of the ids of the options. */
  readonly id: string;
  readonly commands: readonly Command[];
  readonly active: number;
  /** Whether the commands stand under the headings of their groups. */
  readonly isGrouped: boolean;
  readonly onPoint: (index: number) => void;
  readonly onRun: (command: Command) => void;
}

/** The options of the palette. */
export function PaletteList({ id, commands, active, isGrouped, onPoint, onRun }: PaletteListProps) {
  const t = useTranslations("palette");
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.querySelector(`[data-option="${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const numbered = commands.map((command, index) => ({ command, index }));
  const optionOf = ({ command, index }: { command: Command; index: number }) => (
    <Option
      key={command.id}
      id={`${id}-${index}`}
      index={index}
      command={command}
      isActive={index === active}
      onPoint={onPoint}
      onRun={onRun}
    />
  );
  return (
    <div className="max-h-[min(60vh,26rem)] overflow-y-auto p-2" ref={place}>
      <div role="listbox" id={`${id}-list`} aria-label={t("results")}>
        {isGrouped
          ? commandGroups.map((group) => {
              const own = numbered.filter(({ command }) => command.group === group);
              if (own.length === 0) return null;
              return (
                <fieldset key={group} aria-labelledby={`${id}-${group}`} className="mb-1">
                  <div id={`${id}-${group}`} className="px-2 pt-1.5 pb-1 text-2 text-ink-2">
                    {t(group)}
                  </div>
                  {own.map(optionOf)}
                </fieldset>
              );
            })
          : numbered.map(optionOf)}
      </div>
      {commands.length === 0 && <p className="px-2 py-3 text-ink-2">{t("nothing")}</p>}
    </div>
  );
}

function Option(props: {
  readonly id: string;
  readonly index: number;
  readonly command: Command;
  readonly isActive: boolean;
  readonly onPoint: (index: number) => void;
  readonly onRun: (command: Command) => void;
}) {
  const { label, detail, icon: Icon, keys } = props.command;
  return (
    // The focus stays in the input, which has the keys.
    <div
      id={props.id}
      data-option={props.index}
      role="option"
      tabIndex={-1}
      aria-selected={props.isActive}
      aria-keyshortcuts={keys === undefined ? undefined : ariaKeys(keys)}
      onPointerMove={() => {
        if (!props.isActive) props.onPoint(props.index);
      }}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => props.onRun(props.command)}
      onKeyDown={() => {}}
      className={classes(
        "flex min-h-8 cursor-pointer items-center gap-2.5 rounded-control px-2 py-1 outline-none",
        props.isActive && "bg-accent-soft",
      )}
    >
      {Icon !== undefined && <Icon size={16} aria-hidden="true" className="shrink-0 text-ink-2" />}
      <span className="min-w-0 flex-1 truncate" dir="auto">
        {label}
      </span>
      {detail !== undefined && (
        <span className="min-w-0 max-w-[40%] truncate text-2 text-ink-2" dir="auto">
          {detail}
        </span>
      )}
      {keys !== undefined && <KeysHint keys={keys} />}
    </div>
  );
}
