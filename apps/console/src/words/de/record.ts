import type { record as english } from "../en/record.ts";

/** The texts of a record beside the grid in German. */
export const record: typeof english = {
  record: "Datensatz",
  loading: "Wird geladen",
  missing: "Diesen Datensatz gibt es nicht, oder er ist für Sie nicht offen.",
  row: "Zeile",
  values: "Werte",
  back: "Zurück zum vorigen Datensatz",
  previous: "Vorige Zeile",
  next: "Nächste Zeile",
  close: "Schließen",
  save: "Speichern",
  discard: "Verwerfen",
  unsaved:
    "{count, plural, one {# Änderung, nicht gespeichert} other {# Änderungen, nicht gespeichert}}",
  openRelated: "Die Zeile öffnen, auf die {name} verweist",
  relatedCount: "{count, plural, =0 {Keine Zeilen} one {# Zeile} other {# Zeilen}}",
  inGrid: "Im Raster zeigen",
  more: "Mehr zeigen",
  newRecord: "Neue Zeile",
  create: "Anlegen",
  cancel: "Abbrechen",
  required: "Pflichtfeld",
  missingFields: "{count, plural, one {# Pflichtfeld ist leer} other {# Pflichtfelder sind leer}}",
  isOld:
    "Diese Zeile hat sich geändert, seit Sie begonnen haben. Beim Speichern sehen Sie beide Fassungen.",
  leave: "Die Änderungen nicht speichern und weiter?",
};
