import { Link } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import type { NavigationResource } from "../../shell/navigation.ts";
import { linkClasses } from "../../ui/classes.ts";
import { kindOf } from "../model/resource.ts";
import { emptySearch, type Filter } from "../rows/rows-address.ts";

/** Leads to the rows of a filter in the grid of their table. */
export function InGrid({
  target,
  where,
}: {
  readonly target: NavigationResource;
  readonly where: Filter;
}) {
  const t = useTranslations("record");
  return (
    <Link
      to="/app/data/$schema/$kind/$name"
      params={{ schema: target.schema, kind: kindOf(target), name: target.name }}
      search={{ ...emptySearch, where }}
      className={linkClasses}
    >
      {t("inGrid")}
    </Link>
  );
}
