import { useTranslations } from "use-intl";
import { HtmlFrame } from "./html-frame.tsx";
import { PreviewPanel } from "./preview-panel.tsx";
import type { RenderedDocument, TemplatePreview } from "./use-template-preview.ts";

interface DocumentPreviewProps {
  readonly preview: TemplatePreview<RenderedDocument>;
}

/** The document with its sample values: HTML in a frame, any other format as text. */
export function DocumentPreview({ preview }: DocumentPreviewProps) {
  const t = useTranslations("templates");
  return (
    <PreviewPanel preview={preview} text={t("documentPreviewText")} refused={t("documentRefused")}>
      {({ content, frame }) => (
        <div className="px-4 py-3">
          {frame === null ? (
            <code
              dir="auto"
              className="block font-mono text-2 leading-5 whitespace-pre-wrap wrap-anywhere"
            >
              {content}
            </code>
          ) : (
            <HtmlFrame title={t("framed")} src={frame} />
          )}
        </div>
      )}
    </PreviewPanel>
  );
}
