import { QueryClientProvider } from "@tanstack/react-query";
import { createRouter, type Router, RouterProvider } from "@tanstack/react-router";
import { routeTree } from "./routes.tsx";
import { queryClient } from "./shell/query.ts";
import { currentSession, onSessionChange } from "./shell/session.ts";

const router = createRouter({ routeTree });

declare module "@tanstack/react-router" {
  interface Register {
    router: Router<typeof routeTree>;
  }
}

// Nothing that one person was shown remains for the next.
onSessionChange(() => {
  if (currentSession() === null) queryClient.clear();
});

/** The pages that need a session. */
export function RoutedPages() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
