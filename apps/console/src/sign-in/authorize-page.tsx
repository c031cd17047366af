import { RowhouseError } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { useFailureText } from "../shell/failure-text.ts";
import { homePath } from "../shell/paths.ts";
import { useRenewal } from "../shell/renewal.ts";
import type { Session } from "../shell/session.ts";
import { useReturnToSignIn, useSession } from "../shell/use-session.ts";
import { linkClasses } from "../ui/classes.ts";
import { Notice } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AuthPage } from "./auth-page.tsx";
import {
  type AuthorizationRequest,
  leaveFor,
  previewAuthorization,
  readAuthorizationRequest,
} from "./authorization.ts";
import { ConsentForm } from "./consent-form.tsx";

const RenewalDialog = lazy(async () => ({
  default: (await import("../shell/renewal-dialog.tsx")).RenewalDialog,
}));

/** Asks the person of the session whether a program may act in their name, as OAuth 2.1 has it. */
export function AuthorizePage() {
  const session = useSession();
  const { request } = useSearch({ from: "/admin/auth/authorize" });
  const isRenewing = useRenewal();
  useReturnToSignIn(session);
  const read = useMemo(() => readAuthorizationRequest(request), [request]);
  if (session === null) return null;
  return (
    <>
      {read === undefined ? (
        <AuthorizationFailure />
      ) : (
        <Authorization key={session.user.id} session={session} request={read} />
      )}
      <Suspense>{isRenewing && <RenewalDialog session={session} />}</Suspense>
    </>
  );
}

function Authorization(props: {
  readonly session: Session;
  readonly request: AuthorizationRequest;
}) {
  const { session, request } = props;
  const t = useTranslations("consent");
  const [leaving, leave] = useState<string>();
  const { data, error } = useQuery({
    queryKey: ["authorization", session.user.id, request],
    queryFn: ({ signal }) => previewAuthorization(request, signal),
    gcTime: 0,
    // What the person reads stays until they answer; the service checks the answer again.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const address = data?.kind === "REFUSED" ? data.redirectTo : leaving;
  useEffect(() => {
    if (address !== undefined) leaveFor(address);
  }, [address]);
  if (error !== null) return <AuthorizationFailure error={error} />;
  if (address !== undefined) return <LeavingPage address={address} />;
  if (data?.kind === "CONSENT") {
    return <ConsentForm request={request} consent={data} onAnswered={leave} />;
  }
  return (
    <AuthPage title={t("title")} isWide>
      <Skeleton label={t("loading")} rows={6} />
    </AuthPage>
  );
}

/** Shown while the browser opens the program, which may take over without closing the page. */
function LeavingPage({ address }: { readonly address: string }) {
  const t = useTranslations("consent");
  return (
    <AuthPage title={t("leaving")} text={t("leavingText")} isWide>
      <a href={address} rel="noreferrer" className={`${linkClasses} justify-self-start`}>
        {t("open")}
      </a>
    </AuthPage>
  );
}

/**
 * Says why a request for access is refused. There is no way back to the program: an address that is not proven to be
 * the program's could be anybody's.
 *
 * @param props.error of the service; none for a request that names a parameter twice
 */
function AuthorizationFailure({ error }: { readonly error?: unknown }) {
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
