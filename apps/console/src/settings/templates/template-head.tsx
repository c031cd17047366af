import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink, useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import { renew } from "../../shell/renew.ts";
import { useTask } from "../../shell/use-task.ts";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { LanguageName } from "./language-name.tsx";
import type { Template } from "./template-parts.ts";
import { documentsQuery, templatesQuery } from "./template-queries.ts";

interface TemplateHeadProps {
  readonly template: Template;
  readonly name: string;
  /** Whether the name is a text of an administrator, which has a direction of its own. */
  readonly isOwnName?: boolean;
  readonly text: ReactNode;
  /** Beside the language. */
  readonly state?: ReactNode;
  readonly canDelete: boolean;
  /** Further actions. */
  readonly children?: ReactNode;
}

/** The head of a template: its name and language, and what it is for. */
export function TemplateHead({
  template,
  name,
  isOwnName = false,
  text,
  state,
  canDelete,
  children,
}: TemplateHeadProps) {
  const t = useTranslations("templates");
  const words = useTranslations("manage");
  const [isDeleting, startDelete] = useState(false);
  useTitle(name);
  return (
    <>
      <PageHead
        trail={
          <>
            <AppLink href="/admin/settings/templates" className={linkClasses}>
              {t(template.kind === "MAIL" ? "title" : "documents")}
            </AppLink>
            <span aria-hidden="true"> / </span>
          </>
        }
        title={
          <>
            {isOwnName ? <bdi>{name}</bdi> : name}
            <span className="flex flex-wrap gap-1.5 font-normal text-3 text-ink-2">
              <LanguageName tag={template.language} />
              {state}
            </span>
          </>
        }
        text={text}
      >
        {children}
        {canDelete && (
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

interface DeleteTemplateDialogProps {
  readonly template: Template;
  readonly name: string;
  readonly onClose: () => void;
}

/** Deletes a language of a mail. */
function DeleteTemplateDialog({ template, name, onClose }: DeleteTemplateDialogProps) {
  const t = useTranslations("templates");
  const cache = useQueryClient();
  const isMail = template.kind === "MAIL";
  const open = useOpen();
  const task = useTask(async () => {
    await client.admin.delete("/templates/{id}", { path: { id: template.id } });
    const { queryKey } = isMail ? templatesQuery : documentsQuery;
    await renew(cache, { queryKey, exact: true });
    open("/admin/settings/templates");
  }, []);
  return (
    <ConfirmTask title={t("deleteTitle", { name })} task={task} onClose={onClose}>
      {t(isMail ? "deleteText" : "deleteDocumentText")}
    </ConfirmTask>
  );
}
