import { createRootRoute, createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { authorizationPath } from "./shell/authorization-query.ts";
import { homePath } from "./shell/home-path.ts";
import { MessagePage } from "./shell/message-page.tsx";
import { MissingPage } from "./shell/missing-page.tsx";
import { pageAddress } from "./shell/return-to.ts";
import { currentSession } from "./shell/session.ts";

/** Every address is below it. */
export const root = createRootRoute({
  notFoundComponent: () => <MissingPage />,
  errorComponent: FailurePage,
});

const done = ["reset", "verified"] as const;

interface SignInSearch {
  readonly return_to?: string | undefined;
  readonly done?: (typeof done)[number] | undefined;
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/admin/auth/sign-in",
  // Every parameter is in the result: the router adds it to the unchecked ones, and a missing one would stay unchecked.
  validateSearch: (search: Record<string, unknown>): SignInSearch => ({
    return_to: pageAddress(search.return_to),
    done: done.find((one) => one === search.done),
  }),
  beforeLoad: ({ search }) => {
    if (currentSession() !== null) throw redirect({ href: search.return_to ?? homePath });
  },
  component: lazyRouteComponent(() => import("./sign-in/sign-in-page.tsx"), "SignInPage"),
});

const register = createRoute({
  getParentRoute: () => root,
  path: "/admin/auth/register",
  component: lazyRouteComponent(() => import("./sign-in/register-page.tsx"), "RegisterPage"),
});

const forgot = createRoute({
  getParentRoute: () => root,
  path: "/admin/auth/forgot",
  component: lazyRouteComponent(() => import("./sign-in/forgot-page.tsx"), "ForgotPage"),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: "/admin/auth/reset",
  component: lazyRouteComponent(() => import("./sign-in/reset-page.tsx"), "ResetPage"),
});

const verify = createRoute({
  getParentRoute: () => root,
  path: "/admin/auth/verify",
  component: lazyRouteComponent(() => import("./sign-in/verify-page.tsx"), "VerifyPage"),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: "/admin/auth/invitation",
  component: lazyRouteComponent(() => import("./sign-in/invitation-page.tsx"), "InvitationPage"),
});

const complete = createRoute({
  getParentRoute: () => root,
  path: "/admin/auth/complete",
  component: lazyRouteComponent(() => import("./sign-in/complete-page.tsx"), "CompletePage"),
});

const authorize = createRoute({
  getParentRoute: () => root,
  path: authorizationPath,
  validateSearch: ({ request }: Record<string, unknown>): { readonly request: string } => ({
    request: typeof request === "string" ? request : "",
  }),
  beforeLoad: ({ location }) => {
    if (currentSession() !== null) return;
    throw redirect({ to: "/admin/auth/sign-in", search: { return_to: location.href } });
  },
  component: lazyRouteComponent(() => import("./sign-in/authorize-page.tsx"), "AuthorizePage"),
});

/** The addresses that need no session: the sign-in, and the links of mails; and the question of a program for access. */
export const openRoutes = [
  signIn,
  register,
  forgot,
  reset,
  verify,
  invitation,
  complete,
  authorize,
] as const;

/** Shown instead of a page whose code failed. */
function FailurePage() {
  const t = useTranslations("failure");
  return (
    <MessagePage title={t("title")} text={t("text")}>
      <button
        type="button"
        className="text-accent underline underline-offset-2"
        onClick={() => location.reload()}
      >
        {t("reload")}
      </button>
    </MessagePage>
  );
}
