import type { viewForm as english } from "../en/view-form.ts";

/** The texts of a DataView that is a form in German. */
export const viewForm: typeof english = {
  new: "Neue Zeile",
  newRow: "Neue Zeile: {name}",
  changeRow: "Zeile ändern: {name}",
  create: "Anlegen",
  save: "Speichern",
  preview: "Eine Vorschau speichert nichts.",
  missing: "Ein Wert ist nötig.",
  presets: "Vom System gesetzt",
  presetsText: "Diese Werte werden beim Speichern gesetzt.",
  bySystem: "vom System gesetzt",
  noRows: "Keine Zeile passt.",
  more: "Weitere Zeilen anzeigen",
  notAllowed: "Ihre Rollen erlauben hier keine neuen Zeilen.",
  created: "Die Zeile wurde angelegt.",
  saved: "Die Zeile wurde gespeichert.",
  another: "Noch eine",
  change: "Ändern",
  open: "Zeile öffnen",
  list: "Zurück zu den Zeilen",
};
