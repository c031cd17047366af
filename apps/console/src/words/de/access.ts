import type { access as english } from "../en/access.ts";

/** The texts of exposure and grants in German. */
export const access: typeof english = {
  title: "Zugriff",
  action: { READ: "lesen", CREATE: "anlegen", UPDATE: "ändern", DELETE: "löschen" },
  part: { rowFilter: "Zeilenfilter", check: "Prüfung", presets: "Vorgaben" },
  state: {
    NONE: "keine Berechtigung",
    FIELDS: "einige Felder",
    ROWS: "Zeilenfilter",
    BOTH: "Zeilenfilter, einige Felder",
    ALL: "alle Zeilen und Felder",
    LOST: "unwirksam",
  },
  lost: {
    title:
      "{count, plural, one {# Berechtigung erlaubt nichts, weil eine Spalte fehlt, die sie verwendet.} other {# Berechtigungen erlauben nichts, weil Spalten fehlen, die sie verwenden.}}",
    grant: "{role} darf {resource} {action}",
    part: "{part}: {name}",
  },
  matrix: {
    text: "Jede Zeile ist eine Tabelle oder Sicht: die Methoden, die sie annimmt, und was jede Rolle mit ihr darf. Mitglieder von Administrators brauchen keine Berechtigung.",
    resource: "Tabelle oder Sicht",
    exposure: "Freigegeben",
    method: "Methode {method}",
    accepts: "{method} ist freigegeben",
    refuses: "{method} ist verborgen",
    shut: "berechtigt, aber die Methode ist verborgen",
    noAccess: "{name} hat keinen API-Zugang",
    search: "Name enthält",
    schema: "Schema",
    role: "Rolle",
    all: "Alle",
    legend: "Zeichen",
    empty: "Es gibt noch keine Tabelle.",
  },
};
