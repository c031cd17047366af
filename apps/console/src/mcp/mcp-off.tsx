import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { toolClasses } from "../ui/tool-button.tsx";

/** In place of a list that is empty because no agent can connect. */
export function McpOff() {
  const t = useTranslations("mcp");
  return (
    <EmptyState title={t("off")} text={t("offText")}>
      <AppLink href="/admin/mcp" className={toolClasses("primary")}>
        {t("toSetup")}
      </AppLink>
    </EmptyState>
  );
}
