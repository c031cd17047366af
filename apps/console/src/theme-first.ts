import { applyDensity, storedDensity } from "./ui/density.ts";
import { applyTheme, storedTheme } from "./ui/theme.ts";

// Loaded before the styles, so that the first paint has the chosen colors and sizes.
applyTheme(storedTheme());
applyDensity(storedDensity());
