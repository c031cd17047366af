import type { ReactNode, RefObject } from "react";
import { Header, Menu, MenuItem, MenuSection, Popover } from "react-aria-components";
import { classes } from "./classes.ts";
import type { IconComponent } from "./create-icon.ts";

/** An entry of a menu. */
export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconComponent;
  readonly isDisabled?: boolean;
  readonly isDangerous?: boolean;
  /** Shown at the end of the line: a key, or the present value. */
  readonly hint?: ReactNode;
  readonly onPress: () => void;
}

/** Entries under a heading that screen readers and people see. */
export interface MenuGroup {
  readonly id: string;
  readonly title?: string;
  readonly entries: readonly MenuEntry[];
}

interface MenuProps {
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  /** The element beside which the menu opens. */
  readonly beside: RefObject<Element | null>;
  readonly onClose: () => void;
}

/** A menu that opens beside an element, with the keyboard pattern of ARIA. */
export function OpenMenu({ label, groups, beside, onClose }: MenuProps) {
  return (
    <Popover
      aria-label={label}
      isOpen
      triggerRef={beside}
      placement="bottom start"
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      className="max-h-96 min-w-48 overflow-auto rounded-panel border border-line-strong bg-surface p-1 text-3 text-ink outline-none"
    >
      <Menu
        ref={passFocus}
        aria-label={label}
        autoFocus="first"
        onClose={onClose}
        className="outline-none"
      >
        {groups.map(({ id, title, entries }) => (
          <MenuSection
            key={id}
            aria-label={title ?? label}
            className="border-line not-first:mt-1 not-first:border-t not-first:pt-1"
          >
            {title !== undefined && (
              <Header className="px-2 pt-1 pb-0.5 text-2 text-ink-2">{title}</Header>
            )}
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </MenuSection>
        ))}
      </Menu>
    </Popover>
  );
}

/**
 * React Aria leaves the focus on the menu itself when a button was pressed by the keyboard, which it takes for a screen
 * reader; Enter would then do nothing.
 */
function passFocus(menu: HTMLDivElement | null): void {
  menu?.addEventListener("focus", () => {
    const entry = menu.querySelector("[data-focused]");
    if (entry instanceof HTMLElement) entry.focus();
  });
}

function Entry({ entry }: { readonly entry: MenuEntry }) {
  const { icon: Icon, isDangerous = false, isDisabled = false } = entry;
  return (
    <MenuItem
      id={entry.id}
      textValue={entry.label}
      isDisabled={isDisabled}
      onAction={entry.onPress}
      className={classes(
        "flex min-h-7 cursor-default items-center gap-2 rounded-control px-2 outline-none data-focused:bg-accent-soft",
        isDangerous && "text-danger",
        isDisabled && "text-ink-3",
      )}
    >
      {Icon !== undefined && <Icon size={14} aria-hidden="true" className="shrink-0 text-ink-2" />}
      <span className="flex-1">{entry.label}</span>
      {entry.hint !== undefined && <span className="text-2 text-ink-2">{entry.hint}</span>}
    </MenuItem>
  );
}
