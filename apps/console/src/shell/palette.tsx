import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../ui/classes.ts";
import { Search } from "../ui/icons.generated.ts";
import { ModalBox } from "../ui/modal-box.tsx";
import { type Command, commandGroups, useAllCommands } from "./commands.ts";
import { ariaKeys } from "./keys.ts";
import { KeysHint } from "./keys-hint.tsx";
import { rankCommands } from "./rank-commands.ts";

const shownAtMost = 50;
/** Before anything is typed, each group shows only its first commands. */
const shownOfGroup = 8;
const pageOfOptions = 8;

/** Rows that a text finds. */
export interface Found {
  readonly commands: readonly Command[];
  /** The names of tables that took too long to search. */
  readonly missing: readonly string[];
}

/**
 * Everything that the person may open or do, by typing a part of its name, and the rows that a text finds. A combobox with a
 * list of options.
 *
 * @param useFound finds rows by a typed text; they come after the commands
 */
export function Palette({
  onClose,
  useFound,
}: {
  readonly onClose: () => void;
  readonly useFound: (typed: string) => Found;
}) {
  const t = useTranslations("palette");
  const id = useId();
  const [typed, type] = useState("");
  // The id, not the place: pages add and remove commands while the palette is open.
  const [moved, setMoved] = useState<string>();
  const commands = useAllCommands();
  // Not deferred: Enter directly after a letter must run the command which that letter finds. Ranking 10,000 commands
  // takes about 10 ms.
  const found = useFound(typed);
  const shown = useMemo(
    () => [...chooseCommands(commands, typed), ...(typed.trim() === "" ? [] : found.commands)],
    [commands, typed, found.commands],
  );
  const active = Math.max(
    0,
    shown.findIndex((command) => command.id === moved),
  );
  const point = (index: number): void => setMoved(shown[index]?.id);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    // The dialog returns the focus first, so that the command can move it.
    setTimeout(() => command.run());
  };
  const moveTo = (index: number): void => {
    if (shown.length > 0) point((index + shown.length) % shown.length);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const last = shown.length - 1;
    if (event.key === "ArrowDown") moveTo(active + 1);
    else if (event.key === "ArrowUp") moveTo(active - 1);
    else if (event.key === "PageDown") moveTo(Math.min(active + pageOfOptions, last));
    else if (event.key === "PageUp") moveTo(Math.max(active - pageOfOptions, 0));
    else if (event.key === "Enter") run(shown[active]);
    else return;
    event.preventDefault();
  };
  return (
    <ModalBox
      label={t("title")}
      onClose={onClose}
      look="mx-auto mt-[12vh] mb-auto w-[calc(100vw-2rem)] max-w-150 overflow-hidden rounded-panel"
    >
      <div className="flex items-center gap-2.5 border-line border-b px-4">
        <Search size={16} aria-hidden="true" className="shrink-0 text-ink-2" />
        <input
          role="combobox"
          type="text"
          aria-label={t("title")}
          aria-expanded={shown.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={shown.length > 0 ? `${id}-${active}` : undefined}
          placeholder={t("placeholder")}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            type(event.target.value);
            setMoved(undefined);
          }}
          onKeyDown={onKey}
          className="h-12 min-w-0 flex-1 bg-transparent text-4 outline-none placeholder:text-ink-3"
        />
      </div>
      <PaletteList
        id={id}
        commands={shown}
        active={active}
        isGrouped={typed === ""}
        onPoint={point}
        onRun={run}
      />
      {typed !== "" && found.missing.length > 0 && (
        <p className="border-line border-t px-4 py-2 text-2 text-ink-2">
          {t("notSearched", { names: found.missing.join(", "), count: found.missing.length })}
        </p>
      )}
      <p role="status" className="sr-only">
        {typed === "" ? "" : t("found", { count: shown.length })}
      </p>
    </ModalBox>
  );
}

function chooseCommands(commands: readonly Command[], typed: string): readonly Command[] {
  if (typed.trim() !== "") return rankCommands(commands, typed, shownAtMost);
  return commandGroups.flatMap((group) =>
    commands
      .filter((command) => command.group === group)
      .slice(0, group === "tables" ? shownOfGroup : shownAtMost),
  );
}

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
function PaletteList({ id, commands, active, isGrouped, onPoint, onRun }: PaletteListProps) {
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
