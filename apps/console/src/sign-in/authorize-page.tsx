import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { useRenewal } from "../shell/renewal.ts";
import type { Session } from "../shell/session.ts";
import { useReturnToSignIn } from "../shell/use-return-to-sign-in.ts";
import { useSession } from "../shell/use-session.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { AuthPage } from "./auth-page.tsx";
import {
  type AuthorizationRequest,
  leaveFor,
  previewAuthorization,
  readAuthorizationRequest,
} from "./authorization.ts";
import { AuthorizationFailure } from "./authorization-failure.tsx";
import { ConsentForm } from "./consent-form.tsx";
import { LeavingPage } from "./leaving-page.tsx";

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
