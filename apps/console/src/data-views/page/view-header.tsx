import { writeJson } from "@rowhouse/client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { CopyCurl } from "../../shell/copy-text.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { PinButton } from "../../shell/pin-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Download, RefreshCw } from "../../ui/icons.generated.ts";
import { fileName, saveFile } from "../../ui/save-file.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { ViewAnswer, ViewQuery, ViewSource } from "../model/open-view.ts";
import type { ViewState } from "../model/view-state.ts";

/** The name of the DataView, and what can be done with all of its rows. */
export function ViewHeader(props: {
  readonly answer: ViewAnswer;
  readonly source: ViewSource;
  readonly query: ViewQuery;
  readonly state: ViewState;
  readonly onReload: () => void;
}) {
  const { answer, source, query, state } = props;
  const t = useTranslations("dataView");
  const words = useTranslations("grid");
  const [error, setError] = useState<unknown>();
  const { id, name, description } = answer.data;
  return (
    <header className="flex min-h-11 items-center gap-2 border-line border-b px-3.5 py-2">
      <h1 className="min-w-0 truncate text-4 font-semibold" dir="auto" title={name}>
        {name}
      </h1>
      {description !== "" && (
        <p
          dir="auto"
          className="min-w-0 flex-1 truncate text-ink-2 max-md:hidden"
          title={description}
        >
          {description}
        </p>
      )}
      <span className="flex-1" />
      {!source.isPreview && <PinButton entry={{ kind: "dataView", id }} name={name} />}
      <IconButton label={words("refresh")} icon={RefreshCw} onPress={props.onReload} />
      {!source.isPreview && (
        <>
          <CopyCurl path={() => requestPath(id, query, state)} />
          <DownloadButton {...{ id, name, query, state }} onError={setError} />
        </>
      )}
      {error !== undefined && (
        <Dialog
          title={t("downloadFailed")}
          closeLabel={words("close")}
          onClose={() => setError(undefined)}
        >
          <FailureNotice error={error} onRetry={() => setError(undefined)} />
        </Dialog>
      )}
    </header>
  );
}

/** Saves the rows as a file of CSV, as the person has chosen and ordered them. */
function DownloadButton(props: {
  readonly id: string;
  readonly name: string;
  readonly query: ViewQuery;
  readonly state: ViewState;
  readonly onError: (error: unknown) => void;
}) {
  const t = useTranslations("dataView");
  const [isRunning, setRunning] = useState(false);
  const { id, name, query, state, onError } = props;
  const save = async (): Promise<void> => {
    setRunning(true);
    try {
      const content = await client.app.download("/data-views/{id}", {
        path: { id },
        query: rowParameters(query, state),
        accept: "text/csv",
      });
      saveFile(content, fileName(name, "csv"));
    } catch (error) {
      onError(error);
    } finally {
      setRunning(false);
    }
  };
  return (
    <ToolButton
      disabled={isRunning}
      aria-busy={isRunning}
      aria-label={t("csv")}
      onClick={() => void save()}
    >
      <Download size={15} aria-hidden="true" />
      <span className="max-sm:hidden">{t("csv")}</span>
    </ToolButton>
  );
}

/** The parameters of all rows that the person sees: as they are chosen, without pages. */
function rowParameters(
  { where, search, order_by: order }: ViewQuery,
  { fields }: Pick<ViewState, "fields">,
) {
  return parametersOf({
    ...(where === undefined ? {} : { where }),
    ...(search === undefined ? {} : { search }),
    ...(order === undefined ? {} : { order_by: order }),
    ...(fields === undefined ? {} : { fields }),
  });
}

/** Returns the path of the request of a DataView, with its query. */
function requestPath(id: string, query: ViewQuery, state: ViewState): string {
  const parameters = new URLSearchParams(
    Object.entries(rowParameters(query, state)).map(([name, value]) => [name, String(value)]),
  );
  const text = parameters.toString();
  return `/app/api/data-views/${encodeURIComponent(id)}${text === "" ? "" : `?${text}`}`;
}

/** Reads a DataView as the person of the session. */
export function appSource(id: string): ViewSource {
  return {
    key: id,
    isPreview: false,
    read: (query, signal) =>
      client.app.get("/data-views/{id}", {
        path: { id },
        query: parametersOf(query),
        ...{ etags: true, signal },
      }),
  };
}

/** Returns the parameters of a reading, without those that are not chosen. */
function parametersOf({ where, group, summaries, ...query }: ViewQuery) {
  return {
    ...query,
    ...(where === undefined ? {} : { where: writeJson(where) }),
    ...(group === undefined ? {} : { group: writeJson(group) }),
    ...(summaries === true ? { summaries: "true" as const } : {}),
  };
}
