import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { AddDocumentDialog } from "./add-document-dialog.tsx";
import { AddLanguageDialog } from "./add-language-dialog.tsx";
import { DocumentList } from "./document-list.tsx";
import { TemplateList } from "./template-list.tsx";
import { documentsQuery, templatesQuery } from "./template-queries.ts";

/** The mails about accounts and the documents, in every language. */
export function TemplatesPage() {
  const t = useTranslations("templates");
  const words = useTranslations("manage");
  const { data, error, refetch } = useQuery(templatesQuery);
  const documents = useQuery(documentsQuery);
  const [isAdding, add] = useState(false);
  const [isAddingDocument, addDocument] = useState(false);
  useTitle(t("title"));
  if (error !== null && data === undefined) {
    return <FailureNotice error={error} onRetry={() => void refetch()} />;
  }
  if (documents.error !== null && documents.data === undefined) {
    return <FailureNotice error={documents.error} onRetry={() => void documents.refetch()} />;
  }
  if (data === undefined || documents.data === undefined)
    return <Skeleton label={words("loading")} rows={8} />;
  return (
    <div className="grid gap-8">
      <Section
        title={t("title")}
        text={t("text")}
        aside={<ToolButton onClick={() => add(true)}>{t("add")}</ToolButton>}
      >
        <TemplateList templates={data} />
      </Section>
      <Section
        title={t("documents")}
        text={t("documentsText")}
        aside={<ToolButton onClick={() => addDocument(true)}>{t("addDocument")}</ToolButton>}
      >
        <DocumentList templates={documents.data} />
      </Section>
      {isAdding && <AddLanguageDialog templates={data} onClose={() => add(false)} />}
      {isAddingDocument && <AddDocumentDialog onClose={() => addDocument(false)} />}
    </div>
  );
}
