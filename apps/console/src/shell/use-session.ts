import { useNavigate } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import { currentSession, onSessionChange, type Session } from "./session.ts";

/** The session of this tab; the component renders again when it changes. */
export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, currentSession);
}

/** Leads to the sign-in, and from there back, when the session of this browser has ended. */
export function useReturnToSignIn(session: Session | null): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (session !== null) return;
    const { pathname, search } = window.location;
    void navigate({
      to: "/admin/auth/sign-in",
      search: { return_to: `${pathname}${search}` },
      replace: true,
    });
  }, [session, navigate]);
}
