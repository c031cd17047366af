import { useState } from "react";
import { useTranslations } from "use-intl";
import { CopyText } from "../../shell/copy-text.tsx";
import { curlCommand } from "../../shell/curl-command.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { PinButton } from "../../shell/pin-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { RefreshCw } from "../../ui/icons.generated.ts";
import type { ViewAnswer, ViewQuery, ViewSource } from "../model/open-view.ts";
import type { ViewState } from "../model/view-state.ts";
import { DownloadButton } from "./download-button.tsx";
import { requestPath } from "./own-request.ts";

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
          <CopyText
            label={words("copyCurl")}
            text={() => curlCommand(requestPath(id, query, state))}
          />
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
