import { type RefObject, useState } from "react";
import { Dialog, Popover } from "react-aria-components";
import { useTranslations } from "use-intl";
import { Checkbox } from "../../ui/checkbox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowDown, ArrowUp } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { titleOf } from "../model/resource.ts";
import { moveName } from "./rows-search.ts";
import type { TableView } from "./table-view.ts";

/** From this number of columns on, they can be searched. */
const manyColumns = 12;

/** Chooses the columns and their order. */
export function ColumnsMenu({
  view,
  beside,
  onClose,
}: {
  readonly view: TableView;
  readonly beside: RefObject<Element | null>;
  readonly onClose: () => void;
}) {
  const t = useTranslations("grid");
  const [text, setText] = useState("");
  const shown = view.columns.map(({ name }) => name);
  const all = view.allColumns;
  const placed = shown.flatMap((name) => all.find((column) => column.name === name) ?? []);
  const hidden = all.filter(({ name }) => !shown.includes(name));
  const ordered = [...placed, ...hidden].filter((column) =>
    `${titleOf(column)} ${column.name}`.toLowerCase().includes(text.toLowerCase()),
  );
  return (
    <Popover
      isOpen
      triggerRef={beside}
      placement="bottom end"
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      className="w-80 max-w-[calc(100vw-16px)] rounded-panel border border-line-strong bg-surface text-3 text-ink"
    >
      <Dialog
        aria-label={t("chooseColumns")}
        className="grid max-h-110 gap-2 overflow-auto p-3 outline-none"
      >
        {all.length > manyColumns && (
          <input
            type="search"
            aria-label={t("findColumn")}
            placeholder={t("findColumn")}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="h-7 rounded-control border border-line-input bg-surface px-2 placeholder:text-ink-3"
          />
        )}
        <ul>
          {ordered.map((column) => {
            const title = titleOf(column);
            const isShown = shown.includes(column.name);
            return (
              <li key={column.name} className="flex min-h-7 items-center gap-1">
                <div className="min-w-0 flex-1 [&_label]:truncate">
                  <Checkbox
                    label={title}
                    isChecked={isShown}
                    onChange={(isChosen) => {
                      const names = isChosen
                        ? [...shown, column.name]
                        : shown.filter((name) => name !== column.name);
                      if (names.length > 0) view.setColumns(names);
                    }}
                  />
                </div>
                {isShown && text === "" && (
                  <>
                    <IconButton
                      label={t("moveUp", { name: title })}
                      icon={ArrowUp}
                      isSmall
                      onPress={() => view.setColumns(moveName(shown, column.name, -1))}
                    />
                    <IconButton
                      label={t("moveDown", { name: title })}
                      icon={ArrowDown}
                      isSmall
                      onPress={() => view.setColumns(moveName(shown, column.name, 1))}
                    />
                  </>
                )}
              </li>
            );
          })}
        </ul>
        <div className="flex gap-2 border-line border-t pt-2">
          <ToolButton onClick={() => view.resetColumns()}>{t("showAll")}</ToolButton>
        </div>
      </Dialog>
    </Popover>
  );
}
