import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { useFailureText } from "../shell/failure-text.ts";
import { useLanguage } from "../shell/language-provider.tsx";
import { MailLanguageSelect } from "../shell/mail-language-select.tsx";
import { personQuery } from "../shell/navigation.ts";
import { firstWeekday, localeOf, regionsIn } from "../shell/time/locale.ts";
import { browserZone, timeText } from "../shell/time/time-text.ts";
import { TimeZoneField } from "../shell/time-zone-field.tsx";
import { useLeaveGuard } from "../shell/use-leave-guard.ts";
import { useTask } from "../shell/use-task.ts";
import { useTitle } from "../shell/use-title.ts";
import { chooseLanguage } from "../shell/words-store.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { panelClasses, Section } from "../ui/section.tsx";
import { SelectField } from "../ui/select.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TextField } from "../ui/text-field.tsx";
import { languages } from "../words/languages.ts";
import { accountQuery, type OwnAccount } from "./account-queries.ts";

/** Name, time zone and language of the person. */
export function ProfilePage() {
  const t = useTranslations("account");
  const describe = useFailureText();
  const { data, error } = useQuery(accountQuery);
  useTitle(t("tabs.profile"));
  return (
    <Section title={t("tabs.profile")} text={t("profileText")}>
      {error !== null && <Notice kind="danger">{describe(error)}</Notice>}
      {data === undefined && error === null && <Skeleton label={t("loading")} rows={4} />}
      {data !== undefined && <ProfileForm account={data} />}
    </Section>
  );
}

const known = Object.keys(languages) as (keyof typeof languages)[];

/** The form of the profile. A time zone is found by typing a part of its name. */
function ProfileForm({ account }: { readonly account: OwnAccount }) {
  const t = useTranslations("account");
  const words = useTranslations("manage");
  const cache = useQueryClient();
  const [name, setName] = useState(account.name);
  const [timeZone, setTimeZone] = useState(account.timeZone ?? "");
  const [language, setLanguage] = useState(account.language ?? "");
  const [region, setRegion] = useState(account.region ?? "");
  const [isSaved, setSaved] = useState(false);
  const task = useTask(async () => {
    setSaved(false);
    const body = {
      name,
      timeZone: timeZone.trim() === "" ? null : timeZone.trim(),
      language: language === "" ? null : language,
      region: region === "" ? null : region,
    };
    const { data } = await client.api.patch("/auth/me", { body });
    cache.setQueryData(accountQuery.queryKey, data);
    await cache.invalidateQueries({ queryKey: personQuery.queryKey });
    const chosen = known.find((one) => one === data.language);
    if (chosen !== undefined) await chooseLanguage(chosen);
    setSaved(true);
  }, ["/name", "/timeZone"]);
  const isChanged =
    name !== account.name ||
    timeZone !== (account.timeZone ?? "") ||
    language !== (account.language ?? "") ||
    region !== (account.region ?? "");
  useLeaveGuard(isChanged && !task.isBusy, words("leave"));
  const here = account.systemTimeZone ?? browserZone();
  const shown = useLanguage();
  const regions = useMemo(() => regionsIn(shown), [shown]);
  const isListed = region === "" || regions.some(({ value }) => value === region);
  return (
    <form noValidate onSubmit={task.submit} className={panelClasses}>
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
      <TextField
        label={t("name")}
        name="name"
        autoComplete="name"
        value={name}
        onChange={setName}
        fault={task.faultAt("/name") === undefined ? undefined : t("nameFault")}
      />
      <TimeZoneField
        label={t("timeZone")}
        value={timeZone}
        onChange={setTimeZone}
        hint={t("timeZoneHint", { zone: here })}
        fault={task.faultAt("/timeZone") === undefined ? undefined : t("timeZoneFault")}
      />
      <MailLanguageSelect
        label={t("language")}
        anyLabel={t("languageAny")}
        value={language}
        onChange={setLanguage}
        hint={t("languageHint")}
      />
      {/* The names of regions are texts of the browser. */}
      <div lang={localeOf(shown, null)}>
        <SelectField
          label={t("region")}
          value={region}
          options={[
            { value: "", label: t("regionAny") },
            ...(isListed ? [] : [{ value: region, label: region }]),
            ...regions,
          ]}
          onChange={setRegion}
          hint={t("regionHint", sampleOf(localeOf(shown, region === "" ? null : region)))}
        />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" kind="primary" isBusy={task.isBusy}>
          {t("save")}
        </Button>
        {isSaved && <Notice kind="ok">{t("saved")}</Notice>}
      </div>
    </form>
  );
}

/** 25 October 2026, a Sunday, at 14:31. */
const sampleMs = Date.UTC(2026, 9, 25, 14, 31);
const dayMs = 86_400_000;

/** Returns a date, a number and the first day of the week as a locale has them. */
function sampleOf(locale: string) {
  const inUtc = { timeZone: "UTC" } as const;
  const weekday = sampleMs + (firstWeekday(locale) % 7) * dayMs;
  return {
    moment: timeText(sampleMs, locale, { ...inUtc, dateStyle: "medium", timeStyle: "short" }),
    number: new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(1234.5),
    weekday: timeText(weekday, locale, { ...inUtc, weekday: "long" }),
  };
}
