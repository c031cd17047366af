import { useTranslations } from "use-intl";
import { linkClasses } from "../ui/link-classes.ts";

/** The way from every page of the area to the sign-in. */
export function BackToSignIn() {
  const t = useTranslations("signIn");
  return (
    <a href="/admin/auth/sign-in" className={linkClasses}>
      {t("back")}
    </a>
  );
}
