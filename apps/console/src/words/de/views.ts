import type { views as english } from "../en/views.ts";

/** The texts of saved views in German. */
export const views: typeof english = {
  views: "Ansichten",
  changed: "geändert",
  none: "Noch keine gespeicherte Ansicht dieser Tabelle. Eine Ansicht behält Filter, Sortierung, Spalten und Suche.",
  name: "Name einer neuen Ansicht",
  saveAs: "Als neue speichern",
  save: "Speichern",
  update: "Änderungen an {name} speichern",
  rename: "{name} umbenennen",
  delete: "{name} löschen",
  moveUp: "{name} nach oben",
  moveDown: "{name} nach unten",
};
