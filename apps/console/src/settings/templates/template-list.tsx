import { useTranslations } from "use-intl";
import { useLanguage } from "../../shell/language-provider.tsx";
import { ManagedMark } from "../../shell/managed.tsx";
import { Moment } from "../../shell/moment.tsx";
import { NameLink } from "../../shell/name-link.tsx";
import { StateBadge } from "../../ui/entries.tsx";
import { type ListColumn, ListTable } from "../../ui/list-table.tsx";
import { isSameText, type MailTemplate, useMailNames } from "./template-parts.ts";

/** Templates with their languages and subjects. */
export function TemplateList({ templates }: { readonly templates: readonly MailTemplate[] }) {
  const t = useTranslations("templates");
  const { nameOf } = useMailNames();
  const columns: readonly ListColumn<MailTemplate>[] = [
    {
      key: "mail",
      label: t("mail"),
      cell: ({ id, key, language }) => (
        <NameLink
          href={`/admin/settings/templates/${id}`}
          name={nameOf(key)}
          mark={<ManagedMark part="templates" names={[key, language]} />}
        />
      ),
    },
    {
      key: "language",
      label: t("language"),
      width: "w-40",
      cell: ({ language }) => <LanguageName tag={language} />,
    },
    {
      key: "subject",
      label: t("parts.subject"),
      cell: ({ subject }) => (
        <span dir="auto" title={subject}>
          {subject}
        </span>
      ),
    },
    {
      key: "state",
      label: t("state"),
      width: "w-44",
      cell: (template) => <TemplateState template={template} />,
    },
    {
      key: "changed",
      label: t("changedAt"),
      width: "w-44",
      cell: ({ updatedAt }) => <Moment at={updatedAt} />,
    },
  ];
  return (
    <ListTable label={t("title")} items={templates} columns={columns} keyOf={({ id }) => id} />
  );
}

/** Whether a template still has the text that the service ships. */
export function TemplateState({ template }: { readonly template: MailTemplate }) {
  const t = useTranslations("templates");
  const { builtIn } = template;
  if (builtIn === null) return <StateBadge look="plain">{t("own")}</StateBadge>;
  return isSameText(template, builtIn) ? (
    <StateBadge look="plain">{t("shipped")}</StateBadge>
  ) : (
    <StateBadge look="ok">{t("changed")}</StateBadge>
  );
}

/** The name of a language in the language of the page. */
export function LanguageName({ tag }: { readonly tag: string }) {
  const language = useLanguage();
  const names = new Intl.DisplayNames(language, { type: "language", fallback: "code" });
  return <bdi title={tag}>{names.of(tag)}</bdi>;
}
