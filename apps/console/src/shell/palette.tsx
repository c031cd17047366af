import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { Search } from "../ui/icons.generated.ts";
import { ModalBox } from "../ui/modal-box.tsx";
import { type Command, commandGroups, useAllCommands } from "./commands.ts";
import { PaletteList } from "./palette-list.tsx";
import { rankCommands } from "./rank-commands.ts";

const shownAtMost = 50;
/** Before anything is typed, each group shows only its first commands. */
const shownOfGroup = 8;
const pageOfOptions = 8;

/** Everything that the person may open or do, by typing a part of its name. A combobox with a list of options. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("palette");
  const id = useId();
  const [typed, type] = useState("");
  // The id, not the place: pages add and remove commands while the palette is open.
  const [moved, setMoved] = useState<string>();
  const commands = useAllCommands();
  // Not deferred: Enter directly after a letter must run the command which that letter finds. Ranking 10,000 commands
  // takes about 10 ms.
  const shown = useMemo(() => chooseCommands(commands, typed), [commands, typed]);
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
