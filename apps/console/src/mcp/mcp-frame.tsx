import { Outlet } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { TabLinks } from "../shell/tab-links.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";

/** The frame of the pages of the MCP server: their tabs are links. */
export function McpFrame() {
  const t = useTranslations("mcp");
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")} />
      <TabLinks
        label={t("title")}
        tabs={[
          { href: "/admin/mcp", label: t("tabs.setup") },
          { href: "/admin/mcp/clients", label: t("tabs.clients") },
          { href: "/admin/mcp/calls", label: t("tabs.calls") },
        ]}
      />
      <Outlet />
    </div>
  );
}
