import { useTranslations } from "use-intl";
import { linkClasses } from "../ui/link-classes.ts";
import { AuthPage } from "./auth-page.tsx";

/** Shown while the browser opens the program, which may take over without closing the page. */
export function LeavingPage({ address }: { readonly address: string }) {
  const t = useTranslations("consent");
  return (
    <AuthPage title={t("leaving")} text={t("leavingText")} isWide>
      <a href={address} rel="noreferrer" className={`${linkClasses} justify-self-start`}>
        {t("open")}
      </a>
    </AuthPage>
  );
}
