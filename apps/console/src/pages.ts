import type { ComponentType } from "react";
import { homePath } from "./shell/paths.ts";
import { currentSession } from "./shell/session.ts";
import { readSignInAddress, signInAddress, signInPath } from "./shell/sign-in-address.ts";
import { SignInPage } from "./sign-in/sign-in-page.tsx";

type PageLoader = () => Promise<ComponentType>;

/** The pages that need no session: the sign-in, and the links of mails. */
const openPages: Readonly<Record<string, PageLoader>> = {
  [signInPath]: async () => SignInPage,
  "/admin/auth/register": async () => (await import("./sign-in/register-page.tsx")).RegisterPage,
  "/admin/auth/forgot": async () => (await import("./sign-in/forgot-page.tsx")).ForgotPage,
  "/admin/auth/reset": async () => (await import("./sign-in/reset-page.tsx")).ResetPage,
  "/admin/auth/verify": async () => (await import("./sign-in/verify-page.tsx")).VerifyPage,
  "/admin/auth/invitation": async () =>
    (await import("./sign-in/invitation-page.tsx")).InvitationPage,
  "/admin/auth/complete": async () => (await import("./sign-in/complete-page.tsx")).CompletePage,
};

/**
 * Loads the page of the present address, and nothing of the others. Without a session, the sign-in stands for every page
 * that needs one.
 */
export async function loadPage(): Promise<ComponentType> {
  const { pathname, search } = window.location;
  const isSignedIn = currentSession() !== null;
  const isSignIn = pathname === signInPath;
  if (isSignIn && isSignedIn) {
    history.replaceState(null, "", readSignInAddress(search).returnTo ?? homePath);
  }
  const open = isSignIn && isSignedIn ? undefined : openPages[pathname];
  if (open !== undefined) return open();
  if (isSignedIn) return (await import("./routed-pages.tsx")).RoutedPages;
  history.replaceState(null, "", signInAddress({ returnTo: `${pathname}${search}` }));
  return loadPage();
}
