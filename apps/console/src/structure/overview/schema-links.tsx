import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { classes } from "../../ui/classes.ts";
import { schemaListPath } from "../model/paths.ts";
import type { Schema } from "../model/queries.ts";

/** The schemas, each with the number of its tables and views. */
export function SchemaLinks(props: {
  readonly schemas: readonly Schema[];
  readonly chosen: string;
}) {
  const t = useTranslations("structure");
  return (
    <nav
      aria-label={t("schemas")}
      className="flex max-h-40 flex-wrap gap-0.5 overflow-y-auto lg:max-h-[70dvh] lg:flex-col lg:flex-nowrap"
    >
      {props.schemas.map(({ name, tables, views }) => (
        <AppLink
          key={name}
          href={schemaListPath(name)}
          title={name}
          aria-current={name === props.chosen ? "page" : undefined}
          className={classes(
            "flex min-h-7 max-w-full shrink-0 items-center gap-3 rounded-control px-2.5",
            name === props.chosen ? "bg-accent-soft font-medium text-accent" : "hover:bg-sunken",
          )}
        >
          <span className="min-w-0 flex-1 truncate" dir="auto">
            {name}
          </span>
          <span
            className={classes(
              "text-2 tabular-nums",
              name === props.chosen ? "text-accent" : "text-ink-2",
            )}
          >
            {tables + views}
          </span>
        </AppLink>
      ))}
    </nav>
  );
}
