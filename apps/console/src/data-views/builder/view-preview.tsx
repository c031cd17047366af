import { splitTerms } from "@rowhouse/access/written-name";
import { type AdminOperations, writeJson } from "@rowhouse/client";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { SeenAsField } from "../../records/saved/reading-fields.tsx";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import type { SeenAs } from "../../shell/seen-as.ts";
import { useDelayed } from "../../shell/use-delayed.ts";
import { classes } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ViewContent } from "../layouts/view-content.tsx";
import {
  useViewAnswer,
  type ViewAnswer,
  type ViewQuery,
  type ViewSource,
} from "../model/open-view.ts";
import { emptyState, type ViewState } from "../model/view-state.ts";
import { faultsOfView, isPlaced } from "./use-builder.ts";
import { bodyOf, type ViewDraft } from "./view-draft.ts";

/** Milliseconds without a change until the preview is read again. */
const delayMs = 400;

interface ViewPreviewProps {
  /** Undefined until it has a resource, and while it has faults of its own. */
  readonly draft: ViewDraft | undefined;
  readonly hasResource: boolean;
  readonly resources: readonly NavigationResource[];
  readonly as: SeenAs | undefined;
  readonly onAs: (as: SeenAs | undefined) => void;
  /** The failure of the last reading; null after one that succeeded. */
  readonly onError: (error: unknown) => void;
}

/** What the readers of a draft see, as oneself, as a person or as somebody with a role. Nothing is saved. */
export function ViewPreview(props: ViewPreviewProps) {
  const { draft, as, onAs } = props;
  const t = useTranslations("viewBuilder");
  return (
    <section
      aria-label={t("preview")}
      className="grid min-w-0 content-start gap-3 lg:sticky lg:top-4"
    >
      <SeenAsField as={as} onChange={onAs} />
      {!props.hasResource && <EmptyState title={t("empty")} />}
      {props.hasResource && draft === undefined && <Notice kind="info">{t("invalid")}</Notice>}
      {draft !== undefined && <Rows {...props} draft={draft} />}
    </section>
  );
}

interface Shown {
  readonly answer: ViewAnswer;
  readonly source: ViewSource;
  readonly query: ViewQuery;
}

function Rows(props: ViewPreviewProps & { readonly draft: ViewDraft }) {
  const { draft, resources, as, onError } = props;
  const t = useTranslations("viewBuilder");
  const words = useTranslations("manage");
  const describe = useFailureText();
  const [state, setState] = useState<ViewState>(emptyState);
  const unnamed = t("newTitle");
  const body = bodyOf(draft);
  // The preview does not wait for a name.
  const text = useDelayed(JSON.stringify({ ...body, name: body.name || unnamed }), delayMs);
  const source = useMemo(
    () => previewSource(JSON.parse(text), as === undefined ? undefined : bodyOfCaller(as)),
    [text, as],
  );
  const { answer, error, query, isStale } = useViewAnswer(source, state);
  const last = useRef<Shown>(undefined);
  if (answer !== undefined && !isStale) last.current = { answer, source, query };
  useEffect(() => onError(error), [error, onError]);
  useEffect(() => () => onError(null), [onError]);
  const faults = faultsOfView(error, "/data/view");
  const isShownElsewhere = faults.length > 0 && faults.every(isPlaced);
  const shown = last.current;
  return (
    <>
      {error !== null && (
        <Notice kind={isShownElsewhere ? "info" : "danger"}>
          {isShownElsewhere ? t("invalid") : describe(error)}
        </Notice>
      )}
      {shown === undefined && error === null && <Skeleton label={words("loading")} rows={8} />}
      {shown !== undefined && (
        <div
          aria-busy={isStale}
          className={classes(
            "flex h-[70dvh] min-w-0 flex-col overflow-hidden rounded-panel border border-line bg-canvas",
            (isStale || error !== null) && "opacity-60",
          )}
        >
          <ViewContent
            // Another layout begins anew.
            key={shown.answer.data.presentation.layout}
            {...shown}
            {...{ resources, state }}
            onState={(change) => setState((now) => ({ ...now, ...change }))}
          />
        </div>
      )}
    </>
  );
}

function bodyOfCaller(as: SeenAs) {
  return "userId" in as ? { userId: as.userId } : { roleIds: [...as.roleIds] };
}

type Preview = AdminOperations["POST /data-views/preview"]["data"];

/** Reads a DataView that is not saved: as the administrator, or as somebody else. */
function previewSource(view: Preview["view"], as: Preview["as"]): ViewSource {
  return {
    key: `preview ${writeJson({ view, as })}`,
    isPreview: true,
    read: (query, signal) =>
      client.admin.post("/data-views/preview", {
        data: { view, ...(as === undefined ? {} : { as }), query: queryBody(query) },
        signal,
      }),
  };
}

function queryBody({
  order_by: order,
  fields,
  where,
  ...query
}: ViewQuery): NonNullable<Preview["query"]> {
  return {
    ...query,
    ...(where === undefined ? {} : { where: { ...where } }),
    ...(order === undefined ? {} : { orderBy: splitTerms(order) }),
    ...(fields === undefined ? {} : { fields: splitTerms(fields) }),
  };
}
