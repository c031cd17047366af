import { QueryClient } from "@tanstack/react-query";
import { ApiError, call } from "./api.ts";
import { currentSession, endSession } from "./session.ts";

/** The cache of what the service said. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Another attempt helps only if nobody responded or the service was not available.
      retry: (count, error) =>
        count < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
    },
  },
});

/**
 * Reads from an API with the session of this tab. If the session has ended, every tab forgets it.
 *
 * @throws ApiError for any response but a success
 */
export async function read<Result>(path: string, signal: AbortSignal): Promise<Result> {
  const token = currentSession()?.token;
  try {
    return (await call<{ data: Result }>("GET", path, { token, signal })).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && currentSession()?.token === token) {
      endSession();
    }
    throw error;
  }
}

/** Ends the session at the service and in every tab; offline, the tabs forget it all the same. */
export async function signOut(): Promise<void> {
  const token = currentSession()?.token;
  endSession();
  await call("POST", "/api/auth/logout", { token }).catch(() => {});
}
