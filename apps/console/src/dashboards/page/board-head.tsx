import { useTranslations } from "use-intl";
import { CopyText } from "../../shell/copy-text.tsx";
import { curlCommand } from "../../shell/curl-command.ts";
import { PinButton } from "../../shell/pin-button.tsx";
import { classes } from "../../ui/classes.ts";
import { Printer, RefreshCw } from "../../ui/icons.generated.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { OpenDashboard, ParameterValues } from "../model/open-dashboard.ts";

interface BoardHeadProps {
  readonly dashboard: OpenDashboard;
  readonly parameters: ParameterValues | undefined;
  readonly isBusy: boolean;
  readonly onRefresh: () => void;
}

/** The name of a dashboard, and what can be done with all of it. */
export function BoardHead({ dashboard, parameters, isBusy, onRefresh }: BoardHeadProps) {
  const t = useTranslations("dashboards");
  const { name, description } = dashboard;
  return (
    <PageHead
      title={<bdi>{name}</bdi>}
      {...(description === "" ? {} : { text: <bdi className="wrap-anywhere">{description}</bdi> })}
    >
      <div className="flex flex-wrap gap-2 print:hidden">
        <PinButton entry={{ kind: "dashboard", id: dashboard.id }} name={name} />
        <ToolButton onClick={onRefresh} aria-disabled={isBusy}>
          <RefreshCw
            size={14}
            aria-hidden="true"
            className={classes(isBusy && "motion-safe:animate-spin")}
          />
          {t("refresh")}
        </ToolButton>
        <ToolButton onClick={() => window.print()}>
          <Printer size={14} aria-hidden="true" />
          {t("print")}
        </ToolButton>
        <CopyText
          label={t("copyCurl")}
          text={() => curlCommand(requestPath(dashboard.id, parameters))}
        />
      </div>
    </PageHead>
  );
}

function requestPath(id: string, parameters: ParameterValues | undefined): string {
  const query =
    parameters === undefined
      ? ""
      : `?${new URLSearchParams({ parameters: JSON.stringify(parameters) })}`;
  return `/app/api/dashboards/${id}${query}`;
}
