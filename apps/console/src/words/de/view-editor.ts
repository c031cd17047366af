import type { viewEditor as english } from "../en/view-editor.ts";

/** The texts of the pages of views in German. */
export const viewEditor: typeof english = {
  newText:
    "Eine Sicht ist ein gespeichertes SELECT. Sie ist vor der Data-API verborgen, bis Sie sie freigeben.",
  leave: "Diese Seite verlassen? Die geänderte Definition geht verloren.",
  definition: "Abfrage",
  definitionHint: "Ein SELECT. Eine Tabelle ohne Schema ist eine dieses Schemas.",
  goToFault: "Zum Fehler",
  materialized: "Materialisiert: behält ihre Zeilen bis zur nächsten Auffrischung",
  comment: "Kommentar",
  discard: "Verwerfen",
  sql: "SQL",
  exactly: "Genau das wird ausgeführt.",
  noSql: "Das SQL erscheint, sobald die Abfrage keinen Fehler hat.",
  outdated:
    "Jemand anderes hat diese Sicht inzwischen ersetzt; nichts wurde gespeichert. So ist sie jetzt:",
  takeTheirs: "Deren Fassung nehmen",
  keepMine: "Meine Fassung behalten",
  type: "Typ",
  source: "Aus",
  computed: "berechnet",
  columnsText: "Spalten aus einer Tabelle haben deren Beschriftung, Format und Farben.",
  refresh: "Zeilen",
  refreshNow: "Auffrischen",
  refreshing: "Die Sicht wird aufgefrischt",
  refreshingSince: "Auffrischung läuft seit {time}",
  refreshedAt: "Berechnet am {time}",
  neverRefreshed: "Die Zeilen wurden noch nicht berechnet.",
  refreshFailed: "Die Auffrischung ist fehlgeschlagen.",
  concurrently: "Die Sicht bleibt während einer Auffrischung lesbar.",
  readersWait:
    "Lesende warten während einer Auffrischung, außer die Sicht hat einen eindeutigen Index über einfache Spalten.",
  drop: "Sicht löschen",
  dropTitle: "Die Sicht {name} löschen?",
  dependents: "Andere Objekte hängen von dieser Sicht ab; löschen Sie diese zuerst: {names}",
  typeName: "Zur Bestätigung {name} eingeben",
  loses: {
    exposedMethods: "Freigegebene Methoden:",
    roles: "Rollen mit Rechten:",
    dataViews: "DataViews, die ihre Quelle verlieren:",
    dashboards: "Dashboards, die ein Feld verlieren:",
  },
};
