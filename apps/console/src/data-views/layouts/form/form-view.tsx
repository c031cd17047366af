import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { Row } from "../../../records/model/resource.ts";
import type { Presentation } from "../../../records/readings/presentation.ts";
import type { NavigationResource } from "../../../shell/navigation.ts";
import { Notice } from "../../../ui/notice.tsx";
import type { ViewAnswer, ViewQuery, ViewSource } from "../../model/open-view.ts";
import { FormLayout } from "./form-layout.tsx";

interface FormViewProps {
  readonly answer: ViewAnswer;
  readonly source: ViewSource;
  /** The query of the answer. */
  readonly query: ViewQuery;
  readonly resources: readonly NavigationResource[];
  readonly presentation: Extract<Presentation, { readonly layout: "form" }>;
}

/** The rows behind the first page, which belong to one answer. */
interface MoreRows {
  readonly answer: ViewAnswer;
  readonly rows: readonly Row[];
  readonly cursor: string | null;
}

/** A DataView as a form over its resource. */
export function FormView({ answer, source, query, resources, presentation }: FormViewProps) {
  const t = useTranslations("viewForm");
  const queries = useQueryClient();
  const [loaded, setLoaded] = useState<MoreRows>();
  const resource = resources.find(({ id }) => id === answer.data.resource.id);
  if (resource === undefined) {
    return (
      <div className="p-4">
        <Notice kind="info">{t("notAllowed")}</Notice>
      </div>
    );
  }
  const more = loaded?.answer === answer ? loaded : undefined;
  const cursor = more === undefined ? (answer.meta?.nextCursor ?? null) : more.cursor;
  const loadMore = async () => {
    if (cursor === null) return;
    const next = await source.read({ ...query, cursor }, new AbortController().signal);
    const rows = [...(more?.rows ?? []), ...next.data.rows];
    setLoaded({ answer, rows, cursor: next.meta?.nextCursor ?? null });
  };
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <FormLayout
        {...{ resource, resources }}
        use={presentation.use}
        sections={presentation.sections}
        presets={answer.data.presets ?? { create: [], update: [] }}
        rows={[...answer.data.rows, ...(more?.rows ?? [])]}
        onMore={cursor === null ? null : () => void loadMore()}
        isPreview={source.isPreview}
        onWritten={() => void queries.invalidateQueries({ queryKey: ["data view", source.key] })}
      />
    </div>
  );
}
