import { homePath } from "./paths.ts";

/** A signed-in person, with the credential of every request. */
export interface Session {
  readonly token: string;
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
}

type Message =
  | { readonly kind: "ask" }
  | { readonly kind: "session"; readonly session: Session }
  | { readonly kind: "ended" };

const key = "rowhouse.session";
// Other tabs of this origin hand their session to a new one, so that every link opens where its person is signed in.
const channel = new BroadcastChannel(key);
const answerMs = 150;

let current: Session | null = null;
const listeners = new Set<() => void>();
const strangerListeners = new Set<(session: Session) => void>();

/** The session of this tab. */
export function currentSession(): Session | null {
  return current;
}

/** Calls `listener` after each change of the session; returns the function that ends this. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls `listener` when another person signs in in another tab; returns the function that ends this. */
export function onOtherPerson(listener: (session: Session) => void): () => void {
  strangerListeners.add(listener);
  return () => strangerListeners.delete(listener);
}

/** Whether the session outlives the browser's windows. */
export function isSessionKept(): boolean {
  return localStorage.getItem(key) !== null;
}

/** Opens the workspace of another person in this tab, from the beginning: nothing of the first remains in memory. */
export function startOverAs(session: Session): void {
  sessionStorage.setItem(key, JSON.stringify(session));
  location.assign(homePath);
}

/** Finds the session of this tab, of this browser or of another tab; before the first page is shown. */
export async function findSession(): Promise<void> {
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => receive(data));
  const stored = sessionStorage.getItem(key) ?? localStorage.getItem(key);
  if (stored !== null) {
    adopt(JSON.parse(stored) as Session);
    return;
  }
  const answered = new Promise<void>((resolve) => {
    const stop = onSessionChange(() => {
      stop();
      resolve();
    });
    setTimeout(resolve, answerMs);
  });
  send({ kind: "ask" });
  await answered;
}

/**
 * Starts a session in every tab.
 *
 * @param isKept whether it outlives the browser's windows
 */
export function startSession(session: Session, isKept: boolean): void {
  if (isKept) localStorage.setItem(key, JSON.stringify(session));
  adopt(session);
  send({ kind: "session", session });
}

/** Forgets the session in every tab. */
export function endSession(): void {
  forget();
  send({ kind: "ended" });
}

function receive(message: Message): void {
  if (message.kind === "ask" && current !== null) send({ kind: "session", session: current });
  if (message.kind === "ended") forget();
  if (message.kind !== "session") return;
  const { session } = message;
  // Someone who signs in again has a newer session; that of another person stays out of this tab.
  if (current === null || current.user.id === session.user.id) adopt(session);
  else for (const listener of strangerListeners) listener(session);
}

function send(message: Message): void {
  channel.postMessage(message);
}

function adopt(session: Session): void {
  current = session;
  sessionStorage.setItem(key, JSON.stringify(session));
  for (const listener of listeners) listener();
}

function forget(): void {
  current = null;
  sessionStorage.removeItem(key);
  localStorage.removeItem(key);
  for (const listener of listeners) listener();
}
