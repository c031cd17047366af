import type { overview as english } from "../en/overview.ts";

/** The texts of the first page of the administration in German. */
export const overview: typeof english = {
  title: "Verwaltung",
  text: "Alles, was Administratoren mit der Admin-API tun können, mit den Folgen im Voraus.",
};
