import { type ComponentType, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { loadPage } from "./pages.ts";
import { keepAuthorizationQuery } from "./shell/authorization-query.ts";
import { takeFragment } from "./shell/fragment.ts";
import { LanguageProvider } from "./shell/language-provider.tsx";
import { FailurePage } from "./shell/message-page.tsx";
import { findSession } from "./shell/session.ts";
import { onContinue } from "./shell/sign-in-address.ts";
import { openWords } from "./shell/words-store.ts";
import "./ui/app.css";
import "./ui/icon.svg?url";
import { followSystemTheme } from "./ui/theme.ts";
import { preferredLanguage } from "./words/languages.ts";

takeFragment();
keepAuthorizationQuery();
followSystemTheme();
const place = document.getElementById("root");
if (place === null) throw new Error("The page has no element #root");
const root = createRoot(place, {
  onUncaughtError: (error) => {
    reportError(error);
    show(FailurePage);
  },
});
const load = async () => {
  try {
    return await loadPage();
  } catch (error) {
    reportError(error);
    return FailurePage;
  }
};
onContinue(() => void load().then(show));
const [, page] = await Promise.all([openWords(preferredLanguage()), findSession().then(load)]);
show(page);

function show(Page: ComponentType): void {
  root.render(
    <StrictMode>
      <LanguageProvider>
        <Page />
      </LanguageProvider>
    </StrictMode>,
  );
}
