import type { access as english } from "../en/access.ts";

/** The texts of exposure and grants in German. */
export const access: typeof english = {
  title: "Zugriff",
  action: { READ: "lesen", CREATE: "anlegen", UPDATE: "ändern", DELETE: "löschen" },
  part: { fields: "Felder", rowFilter: "Zeilenfilter", check: "Prüfung", presets: "Vorgaben" },
  grant: {
    new: "Neue Berechtigung",
    newText:
      "Eine Berechtigung erlaubt den Mitgliedern einer Rolle eine Aktion auf einer Tabelle oder Sicht.",
    text: "Gilt ab der nächsten Anfrage für {members} der Rolle.",
    role: "Rolle",
    action: "darf",
    resource: "Tabelle oder Sicht",
    choose: "Teil des Namens eingeben",
    allFields: "Alle Felder, auch später ergänzte",
    someFields: "{count} von {all, plural, one {# Feld} other {# Feldern}}",
    ownCheck: "Geänderte Zeilen mit einer eigenen Bedingung prüfen",
    matches: "Passt jetzt zu {count, number} von {all, plural, one {# Zeile} other {# Zeilen}}",
    matchesYours:
      "Passt jetzt zu {count, number} von {all, plural, one {# Zeile} other {# Zeilen}} mit Ihren eigenen Werten; jedes Mitglied hat seine",
    counting: "Zeilen werden gezählt …",
    countFailed: "Mit dieser Bedingung lassen sich die Zeilen nicht zählen.",
    notCounted: "Gezählt wird, sobald GET freigegeben ist.",
    lost: "Diese Berechtigung erlaubt nichts, weil eine Spalte fehlt, die sie verwendet. Ändern Sie den Teil, und speichern Sie.",
    shut: "Die Berechtigung wirkt noch nicht: Die Methode dieser Aktion ist verborgen. Geben Sie sie in der Matrix frei.",
  },
  fieldsText: {
    READ: "Die Felder, die Mitglieder lesen, filtern und ordnen dürfen.",
    CREATE: "Die Felder, die Mitglieder in einer neuen Zeile setzen dürfen.",
    UPDATE: "Die Felder, die Mitglieder ändern dürfen.",
  },
  rowFilterText: {
    READ: "Die Zeilen, die Mitglieder sehen. Andere gibt es für sie nicht.",
    UPDATE: "Die Zeilen, die Mitglieder ändern dürfen.",
    DELETE: "Die Zeilen, die Mitglieder löschen dürfen.",
  },
  checkText:
    "Die Bedingung, die eine neue oder geänderte Zeile erfüllen muss. Ohne sie gilt der Zeilenfilter.",
  presetsText: "Spalten, die der Dienst setzt. Mitglieder können sie nicht setzen.",
  preset: {
    add: "Vorgabe hinzufügen",
    remove: "Vorgabe für {name} entfernen",
    column: "Spalte",
    source: "Quelle für {name}",
    value: "Wert für {name}",
    null: "kein Wert",
    literal: "ein Wert",
  },
  members: {
    unknown: "die Mitglieder",
    count: "{count, plural, =0 {kein Mitglied} one {# Mitglied} other {# Mitglieder}}",
    more: "mehr als {count, number} Mitglieder",
  },
  conflict: {
    title: "Jemand anderes hat diese Berechtigung geändert",
    text: "Ein anderer Administrator hat inzwischen denselben Teil gespeichert. Wählen Sie eine Fassung, und speichern Sie sie danach.",
    mine: "Ihre",
    theirs: "Inzwischen gespeichert",
    noTerm: "keine Einschränkung",
    keepMine: "Meine behalten",
    takeTheirs: "Andere übernehmen",
    deleted:
      "Ein anderer Administrator hat diese Berechtigung inzwischen gelöscht. Legen Sie sie in der Matrix neu an, wenn sie noch gebraucht wird.",
  },
  delete: {
    title: "Diese Berechtigung löschen?",
    text: "Ab der nächsten Anfrage gilt sie nicht mehr für {members}, es sei denn, eine andere Rolle erlaubt dasselbe.",
  },
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
