import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { DeleteTemplateDialog } from "./delete-template-dialog.tsx";
import { LanguageName } from "./language-name.tsx";
import type { Template } from "./template-parts.ts";

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
