import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { RecordPage } from "../../shell/record-page.tsx";
import { TemplateEditor } from "./template-editor.tsx";
import { templateQuery } from "./template-queries.ts";

const route = getRouteApi("/frame/admin/settings/templates/$id");

/** A mail in one language. */
export function TemplatePage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(templateQuery(id));
  return (
    <RecordPage record={data} error={error} onRetry={() => void refetch()}>
      {(answer) => (
        <TemplateEditor key={answer.data.id} template={answer.data} etag={answer.etag} />
      )}
    </RecordPage>
  );
}
