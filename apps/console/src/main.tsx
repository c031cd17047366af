import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { router } from "./router.tsx";
import { LanguageProvider } from "./shell/language-provider.tsx";
import "./ui/app.css";
import "./ui/icon.svg?url";
import { followSystemTheme } from "./ui/theme.ts";
import { loadWords, preferredLanguage } from "./words/languages.ts";

followSystemTheme();
const language = preferredLanguage();
const words = await loadWords(language);
const place = document.getElementById("root");
if (place === null) throw new Error("The page has no element #root");
createRoot(place).render(
  <StrictMode>
    <LanguageProvider first={language} firstWords={words}>
      <RouterProvider router={router} />
    </LanguageProvider>
  </StrictMode>,
);
