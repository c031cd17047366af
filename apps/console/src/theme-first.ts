import { applyTheme, storedTheme } from "./ui/theme.ts";

// Loaded before the styles, so that the first paint has the chosen colors.
applyTheme(storedTheme());
