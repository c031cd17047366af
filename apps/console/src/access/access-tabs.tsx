import { useTranslations } from "use-intl";
import { accessPath, explainPath, viewAsPath } from "../grants/model/access-paths.ts";
import { TabLinks } from "../shell/tab-links.tsx";

/** The pages of access: who may do what, why, and what a person sees. */
export function AccessTabs() {
  const t = useTranslations("access");
  return (
    <TabLinks
      label={t("title")}
      tabs={[
        { href: accessPath, label: t("tabs.matrix") },
        { href: explainPath({}), label: t("tabs.explain") },
        { href: viewAsPath({}), label: t("tabs.viewAs") },
      ]}
    />
  );
}
