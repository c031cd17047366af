import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { linkClasses } from "../../ui/classes.ts";
import { schemaListPath } from "../model/paths.ts";

/** The links to the pages above a table or view. */
export function StructureTrail({ schema }: { readonly schema: string }) {
  const t = useTranslations("structure");
  return (
    <span className="font-normal text-3 text-ink-2">
      <AppLink href="/admin/structure" className={linkClasses}>
        {t("title")}
      </AppLink>
      {" / "}
      <AppLink href={schemaListPath(schema)} className={linkClasses} dir="auto">
        {schema}
      </AppLink>
      {" /"}
    </span>
  );
}
