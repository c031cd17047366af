import { useTranslations } from "use-intl";
import { Snippet } from "../shell/snippet.tsx";
import { useTitle } from "../shell/use-title.ts";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Section } from "../ui/section.tsx";

const command = "DATABASE_URL=postgres://user:password@host:5432/database npm start";

/** How to run the service over a database that exists. */
export function ConnectPage() {
  const t = useTranslations("connect");
  useTitle(t("title"));
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")} />
      <Section title={t("start")} text={t("startText")}>
        <Snippet title={t("command")} text={command} heading="h3" />
      </Section>
      <p className="max-w-140 text-ink-2">{t("after")}</p>
    </div>
  );
}
