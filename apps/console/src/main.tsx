import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { loadRoutes, router } from "./router.ts";
import { keepAuthorizationQuery } from "./shell/authorization-query.ts";
import { takeFragment } from "./shell/fragment.ts";
import { LanguageProvider } from "./shell/language-provider.tsx";
import { queryClient } from "./shell/query.ts";
import { currentSession, findSession, onSessionChange } from "./shell/session.ts";
import { openWords } from "./shell/words-store.ts";
import "./ui/app.css";
import "./ui/icon.svg?url";
import { followSystemTheme } from "./ui/theme.ts";
import { preferredLanguage } from "./words/languages.ts";

takeFragment();
keepAuthorizationQuery();
followSystemTheme();
const isSignIn = window.location.pathname.startsWith("/admin/auth/");
await Promise.all([
  openWords(preferredLanguage()),
  findSession(),
  isSignIn ? undefined : loadRoutes(),
]);
// Nothing that one person was shown remains for the next.
onSessionChange(() => {
  if (currentSession() === null) queryClient.clear();
});
const place = document.getElementById("root");
if (place === null) throw new Error("The page has no element #root");
createRoot(place).render(
  <StrictMode>
    <LanguageProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </LanguageProvider>
  </StrictMode>,
);
