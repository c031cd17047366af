import { useId } from "react";
import { useTranslations } from "use-intl";
import { type ReadingIcon, readingIcon, readingIcons } from "../../shell/reading-icons.ts";
import { classes } from "../../ui/classes.ts";

const names = Object.keys(readingIcons) as ReadingIcon[];

interface IconFieldProps {
  readonly kind: "dataView" | "dashboard";
  readonly icon: string | null;
  readonly fault?: string | undefined;
  readonly onChange: (icon: ReadingIcon | null) => void;
}

/** Chooses the icon of a DataView or dashboard in the navigation. */
export function IconField({ kind, icon, fault, onChange }: IconFieldProps) {
  const t = useTranslations("readings");
  const id = useId();
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{t("icon")}</legend>
      <div className="flex flex-wrap gap-1">
        {[null, ...names].map((name) => {
          const Icon = readingIcon(name, kind);
          const label = name === null ? t("standardIcon") : t(`icons.${name}`);
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
                onChange={() => onChange(name)}
                className="sr-only"
              />
              <Icon size={16} aria-hidden="true" />
            </label>
          );
        })}
      </div>
      {fault !== undefined && (
        <p role="alert" className="text-2 text-danger">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
