import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { TabLinks } from "../shell/tab-links.tsx";
import { useTitle } from "../shell/use-title.ts";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { ToolButton } from "../ui/tool-button.tsx";

const tabs = ["users", "roles", "invitations", "providers", "tokens"] as const;

interface PeoplePageProps {
  readonly tab: (typeof tabs)[number];
  /** One sentence about the list. */
  readonly text: string;
  /** The name of the button that adds to the list. */
  readonly add: string;
  readonly onAdd: () => void;
  readonly children: ReactNode;
}

/** A list of people, roles or their credentials; its tabs are links to the others. */
export function PeoplePage({ tab, text, add, onAdd, children }: PeoplePageProps) {
  const t = useTranslations("people");
  useTitle(t(`tabs.${tab}`));
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={text}>
        <ToolButton kind="primary" onClick={onAdd}>
          {add}
        </ToolButton>
      </PageHead>
      <TabLinks
        label={t("title")}
        tabs={tabs.map((one) => ({ href: `/admin/people/${one}`, label: t(`tabs.${one}`) }))}
      />
      {children}
    </div>
  );
}
