import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { TabLinks } from "../../shell/tab-links.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";

/** The tabs of the area in their order. */
const tabs = [
  { name: "workflows", href: "/admin/workflows" },
  { name: "allRuns", href: "/admin/workflows/runs" },
  { name: "secrets", href: "/admin/workflows/secrets" },
] as const;

interface WorkflowsFrameProps {
  readonly tab: "workflows" | "allRuns" | "secrets";
  /** One sentence about the list. */
  readonly text: string;
  /** What can be done on this page. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the lists of workflows, runs and secrets; its tabs are links to the others. */
export function WorkflowsFrame({ tab, text, actions, children }: WorkflowsFrameProps) {
  const t = useTranslations("workflows");
  useTitle(t(`tabs.${tab}`));
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={text}>
        {actions}
      </PageHead>
      <TabLinks
        label={t("title")}
        tabs={tabs.map(({ name, href }) => ({ href, label: t(`tabs.${name}`) }))}
      />
      {children}
    </div>
  );
}
