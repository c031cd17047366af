import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { StartFilesDialog, StopFilesDialog } from "../grants/library/file-use-dialog.tsx";
import { client } from "../shell/client.ts";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { ManagedNotice, useManagedLock } from "../shell/managed.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { settingsQuery } from "../shell/settings.ts";
import { useLeaveGuard } from "../shell/use-leave-guard.ts";
import { useTask } from "../shell/use-task.ts";
import { useTitle } from "../shell/use-title.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { FileUseRow } from "./file-use-row.tsx";
import { SectionList } from "./section-list.tsx";
import { changeOf, groupsOf, type Setting, type SettingsDraft } from "./setting-draft.ts";
import { SettingGroup } from "./setting-group.tsx";
import { settingRolesQuery } from "./setting-queries.ts";
import { useSettingNames } from "./use-setting-names.ts";

const route = getRouteApi("/frame/admin/settings/");

/** Every setting by its group. Changes are collected and saved together. */
export function SettingsPage() {
  const t = useTranslations("settings");
  const words = useTranslations("manage");
  const cache = useQueryClient();
  const { titleOf, textOf } = useSettingNames();
  const { search = "", section } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: settings = [], error, isPending, refetch } = useQuery(settingsQuery);
  const { data: roles = [] } = useQuery(settingRolesQuery);
  const [draft, setDraft] = useState<SettingsDraft>({});
  /** Whether files shall be used, until that is done or canceled. */
  const [fileUse, setFileUse] = useState<boolean | undefined>();
  const [isSaved, setSaved] = useState(false);
  const lock = useManagedLock("settings", []);
  const changed = Object.keys(draft).length;
  const task = useTask(
    async () => {
      const { data } = await client.admin.patch("/settings", { data: changeOf(settings, draft) });
      cache.setQueryData(settingsQuery.queryKey, data);
      // What was chosen while it was sent is not saved yet.
      setDraft((last) =>
        Object.fromEntries(Object.entries(last).filter(([key, value]) => value !== draft[key])),
      );
      setSaved(true);
    },
    settings.map(({ key }) => `/data/${key}`),
  );
  useTitle(t("title"));
  useLeaveGuard(changed > 0, t("leave"));
  const shown = settings.filter((setting) =>
    matches(`${titleOf(setting)} ${textOf(setting)} ${setting.key} ${setting.description}`, search),
  );
  const groups = groupsOf(shown);
  useEffect(() => {
    if (isPending || section === undefined) return undefined;
    // After the router has restored the place of the page.
    const frame = requestAnimationFrame(() =>
      document.getElementById(`settings-${section}`)?.scrollIntoView({ block: "start" }),
    );
    return () => cancelAnimationFrame(frame);
  }, [section, isPending]);
  const choose = (next: string) =>
    void navigate({
      search: (last) => ({ ...last, section: next }),
      replace: true,
      resetScroll: false,
    });
  const onChange = ({ key }: Setting, text: string | null) => {
    setSaved(false);
    setDraft((last) => ({ ...last, [key]: text }));
  };
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton label={words("loading")} rows={8} />;
  // What has the focus stays above the bar at the end.
  const closeFileUse = () => setFileUse(undefined);
  return (
    <>
      <ManagedNotice lock={lock} />
      <form noValidate onSubmit={task.submit} className="grid gap-5 **:scroll-mb-24">
        <SearchField
          label={t("find")}
          placeholder={t("find")}
          value={search}
          onChange={(text) =>
            void navigate({ search: { search: text, section: undefined }, replace: true })
          }
        />
        {shown.length === 0 && <EmptyState title={words("nothingFound")} />}
        <div className="grid items-start gap-5 lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-8">
          {groups.size > 1 && (
            <SectionList
              groups={[...groups.keys()]}
              chosen={section}
              hrefOf={(group) =>
                `/admin/settings?${new URLSearchParams({ search, section: group })}`
              }
              onChoose={choose}
            />
          )}
          <div className="grid min-w-0 gap-6 lg:col-start-2">
            {[...groups].map(([group, own]) => (
              <SettingGroup
                key={group}
                {...{ group, settings: own, all: settings, roles, draft, onChange }}
                isLocked={lock.isLocked}
                faultAt={task.faultAt}
              >
                {group === "files" && <FileUseRow onAsk={setFileUse} />}
              </SettingGroup>
            ))}
          </div>
        </div>
        <div className="sticky bottom-0 flex flex-wrap items-center gap-3 bg-canvas not-empty:border-line not-empty:border-t not-empty:py-3">
          {changed > 0 && (
            <>
              <Button type="submit" kind="primary" isBusy={task.isBusy}>
                {words("save")}
              </Button>
              <Button onPress={() => setDraft({})}>{t("discard")}</Button>
              <span className="text-ink-2">{t("changes", { count: changed })}</span>
            </>
          )}
          {isSaved && <Notice kind="ok">{words("saved")}</Notice>}
          {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
        </div>
      </form>
      {fileUse === true && <StartFilesDialog onClose={closeFileUse} />}
      {fileUse === false && <StopFilesDialog onClose={closeFileUse} />}
    </>
  );
}

function matches(text: string, search: string): boolean {
  const known = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => known.includes(word));
}
