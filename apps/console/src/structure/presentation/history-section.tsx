import { useTranslations } from "use-intl";
import { ResourceSwitch } from "./resource-switch.tsx";

/** Whether the changes of a table's rows are recorded. */
export function HistorySection({ resourceId }: { readonly resourceId: string }) {
  const t = useTranslations("presentation");
  const words = { title: t("history"), text: t("historyText"), label: t("recordHistory") };
  return <ResourceSwitch resourceId={resourceId} field="history" {...words} />;
}
