import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { AddLanguageDialog } from "./add-language-dialog.tsx";
import { TemplateList } from "./template-list.tsx";
import { templatesQuery } from "./template-queries.ts";

/** The mails about accounts in every language. */
export function TemplatesPage() {
  const t = useTranslations("templates");
  const words = useTranslations("manage");
  const { data, error, refetch } = useQuery(templatesQuery);
  const [isAdding, add] = useState(false);
  useTitle(t("title"));
  if (error !== null && data === undefined) {
    return <FailureNotice error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton label={words("loading")} rows={8} />;
  return (
    <Section
      title={t("title")}
      text={t("text")}
      aside={<ToolButton onClick={() => add(true)}>{t("add")}</ToolButton>}
    >
      <TemplateList templates={data} />
      {isAdding && <AddLanguageDialog templates={data} onClose={() => add(false)} />}
    </Section>
  );
}
