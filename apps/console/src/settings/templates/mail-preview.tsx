import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { classes } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { TemplatePreview } from "./use-template-preview.ts";

/**
 * The mail as its reader would receive it. Its HTML is shown as source: the content policy of the pages admits no markup
 * that was typed, and a mail program shows it otherwise than a browser.
 */
export function MailPreview({ preview }: { readonly preview: TemplatePreview }) {
  const t = useTranslations("templates");
  const words = useTranslations("manage");
  const { mail, failure, isCurrent, isRefused, retry } = preview;
  return (
    <Section title={t("preview")} text={t("previewText")}>
      {failure !== null && <FailureNotice error={failure} onRetry={retry} />}
      {isRefused && <Notice kind="info">{t("refused")}</Notice>}
      {mail === undefined && failure === null && !isRefused && (
        <Skeleton label={words("loading")} rows={6} />
      )}
      {mail !== undefined && (
        <div
          aria-busy={!isCurrent && !isRefused && failure === null}
          className={classes(
            "grid grid-cols-[minmax(0,1fr)] rounded-panel border border-line bg-surface",
            !isCurrent && "text-ink-2",
          )}
        >
          <p dir="auto" className="border-line border-b px-4 py-3 font-semibold wrap-anywhere">
            <span className="sr-only">{t("parts.subject")}: </span>
            {mail.subject}
          </p>
          <p dir="auto" className="px-4 py-3 whitespace-pre-wrap wrap-anywhere">
            <span className="sr-only">{t("parts.text")}: </span>
            {mail.text}
          </p>
          {mail.html !== null && (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-1 border-line border-t px-4 py-3">
              <h3 className="text-2 text-ink-2">{t("htmlSource")}</h3>
              <code
                dir="ltr"
                className="block font-mono text-2 leading-5 whitespace-pre-wrap wrap-anywhere"
              >
                {mail.html}
              </code>
            </div>
          )}
        </div>
      )}
    </Section>
  );
}
