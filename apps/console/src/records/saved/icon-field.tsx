import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { type ReadingIcon, readingIcon, readingIcons } from "../../shell/reading-icons.ts";
import { classes } from "../../ui/classes.ts";
import { ChevronDown } from "../../ui/icons.generated.ts";
import { toolClasses } from "../../ui/tool-button.tsx";
import { floatingClasses, useFloating } from "../../ui/use-floating.ts";

const names = Object.keys(readingIcons) as ReadingIcon[];

interface IconFieldProps {
  readonly kind: "dataView" | "dashboard";
  readonly icon: string | null;
  readonly fault?: string | undefined;
  readonly onChange: (icon: ReadingIcon | null) => void;
}

/** Chooses the icon of a DataView or dashboard in the navigation: a button that opens all of them. */
export function IconField({ kind, icon, fault, onChange }: IconFieldProps) {
  const t = useTranslations("readings");
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const floating = useFloating<HTMLFieldSetElement>(button, isOpen, true);
  const labelOf = (name: string | null) =>
    name === null || !(name in readingIcons)
      ? t("standardIcon")
      : t(`icons.${name as ReadingIcon}`);
  // A press chooses and closes; arrow keys go through the icons.
  const isPressed = useRef(false);
  useEffect(() => {
    if (isOpen) floating.current?.querySelector<HTMLInputElement>("input:checked")?.focus();
  }, [isOpen, floating]);
  const Chosen = readingIcon(icon, kind);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    isPressed.current = false;
    if (event.key !== "Escape" && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span id={id} className="font-medium">
        {t("icon")}
      </span>
      <button
        ref={button}
        id={`${id}-button`}
        type="button"
        aria-labelledby={`${id} ${id}-button`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className={toolClasses("plain")}
      >
        <Chosen size={16} aria-hidden="true" />
        {labelOf(icon)}
        <ChevronDown size={14} aria-hidden="true" />
      </button>
      {isOpen && (
        <fieldset
          ref={floating}
          popover="manual"
          className={floatingClasses}
          onKeyDown={onKey}
          onMouseDown={(event) => {
            isPressed.current = true;
            // A press on a label takes the focus from the list, which would close it.
            event.preventDefault();
          }}
          onBlur={({ currentTarget, relatedTarget }) => {
            if (relatedTarget !== button.current && !currentTarget.contains(relatedTarget)) {
              setOpen(false);
            }
          }}
        >
          <legend className="sr-only">{t("icon")}</legend>
          <div className="grid grid-cols-[repeat(8,auto)] gap-1">
            {[null, ...names].map((name) => {
              const Icon = readingIcon(name, kind);
              const label = labelOf(name);
              return (
                <label
                  key={name ?? ""}
                  title={label}
                  className={classes(
                    "relative grid size-8 cursor-pointer place-items-center rounded-control border focus-within:outline-2 focus-within:outline-accent",
                    name === icon
                      ? "border-accent bg-accent-soft text-ink"
                      : "border-transparent text-ink-2 hover:bg-sunken hover:text-ink",
                  )}
                >
                  <input
                    type="radio"
                    name={id}
                    aria-label={label}
                    checked={name === icon}
                    onChange={() => {
                      onChange(name);
                      if (isPressed.current) close();
                    }}
                    className="sr-only"
                  />
                  <Icon size={16} aria-hidden="true" />
                </label>
              );
            })}
          </div>
        </fieldset>
      )}
      {fault !== undefined && (
        <p role="alert" className="basis-full text-2 text-danger">
          {fault}
        </p>
      )}
    </div>
  );
}
