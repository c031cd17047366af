import { useTranslations } from "use-intl";
import { HtmlFrame } from "./html-frame.tsx";
import { PreviewPanel } from "./preview-panel.tsx";
import type { RenderedMail, TemplatePreview } from "./use-template-preview.ts";

/** The mail as its reader would receive it, with its HTML in a frame. */
export function MailPreview({ preview }: { readonly preview: TemplatePreview<RenderedMail> }) {
  const t = useTranslations("templates");
  return (
    <PreviewPanel preview={preview} text={t("previewText")} refused={t("refused")}>
      {(mail) => (
        <>
          <p dir="auto" className="border-line border-b px-4 py-3 font-semibold wrap-anywhere">
            <span className="sr-only">{t("parts.subject")}: </span>
            {mail.subject}
          </p>
          <p dir="auto" className="px-4 py-3 whitespace-pre-wrap wrap-anywhere">
            <span className="sr-only">{t("parts.text")}: </span>
            {mail.text}
          </p>
          {mail.frame !== null && (
            <div className="grid gap-2 border-line border-t px-4 py-3">
              <h3 className="text-2 text-ink-2">{t("parts.html")}</h3>
              <HtmlFrame title={t("framed")} src={mail.frame} />
            </div>
          )}
        </>
      )}
    </PreviewPanel>
  );
}
