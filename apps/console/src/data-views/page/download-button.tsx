import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { Download } from "../../ui/icons.generated.ts";
import { fileName, saveFile } from "../../ui/save-file.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { ViewQuery } from "../model/open-view.ts";
import type { ViewState } from "../model/view-state.ts";
import { rowParameters } from "./own-request.ts";

/** Saves the rows as a file of CSV, as the person has chosen and ordered them. */
export function DownloadButton(props: {
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
