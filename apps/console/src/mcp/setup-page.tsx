import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { publicBase, settingsQuery } from "../shell/settings.ts";
import { useTask } from "../shell/use-task.ts";
import { useTitle } from "../shell/use-title.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Connect } from "./connect.tsx";
import { SwitchForm } from "./switch-form.tsx";
import { useSettingsChange } from "./use-settings-change.ts";

/** Switches the MCP server on, chooses what agents get, and connects the first one. */
export function SetupPage() {
  const t = useTranslations("mcp");
  const words = useTranslations("manage");
  const { data: settings, error, refetch } = useQuery(settingsQuery);
  useTitle(t("title"));
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (settings === undefined) return <Skeleton label={words("loading")} rows={8} />;
  const values = new Map<string, unknown>(settings.map(({ key, value }) => [key, value]));
  return (
    <>
      {values.get("mcp.enabled") === true ? (
        <Connect
          url={`${publicBase(values.get("system.public_url"))}/mcp`}
          hasOAuth={values.get("mcp.oauth") === true}
        />
      ) : (
        <SwitchOn />
      )}
      <Section title={t("opens")} text={t("opensText")}>
        <SwitchForm values={values} />
      </Section>
      <Section title={t("limits.title")}>
        <ul className="grid max-w-160 list-disc gap-1.5 pl-5 text-ink-2">
          {(["injection", "wayOut", "owner", "records"] as const).map((name) => (
            <li key={name}>{t(`limits.${name}`)}</li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function SwitchOn() {
  const t = useTranslations("mcp");
  const change = useSettingsChange();
  const task = useTask(() => change({ "mcp.enabled": true }), []);
  return (
    <EmptyState title={t("off")} text={t("offText")}>
      <Button kind="primary" isBusy={task.isBusy} onPress={task.run}>
        {t("switchOn")}
      </Button>
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
    </EmptyState>
  );
}
