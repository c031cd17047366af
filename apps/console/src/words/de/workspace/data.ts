import type * as english from "../../en/workspace/data.ts";

/** The texts of a record beside the grid in German. */
export const record: typeof english.record = {
  record: "Datensatz",
  asPage: "Als eigene Seite öffnen",
  nothingRelated: "Keine andere Tabelle verweist auf diese Zeile.",
  loading: "Wird geladen",
  missing: "Diesen Datensatz gibt es nicht, oder Sie haben keinen Zugriff darauf.",
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
  history: "Verlauf",
  noHistory: "Keine aufgezeichnete Änderung dieser Zeile ist für Sie sichtbar.",
  CREATE: "angelegt",
  DELETE: "gelöscht",
  byToken: "durch ein Token",
  byWorkflow: "durch einen Workflow",
  otherClient: "Ein anderes Programm der Datenbank",
  you: "Sie",
  somebody: "Jemand, dessen Namen Sie nicht lesen dürfen",
  became: "wurde zu",
  putBack: "Früheren Wert von {name} wiederherstellen",
  cannotPutBack: "Sie dürfen {name} dieser Zeile nicht ändern",
  isBack: "Der frühere Wert von {name} gilt wieder.",
  leave: "Die Änderungen nicht speichern und weiter?",
};

/** The texts of imports and exports in German. */
export const transfer: typeof english.transfer = {
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
  fileAgain: "Eine andere oder die berichtigte Datei",
  fileHint:
    "CSV mit den Namen der Spalten in der ersten Zeile, oder NDJSON. Sie können sie hier ablegen.",
  form: "Form der Datei",
  encoding: "Kodierung",
  separator: "Trennzeichen",
  comma: "Komma",
  semicolon: "Semikolon",
  tab: "Tabulator",
  pipe: "Senkrechter Strich",
  decimal: "Dezimalzeichen",
  decimalDot: "Punkt (1234.5)",
  decimalComma: "Komma (1234,5)",
  dates: "Datumsangaben",
  isoDates: "Wie in ISO 8601: 2024-02-01",
  booleans: "Ja und Nein",
  choose: "Wählen",
  ambiguousDate:
    "Die Datei zeigt nicht, ob {text} mit dem Tag oder dem Monat beginnt. Wählen Sie, wie sie Daten schreibt.",
  unknownDate:
    "Kein bekanntes Format liest die Datumsangaben der Datei, etwa {text}. Wählen Sie eines, oder berichtigen Sie sie.",
  ambiguousBoolean:
    "Die Datei zeigt nicht, zu welchem Text {text} gehört. Wählen Sie, wie sie Ja und Nein schreibt.",
  unknownBoolean:
    "Kein bekanntes Format liest jedes Ja und Nein der Datei, etwa {text}. Wählen Sie eines, oder berichtigen Sie sie.",
  ambiguousDecimal:
    "Die Datei zeigt nicht, ob {text} Tausender oder Nachkommastellen hat. Wählen Sie ihr Dezimalzeichen; Zeichen zwischen Tausendern lassen sich nicht importieren.",
  notRead: "nicht lesbar",
  mapping: "Spalten der Datei",
  columnFor: "Spalte für {name}",
  leaveOut: "Nicht importieren",
  missing:
    "{count, plural, one {Jede neue Zeile braucht diese Spalte, die in der Datei fehlt: {names}.} other {Jede neue Zeile braucht diese Spalten, die in der Datei fehlen: {names}.}}",
  conflict: "Wenn der Schlüssel schon vorkommt",
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
  checkedRest:
    "Die übrigen Zeilen der Datei haben keine Fehler. Neue Zeilen: {inserted}, aktualisiert: {updated}, übersprungen: {skipped}. Noch ist nichts geschrieben.",
  done: "Importiert. Neue Zeilen: {inserted}, aktualisiert: {updated}, übersprungen: {skipped}.",
  faults: "{count, plural, one {# Fehler} other {# Fehler}}: Keine Zeile wurde geschrieben",
  firstFaults: "Die ersten {count} werden gezeigt.",
  line: "Zeile {line}",
  mend: "Berichtigen Sie diese Zeilen in Ihrer Datei, speichern Sie sie, und wählen Sie sie noch einmal.",
  skipAndImport: "Diese Zeilen überspringen und die anderen importieren",
  skipAndCheck: "Alle fehlerhaften Zeilen überspringen und die anderen prüfen",
  skipPart:
    "Es können mehr Zeilen fehlerhaft sein als gezeigt. Die anderen werden geprüft, bis kein Fehler mehr bleibt; geschrieben wird erst, wenn Sie sie importieren.",
  leftOutRows:
    "{count, plural, one {Eine Zeile der Datei wird} other {{number} Zeilen der Datei werden}} ausgelassen.",
  downloadFaulty:
    "{count, plural, one {Fehlerhafte Zeile herunterladen} other {Fehlerhafte Zeilen herunterladen}}",
  faultyFile: "Fehler",
  reason: "Grund des Fehlers",
};

/** The texts of saved views in German. */
export const views: typeof english.views = {
  views: "Ansichten",
  changed: "geändert",
  none: "Noch keine gespeicherte Ansicht dieser Tabelle. Eine Ansicht speichert Filter, Sortierung, Spalten und Suche.",
  name: "Name einer neuen Ansicht",
  saveAs: "Als neue speichern",
  save: "Speichern",
  update: "Änderungen an {name} speichern",
  rename: "{name} umbenennen",
  delete: "{name} löschen",
  moveUp: "{name} nach oben",
  moveDown: "{name} nach unten",
  lost: "Filter prüfen",
  lostText:
    "{fields}: Die Spalte hat einen anderen Typ, eine andere Sortierfolge oder andere Werte als beim Speichern von {name}; der Filter könnte andere Zeilen zeigen. Öffnen Sie die Ansicht, prüfen Sie den Filter und speichern Sie erneut.",
  openLost: "{name} trotzdem öffnen",
};
