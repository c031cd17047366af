import { useTranslations } from "use-intl";
import { linkClasses } from "../ui/link-classes.ts";
import { AuthPage } from "./auth-page.tsx";
import { BackToSignIn } from "./back-to-sign-in.tsx";

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
