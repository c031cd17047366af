import { useTranslations } from "use-intl";
import { Moment } from "../../shell/moment.tsx";
import { NameLink } from "../../shell/name-link.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type ListColumn, ListTable } from "../../ui/list-table.tsx";
import { LanguageName } from "./language-name.tsx";
import type { DocumentTemplate } from "./template-parts.ts";

/** Templates of documents with their languages and formats. */
export function DocumentList({ templates }: { readonly templates: readonly DocumentTemplate[] }) {
  const t = useTranslations("templates");
  if (templates.length === 0) return <EmptyState title={t("noDocuments")} />;
  const columns: readonly ListColumn<DocumentTemplate>[] = [
    {
      key: "title",
      label: t("parts.title"),
      cell: ({ id, title }) => <NameLink href={`/admin/settings/templates/${id}`} name={title} />,
    },
    {
      key: "language",
      label: t("language"),
      width: "w-40",
      cell: ({ language }) => <LanguageName tag={language} />,
    },
    { key: "key", label: t("key"), cell: ({ key }) => <code className="font-mono">{key}</code> },
    {
      key: "format",
      label: t("parts.format"),
      width: "w-44",
      cell: ({ format }) => t(`formats.${format}`),
    },
    {
      key: "changed",
      label: t("changedAt"),
      width: "w-44",
      cell: ({ updatedAt }) => <Moment at={updatedAt} />,
    },
  ];
  return (
    <ListTable label={t("documents")} items={templates} columns={columns} keyOf={({ id }) => id} />
  );
}
