import { useParams } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { useTitle } from "../../shell/use-title.ts";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { StructureTrail } from "../table/structure-trail.tsx";
import { ViewEditor } from "./view-editor.tsx";

/** A new view, beside the SQL that creates it. */
export function NewViewPage() {
  const t = useTranslations("structure");
  const own = useTranslations("viewEditor");
  const { schema } = useParams({ from: "/frame/admin/structure/$schema/new/view" });
  useTitle(t("newView"));
  return (
    <div className={pageClasses}>
      <PageHead
        title={t("newView")}
        trail={<StructureTrail schema={schema} />}
        text={own("newText")}
      />
      <ViewEditor key={schema} schema={schema} view={null} />
    </div>
  );
}
