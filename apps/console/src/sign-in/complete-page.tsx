import { type ApiOperations, RowhouseError } from "@rowhouse/client";
import { useCallback, useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { dropFragment, fragmentParameter } from "../shell/fragment.ts";
import { homePath, pageAddress, trialPath } from "../shell/paths.ts";
import { startSession } from "../shell/session.ts";
import { continueAt } from "../shell/sign-in-address.ts";
import { linkClasses } from "../ui/classes.ts";
import { Notice } from "../ui/notice.tsx";
import { accountApi, tryCode } from "./account-api.ts";
import { AuthPage } from "./auth-page.tsx";
import { BackToSignIn } from "./back-to-sign-in.tsx";

const refusals = [
  "expired",
  "unknown_provider",
  "provider_failed",
  "canceled",
  "unverified",
  "not_allowed",
  "account_exists",
  "rate_limited",
  "unavailable",
] as const;

type Refusal = (typeof refusals)[number];

/** The page to which a provider's sign-in leads: it exchanges the code for a session, or says why there is none. */
export function CompletePage() {
  const t = useTranslations("complete");
  const [arrived] = useState(() => ({
    code: fragmentParameter("code"),
    linked: fragmentParameter("linked"),
    error: fragmentParameter("error"),
    returnTo: pageAddress(fragmentParameter("return_to")) ?? homePath,
  }));
  const [refusal, refuse] = useState<Refusal | undefined>(() => refusalIn(arrived));
  const refuseTrial = useCallback((error: unknown) => refuse(reasonOf(error)), []);
  useEffect(() => {
    const { code, returnTo } = arrived;
    if (returnTo === trialPath) return;
    // In development, React runs effects twice; the second run finds no code.
    if (code === null || fragmentParameter("code") === null) return;
    dropFragment();
    accountApi.exchange(code).then(
      (session) => {
        startSession(session, false);
        continueAt(returnTo);
      },
      (error: unknown) => refuse(reasonOf(error)),
    );
  }, [arrived]);
  if (refusal !== undefined) {
    return (
      <AuthPage
        title={t(refusal === "canceled" ? "canceledTitle" : "failed")}
        aside={<BackToSignIn />}
      >
        <Notice kind={refusal === "canceled" ? "info" : "danger"}>{t(refusal)}</Notice>
      </AuthPage>
    );
  }
  if (arrived.code !== null && arrived.returnTo === trialPath) {
    return <TrialResult code={arrived.code} onFailure={refuseTrial} />;
  }
  if (arrived.linked !== null) {
    return (
      <AuthPage title={t("linkedTitle")}>
        <Notice kind="ok">{t("linked")}</Notice>
        <a href={arrived.returnTo} className={linkClasses}>
          {t("continue")}
        </a>
      </AuthPage>
    );
  }
  return (
    <AuthPage title={t("title")}>
      <Notice kind="info">{t("waiting")}</Notice>
    </AuthPage>
  );
}

function refusalIn(arrived: {
  readonly code: string | null;
  readonly linked: string | null;
  readonly error: string | null;
}): Refusal | undefined {
  if (arrived.error !== null) return refusals.find((one) => one === arrived.error) ?? "unavailable";
  return arrived.code === null && arrived.linked === null ? "expired" : undefined;
}

function reasonOf(error: unknown): Refusal {
  if (!(error instanceof RowhouseError)) return "unavailable";
  if (error.status === 429) return "rate_limited";
  return error.status === 400 ? "expired" : "unavailable";
}

type Trial = ApiOperations["POST /auth/oauth/exchange"]["answer"]["data"]["user"];

/** Says whom a provider's sign-in would sign in. The session of this browser stays as it is. */
function TrialResult(props: {
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
