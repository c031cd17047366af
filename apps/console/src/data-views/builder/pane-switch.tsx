import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";

const panes = ["build", "preview"] as const;

type Pane = (typeof panes)[number];

/** Chooses what a narrow screen shows; a wide one has room for both. */
export function PaneSwitch(props: {
  readonly pane: Pane;
  readonly onChange: (pane: Pane) => void;
}) {
  const t = useTranslations("viewBuilder");
  return (
    <fieldset className="flex gap-1 rounded-control bg-sunken p-1 lg:hidden">
      <legend className="sr-only">{t("show")}</legend>
      {panes.map((pane) => (
        <button
          key={pane}
          type="button"
          aria-pressed={props.pane === pane}
          onClick={() => props.onChange(pane)}
          className={classes(
            "h-7 flex-1 rounded-control font-medium",
            props.pane === pane ? "bg-surface text-ink" : "text-ink-2 hover:text-ink",
          )}
        >
          {t(pane)}
        </button>
      ))}
    </fieldset>
  );
}
