import type { ApiOperations } from "@rowhouse/client";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { dropFragment, fragmentParameter } from "../shell/fragment.ts";
import { linkClasses } from "../ui/link-classes.ts";
import { Notice } from "../ui/notice.tsx";
import { tryCode } from "./account-api.ts";
import { AuthPage } from "./auth-page.tsx";

type Trial = ApiOperations["POST /auth/oauth/exchange"]["answer"]["data"]["user"];

/** Says whom a provider's sign-in would sign in. The session of this browser stays as it is. */
export function TrialResult(props: {
  readonly code: string;
  readonly onFailure: (error: unknown) => void;
}) {
  const t = useTranslations("trial");
  const [user, setUser] = useState<Trial>();
  const { code, onFailure } = props;
  useEffect(() => {
    // In development, React runs effects twice; the second run finds no code.
    if (fragmentParameter("code") === null) return;
    dropFragment();
    tryCode(code).then(setUser, onFailure);
  }, [code, onFailure]);
  if (user === undefined) {
    return (
      <AuthPage title={t("title")}>
        <Notice kind="info">{t("waiting")}</Notice>
      </AuthPage>
    );
  }
  return (
    <AuthPage title={t("works")}>
      <Notice kind="ok">{t("user", { name: user.name, email: user.email })}</Notice>
      <p className="text-ink-2">{t("ended")}</p>
      <a href="/admin/people/providers" className={linkClasses}>
        {t("back")}
      </a>
    </AuthPage>
  );
}
