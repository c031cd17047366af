import { RowhouseError } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { useFailureText } from "../shell/failure-text.ts";
import { homePath } from "../shell/home-path.ts";
import { linkClasses } from "../ui/link-classes.ts";
import { Notice } from "../ui/notice.tsx";
import { AuthPage } from "./auth-page.tsx";

/**
 * Says why a request for access is refused. There is no way back to the program: an address that is not proven to be
 * the program's could be anybody's.
 *
 * @param props.error of the service; none for a request that names a parameter twice
 */
export function AuthorizationFailure({ error }: { readonly error?: unknown }) {
  const t = useTranslations("consent");
  const describe = useFailureText();
  const reason = () => {
    if (error === undefined) return t("twice");
    if (!(error instanceof RowhouseError)) return describe(error);
    if (error.code === "NOT_FOUND") return t("off");
    if (error.code === "ACTION_DENIED") return t("mayNot");
    return error.status < 500 ? (error.faults[0]?.message ?? error.message) : describe(error);
  };
  return (
    <AuthPage title={t("failed")} isWide>
      <Notice kind="danger">
        <bdi>{reason()}</bdi>
      </Notice>
      <p className="text-ink-2">{t("failedText")}</p>
      <a href={homePath} className={`${linkClasses} justify-self-start`}>
        {t("workspace")}
      </a>
    </AuthPage>
  );
}
