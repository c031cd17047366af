import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
} from "@tanstack/react-router";
import { authorizationPath } from "./shell/authorization-query.ts";
import { FailurePage, MissingPage } from "./shell/message-page.tsx";
import { homePath, pageAddress } from "./shell/paths.ts";
import { currentSession } from "./shell/session.ts";

/** A page by the name of its component; its file is loaded when it is first opened. */
type PageFile<Name extends string> = {
  readonly [Each in Name]: () => Promise<{ readonly [Same in NoInfer<Each>]: () => void }>;
};

function lazyPage<Name extends string>(files: PageFile<Name>): RouteComponent {
  const [[name, file]] = Object.entries(files) as [[Name, PageFile<Name>[Name]]];
  return lazyRouteComponent(file, name) as RouteComponent;
}

/** The route of a page. */
export function page<Parent extends AnyRoute, const Path extends string, Name extends string>(
  parent: Parent,
  path: Path,
  file: PageFile<Name>,
) {
  return createRoute({ getParentRoute: () => parent, path, component: lazyPage(file) });
}

/** The route of a page whose address has parameters after `?`, with their reader. */
export function searchPage<
  Parent extends AnyRoute,
  const Path extends string,
  Search,
  Name extends string,
>(
  parent: Parent,
  path: Path,
  validateSearch: (raw: Record<string, unknown>) => Search,
  file: PageFile<Name>,
) {
  const component = lazyPage(file);
  return createRoute({ getParentRoute: () => parent, path, validateSearch, component });
}

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

/** The addresses that need no session: the sign-in, and the links of mails; and the question of a program for access. */
export const openRoutes = [
  createRoute({
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
  }),
  page(root, "/admin/auth/register", { RegisterPage: () => import("./sign-in/register-page.tsx") }),
  page(root, "/admin/auth/forgot", { ForgotPage: () => import("./sign-in/forgot-page.tsx") }),
  page(root, "/admin/auth/reset", { ResetPage: () => import("./sign-in/reset-page.tsx") }),
  page(root, "/admin/auth/verify", { VerifyPage: () => import("./sign-in/verify-page.tsx") }),
  page(root, "/admin/auth/invitation", {
    InvitationPage: () => import("./sign-in/invitation-page.tsx"),
  }),
  page(root, "/admin/auth/complete", { CompletePage: () => import("./sign-in/complete-page.tsx") }),
  createRoute({
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
  }),
] as const;
