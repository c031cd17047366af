import { useEffect, useSyncExternalStore } from "react";
import { currentSession, onSessionChange, type Session } from "./session.ts";
import { leaveForSignIn } from "./sign-in-address.ts";

/** The session of this tab; the component renders again when it changes. */
export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, currentSession);
}

/** Leads to the sign-in, and from there back, when the session of this browser has ended. */
export function useReturnToSignIn(session: Session | null): void {
  useEffect(() => {
    if (session === null) leaveForSignIn();
  }, [session]);
}
