import type { transfer as english } from "../en/transfer.ts";

/** The texts of imports and exports in German. */
export const transfer: typeof english = {
  export: "Exportieren",
  exportScope: "Alle Zeilen dieser Ansicht, mit ihren Spalten",
  csv: "CSV, für Tabellenprogramme",
  ndjson: "NDJSON, für Programme",
  exporting: "{name} wird exportiert",
  exportFailed: "{name} wurde nicht exportiert",
  cancelExport: "Export von {name} abbrechen",
  dismiss: "Ausblenden",
  rowsSoFar: "{rows} Zeilen · {size}",
  rowsOfAll: "{rows} von {all} Zeilen · {size}",
  import: "Importieren",
  importTitle: "In {name} importieren",
  close: "Schließen",
  cancel: "Abbrechen",
  file: "Datei",
  fileAgain: "Eine andere Datei, oder die berichtigte",
  fileHint:
    "CSV mit den Namen der Spalten in der ersten Zeile, oder NDJSON, in UTF-8. Sie können sie hier ablegen.",
  mapping: "Spalten der Datei",
  columnFor: "Spalte für {name}",
  leaveOut: "Nicht importieren",
  missing:
    "{count, plural, one {Jede neue Zeile braucht diese Spalte, die in der Datei fehlt: {names}.} other {Jede neue Zeile braucht diese Spalten, die in der Datei fehlen: {names}.}}",
  conflict: "Wenn es einen Schlüssel gibt",
  refuse: "Als Fehler melden",
  ignore: "Zeile überspringen",
  merge: "Zeile aktualisieren",
  check: "Datei prüfen",
  run: "Zeilen importieren",
  uploading: "Datei wird hochgeladen",
  checking: "Zeilen werden geprüft",
  writing: "Zeilen werden geschrieben",
  checked:
    "Die Datei hat keine Fehler. Neue Zeilen: {inserted}, aktualisiert: {updated}, übersprungen: {skipped}. Noch ist nichts geschrieben.",
  done: "Importiert. Neue Zeilen: {inserted}, aktualisiert: {updated}, übersprungen: {skipped}.",
  faults: "{count, plural, one {# Fehler} other {# Fehler}}: keine Zeile wurde geschrieben",
  firstFaults: "Die ersten {count} werden gezeigt.",
  line: "Zeile {line}",
  mend: "Berichtigen Sie diese Zeilen in Ihrer Datei, speichern Sie sie, und wählen Sie sie noch einmal.",
};
