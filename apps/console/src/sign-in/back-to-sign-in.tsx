import { useTranslations } from "use-intl";
import { linkClasses } from "../ui/classes.ts";
import { AuthPage } from "./auth-page.tsx";

/** The way from every page of the area to the sign-in. */
export function BackToSignIn() {
  const t = useTranslations("signIn");
  return (
    <a href="/admin/auth/sign-in" className={linkClasses}>
      {t("back")}
    </a>
  );
}

/** Shown for a link that was used, has expired, or lost its secret by a reload; with the way to a new one. */
export function LinkFailure({ kind }: { readonly kind: "reset" | "verify" | "invitation" }) {
  const t = useTranslations("linkFailure");
  return (
    <AuthPage title={t("title")} text={t(kind)} aside={<BackToSignIn />}>
      {kind === "reset" && (
        <a href="/admin/auth/forgot" className={linkClasses}>
          {t("again")}
        </a>
      )}
    </AuthPage>
  );
}
