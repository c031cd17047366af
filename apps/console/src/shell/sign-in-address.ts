import { pageAddress } from "./paths.ts";

/** The page of the sign-in. */
export const signInPath = "/admin/auth/sign-in";

/** What has just succeeded when the sign-in is shown. */
const done = ["reset", "verified"] as const;

interface SignInAddress {
  /** Where the sign-in leads. */
  readonly returnTo?: string | undefined;
  readonly done?: (typeof done)[number] | undefined;
}

/** The address of the sign-in. */
export function signInAddress({ returnTo, done }: SignInAddress): string {
  const query = new URLSearchParams();
  if (returnTo !== undefined) query.set("return_to", returnTo);
  if (done !== undefined) query.set("done", done);
  return query.size === 0 ? signInPath : `${signInPath}?${query}`;
}

/** Reads the parameters of the sign-in's address. */
export function readSignInAddress(search: string): SignInAddress {
  const query = new URLSearchParams(search);
  return {
    returnTo: pageAddress(query.get("return_to")),
    done: done.find((one) => one === query.get("done")),
  };
}

/** Leads to the sign-in in a new document, and from there back to the present address. */
export function leaveForSignIn(): void {
  const { pathname, search } = window.location;
  window.location.replace(signInAddress({ returnTo: `${pathname}${search}` }));
}

let listener: () => void = () => {};

/** Shows the page of an address in place of a page of the sign-in, in the same document. */
export function continueAt(address: string): void {
  history.replaceState(null, "", address);
  listener();
}

/** Sets what shows the page of the present address. */
export function onContinue(show: () => void): void {
  listener = show;
}
