import { Check, Copy, Printer, RefreshCw } from "lucide-react";
import { useTranslations } from "use-intl";
import { PinButton } from "../../shell/pin-button.tsx";
import { classes } from "../../ui/classes.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useCopied } from "../../ui/use-copied.ts";
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
  const { isCopied, copy } = useCopied();
  const { name, description } = dashboard;
  const Icon = isCopied ? Check : Copy;
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
        <ToolButton
          kind="bare"
          className="max-md:hidden"
          onClick={() => copy(curlCommand(dashboard.id, parameters))}
        >
          <Icon size={14} aria-hidden="true" />
          {t("copyCurl")}
          <span role="status" className="sr-only">
            {isCopied ? t("copied") : ""}
          </span>
        </ToolButton>
      </div>
    </PageHead>
  );
}

/** The request of the page. The session stays out of it: other programs read the clipboard. */
function curlCommand(id: string, parameters: ParameterValues | undefined): string {
  const query =
    parameters === undefined
      ? ""
      : `?${new URLSearchParams({ parameters: JSON.stringify(parameters) })}`;
  const url = `${location.origin}/app/api/dashboards/${id}${query}`.replaceAll("'", "'\\''");
  return `curl '${url}' -H "Authorization: Bearer $TOKEN"`;
}
