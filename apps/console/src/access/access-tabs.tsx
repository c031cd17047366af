import { useTranslations } from "use-intl";
import { TabLinks } from "../shell/tab-links.tsx";
import { accessPath, explainPath, viewAsPath } from "./access-paths.ts";

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
