import { RowhouseError } from "@rowhouse/client";
import { type ReactNode, useMemo } from "react";
import { useTranslations } from "use-intl";
import { resourceOfReading } from "../../records/readings/reading-resource.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { classes } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { ViewContent } from "../layouts/view-content.tsx";
import type { ViewSource } from "../model/open-view.ts";
import { useViewAnswer } from "../model/use-view-answer.ts";
import type { ViewState } from "../model/view-state.ts";
import { ViewHeader } from "./view-header.tsx";
import { ViewToolbar } from "./view-toolbar.tsx";

interface OpenViewProps {
  readonly source: ViewSource;
  readonly state: ViewState;
  readonly onState: (change: Partial<ViewState>, isStep?: boolean) => void;
  readonly resources: readonly NavigationResource[];
  /** What stands in place of the page for an error that ends it; null for one that can be mended here. */
  readonly refused?: (error: unknown) => ReactNode;
}

/** A DataView with its heading, what can be chosen, and its rows. The builder shows the same. */
export function OpenView({ source, state, onState, resources, refused }: OpenViewProps) {
  const t = useTranslations("dataView");
  const words = useTranslations("grid");
  const describe = useFailureText();
  const { answer, error, query, isStale, reload } = useViewAnswer(source, state);
  const resource = useMemo(
    () =>
      answer === undefined
        ? undefined
        : resourceOfReading(answer.data, resources, source.isPreview),
    [answer, resources, source],
  );
  const end = error === null || answer !== undefined ? null : refused?.(error);
  if (end !== null && end !== undefined) return end;
  const isChosen =
    state.where !== undefined || state.search !== undefined || state.order_by !== undefined;
  const failure = error !== null && (
    <div className="border-line border-b p-2">
      <Notice kind="danger">
        <span className="mr-3">{describe(error)}</span>
        <button type="button" onClick={reload} className="min-h-6 font-medium underline">
          {words("retry")}
        </button>
      </Notice>
    </div>
  );
  if (answer === undefined || resource === undefined) {
    return (
      <div className="grid content-start gap-3 p-4">
        <h1 className="sr-only">{t("title")}</h1>
        {failure}
        {error === null ? (
          <Skeleton label={t("loading")} rows={8} />
        ) : (
          isChosen && (
            <div>
              <ToolButton
                onClick={() =>
                  onState({ where: undefined, search: undefined, order_by: undefined })
                }
              >
                {words("clearFilter")}
              </ToolButton>
            </div>
          )
        )}
      </div>
    );
  }
  const faults = error instanceof RowhouseError ? error.faults : [];
  return (
    <>
      <ViewHeader {...{ answer, source, query, state }} onReload={reload} />
      <ViewToolbar {...{ answer, resource, resources, state, onState, faults }} />
      {failure}
      {answer.data.presentation.degraded === true && (
        <div className="border-line border-b p-2">
          <Notice kind="info">{t("degraded")}</Notice>
        </div>
      )}
      <div
        aria-busy={isStale}
        className={classes("flex min-h-0 min-w-0 flex-1 flex-col", isStale && "opacity-60")}
      >
        <ViewContent {...{ answer, source, query, resources, state, onState }} />
      </div>
    </>
  );
}
