import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useFailureText } from "../shell/failure-text.ts";
import { useTitle } from "../shell/use-title.ts";
import { Notice } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { accountQuery } from "./account-queries.ts";
import { ProfileForm } from "./profile-form.tsx";

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
