import { QueryClient } from "@tanstack/react-query";

/** The cache of the service's responses. The client itself repeats requests that failed in passing. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 30_000, retry: false } },
});
