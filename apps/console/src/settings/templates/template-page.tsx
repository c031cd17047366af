import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { LockedFields, useManagedLock } from "../../shell/managed.tsx";
import { RecordPage } from "../../shell/record-page.tsx";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { Select } from "../../ui/select.tsx";
import { formats } from "./formats.ts";
import { PartField } from "./part-field.tsx";
import {
  HtmlFrame,
  PreviewPanel,
  type RenderedDocument,
  requireRenderedDocument,
  type TemplatePreview,
  useTemplatePreview,
} from "./preview-panel.tsx";
import { TemplateEditor } from "./template-editor.tsx";
import { ForeignParts, TemplateActions, TemplateHead } from "./template-head.tsx";
import { type DocumentTemplate, documents, readSample } from "./template-parts.ts";
import { templateQuery } from "./template-queries.ts";
import { useTemplateDraft } from "./use-template-draft.ts";

const route = getRouteApi("/frame/admin/settings/templates/$id");

/** A mail or a document in one language. */
export function TemplatePage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(templateQuery(id));
  return (
    <RecordPage record={data} error={error} onRetry={() => void refetch()}>
      {({ data: template, etag }) =>
        template.kind === "MAIL" ? (
          <TemplateEditor key={template.id} template={template} etag={etag} />
        ) : (
          <DocumentEditor key={template.id} template={template} etag={etag} />
        )
      }
    </RecordPage>
  );
}

interface DocumentEditorProps {
  readonly template: DocumentTemplate;
  readonly etag: string | undefined;
}

/** The parts of a document, and beside them the document that they make of the sample. */
function DocumentEditor({ template, etag }: DocumentEditorProps) {
  const t = useTranslations("templates");
  const draft = useTemplateDraft(documents, template, etag);
  const lock = useManagedLock("templates", [template.key, template.language]);
  const { isLocked } = lock;
  const { parts } = draft;
  const sent = documents.toData(draft.changes);
  const preview = useTemplatePreview(template.id, draft.stored, sent, requireRenderedDocument);
  const sampleFault = readSample(parts.sample) === undefined ? t("sampleFault") : undefined;
  useLeaveGuard(draft.isChanged, t("leave"));
  return (
    <>
      <TemplateHead
        template={template}
        name={template.title}
        isOwnName
        text={t("documentText", { key: template.key })}
        canDelete
        lock={lock}
      />
      <div className="grid items-start gap-6 xl:grid-cols-2 [&>*]:min-w-0">
        <form noValidate onSubmit={draft.saving.submit} className="grid gap-4 **:scroll-mb-24">
          {draft.outcome === "conflict" && <ForeignParts parts={draft.foreign} />}
          <PartField
            name="title"
            isLocked={isLocked}
            text={parts.title}
            fault={preview.faultAt("/data/title")}
            onChange={(title) => draft.set({ title })}
          />
          <LockedFields isLocked={isLocked}>
            <Select
              label={t("parts.format")}
              value={parts.format}
              options={formats.map((value) => ({ value, label: t(`formats.${value}`) }))}
              onChange={(format) => draft.set({ format })}
            />
          </LockedFields>
          <PartField
            name="source"
            isLocked={isLocked}
            text={parts.source}
            fault={preview.faultAt("/data/source")}
            onChange={(source) => draft.set({ source })}
          />
          <PartField
            name="sample"
            isLocked={isLocked}
            text={parts.sample}
            fault={sampleFault ?? preview.faultAt("/data/sample")}
            isOwnFault={sampleFault !== undefined}
            onChange={(sample) => draft.set({ sample })}
          />
          <TemplateActions draft={draft} />
        </form>
        <DocumentPreview preview={preview} />
      </div>
    </>
  );
}

interface DocumentPreviewProps {
  readonly preview: TemplatePreview<RenderedDocument>;
}

/** The document with its sample values: HTML in a frame, any other format as text. */
function DocumentPreview({ preview }: DocumentPreviewProps) {
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
