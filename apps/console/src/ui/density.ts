/** The height of rows: 30 or 36 pixels. */
export type Density = "compact" | "comfortable";

export const densities: readonly Density[] = ["compact", "comfortable"];

const key = "rowhouse.density";

/** The density chosen in this browser. */
export function storedDensity(): Density {
  return localStorage.getItem(key) === "comfortable" ? "comfortable" : "compact";
}

/** Shows rows in a density. */
export function applyDensity(density: Density): void {
  document.documentElement.dataset.density = density;
}

/** Shows a density and keeps it in this browser. */
export function chooseDensity(density: Density): void {
  if (density === "compact") localStorage.removeItem(key);
  else localStorage.setItem(key, density);
  applyDensity(density);
}
