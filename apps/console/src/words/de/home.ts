import type { home as english } from "../en/home.ts";

/** The texts of the home page's lists in German. */
export const home: typeof english = {
  pinned: "Angeheftet",
  recent: "Zuletzt geöffnet",
  pin: "{name} an die Startseite heften",
  unpin: "{name} nicht mehr anheften",
};
