import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { RecordPage } from "../../shell/record-page.tsx";
import { DocumentEditor } from "./document-editor.tsx";
import { TemplateEditor } from "./template-editor.tsx";
import { templateQuery } from "./template-queries.ts";

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
