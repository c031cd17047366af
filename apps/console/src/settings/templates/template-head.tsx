import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { DeleteTemplateDialog } from "./delete-template-dialog.tsx";
import { LanguageName } from "./language-name.tsx";
import { TemplateState } from "./template-list.tsx";
import { type MailTemplate, useMailNames } from "./template-parts.ts";

interface TemplateHeadProps {
  readonly template: MailTemplate;
  /** Takes the text that the service ships; undefined if the mail has this text or there is none. */
  readonly onRestore: (() => void) | undefined;
}

/** The head of a mail: its name and language, and when it is sent. */
export function TemplateHead({ template, onRestore }: TemplateHeadProps) {
  const t = useTranslations("templates");
  const words = useTranslations("manage");
  const { nameOf, occasionOf } = useMailNames();
  const [isDeleting, startDelete] = useState(false);
  const name = nameOf(template.key);
  useTitle(name);
  return (
    <>
      <PageHead
        trail={
          <>
            <AppLink href="/admin/settings/templates" className={linkClasses}>
              {t("title")}
            </AppLink>
            <span aria-hidden="true"> / </span>
          </>
        }
        title={
          <>
            {name}
            <span className="flex flex-wrap gap-1.5 font-normal text-3 text-ink-2">
              <LanguageName tag={template.language} />
              <TemplateState template={template} />
            </span>
          </>
        }
        text={occasionOf(template.key)}
      >
        {onRestore !== undefined && <ToolButton onClick={onRestore}>{t("restore")}</ToolButton>}
        {template.language !== "en" && (
          <ToolButton kind="danger" onClick={() => startDelete(true)}>
            {words("delete")}
          </ToolButton>
        )}
      </PageHead>
      {isDeleting && (
        <DeleteTemplateDialog template={template} name={name} onClose={() => startDelete(false)} />
      )}
    </>
  );
}
