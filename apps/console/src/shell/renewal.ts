import { useSyncExternalStore } from "react";
import { currentSession, onSessionChange } from "./session.ts";

/** Requests that wait for a new session, because the service has rejected theirs. */
interface Renewal {
  readonly rejected: string;
  readonly settled: Promise<string | null>;
  settle(token: string | null): void;
}

let renewal: Renewal | undefined;
const listeners = new Set<() => void>();

/**
 * Asks the person to sign in again, by the dialog that the frame shows.
 *
 * @returns the secret of the new session; null if the person signs out instead
 */
export function askForSession(): Promise<string | null> {
  const session = currentSession();
  if (session === null) return Promise.resolve(null);
  if (renewal === undefined) {
    let settle: Renewal["settle"] = () => {};
    const settled = new Promise<string | null>((resolve) => {
      settle = resolve;
    });
    change({ rejected: session.token, settled, settle });
  }
  return renewal?.settled ?? Promise.resolve(null);
}

/** Whether the person has to sign in again; the component renders again when that changes. */
export function useRenewal(): boolean {
  return useSyncExternalStore(onChange, () => renewal !== undefined);
}

// A sign-in in the dialog or in another tab ends the wait, and so does a sign-out.
onSessionChange(() => {
  const token = currentSession()?.token ?? null;
  if (renewal === undefined || token === renewal.rejected) return;
  const { settle } = renewal;
  change(undefined);
  settle(token);
});

function change(next: Renewal | undefined): void {
  renewal = next;
  for (const listener of listeners) listener();
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
