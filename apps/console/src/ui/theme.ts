/** The colors of the pages: chosen, or those of the system. */
export type Theme = "system" | "light" | "dark";

export const themes: readonly Theme[] = ["system", "light", "dark"];

const key = "rowhouse.theme";
const dark = () => matchMedia("(prefers-color-scheme: dark)");

/** The theme chosen in this browser. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem(key);
  return themes.find((theme) => theme === stored) ?? "system";
}

/** Shows the pages in a theme. */
export function applyTheme(theme: Theme): void {
  const isDark = theme === "dark" || (theme === "system" && dark().matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
}

/** Shows a theme and keeps it in this browser. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(key);
  else localStorage.setItem(key, theme);
  applyTheme(theme);
}

/** Follows the system while no theme is chosen. */
export function followSystemTheme(): void {
  dark().addEventListener("change", () => applyTheme(storedTheme()));
}
